//! The table of rules. A new rule is one line here, one function in its stage, and one page in `rules/`.

use serde::{Deserialize, Serialize};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Advice.
    Note,
    /// Fails on some clusters, or does what the author can hardly want.
    Warning,
    /// Fails, or runs somewhere its author did not want, on every cluster that follows the contract.
    Error,
}

/// The steps of a Pod's way into a node, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// kubectl reads the file.
    Decode,
    /// The API server accepts the resource.
    Admission,
    /// The controller creates a Pod for it.
    Reconcile,
    /// The API server accepts the Pod.
    PodCreate,
    /// A node takes the Pod.
    Scheduling,
    /// The kubelet hands it to its provider.
    Kubelet,
    /// The provider creates it.
    Provider,
    /// It stays up.
    Running,
}

impl Stage {
    /// All stages, in the order in which a Pod meets them.
    pub const ALL: [Stage; 8] = [
        Stage::Decode,
        Stage::Admission,
        Stage::Reconcile,
        Stage::PodCreate,
        Stage::Scheduling,
        Stage::Kubelet,
        Stage::Provider,
        Stage::Running,
    ];

    /// The name used in output: `pod-create`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Decode => "decode",
            Stage::Admission => "admission",
            Stage::Reconcile => "reconcile",
            Stage::PodCreate => "pod-create",
            Stage::Scheduling => "scheduling",
            Stage::Kubelet => "kubelet",
            Stage::Provider => "provider",
            Stage::Running => "running",
        }
    }
}

/// A rule: what the linter can find.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `SB` and three digits; never reused.
    pub code: &'static str,
    /// The defect in kebab-case.
    pub name: &'static str,
    /// Its usual weight.
    pub severity: Severity,
    /// The stage at which it usually shows.
    pub stage: Stage,
    /// One line for lists.
    pub summary: &'static str,
    /// The page of `rules/`, in Markdown.
    pub page: &'static str,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $id:ident = $code:literal, $name:literal, $severity:ident, $stage:ident, $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $id: Rule = Rule {
                code: $code,
                name: $name,
                severity: Severity::$severity,
                stage: Stage::$stage,
                summary: $summary,
                page: include_str!(concat!("../rules/", $code, "-", $name, ".md")),
            };
        )*
        /// All rules, in the order of their codes.
        pub static RULES: &[&Rule] = &[$(&$id),*];
    };
}

rules! {
    // SB0xx: files and decoding
    SYNTAX_ERROR = "SB001", "syntax-error", Error, Decode, "kubectl cannot read the document";
    INVALID_SEPARATOR = "SB002", "invalid-separator", Error, Decode, "More than a comment follows the `---` between documents";
    NOT_AN_OBJECT = "SB003", "not-an-object", Error, Decode, "A document or list item is no object";
    UNIDENTIFIED_OBJECT = "SB004", "unidentified-object", Error, Decode, "An object has no usable apiVersion or kind";
    DUPLICATE_KEY = "SB010", "duplicate-key", Error, Decode, "A key stands twice in one mapping, and the first value is dropped";
    TEXT_NEVER_READ = "SB011", "text-never-read", Warning, Decode, "kubectl stops before the end of the document";
    MERGE_OVERWRITES_KEY = "SB012", "merge-overwrites-key", Warning, Decode, "A merge replaces a key that is written before it";
    INVALID_UTF8 = "SB013", "invalid-utf8", Warning, Decode, "Bytes that are not UTF-8 are replaced";
    COLLIDING_KEYS = "SB014", "colliding-keys", Warning, Decode, "Two different keys become the same text";
    FOLDED_LIST_ITEM = "SB015", "folded-list-item", Warning, Decode, "A line that looks like a list item continues the text above";
    JSON_LIKE_FILE = "SB016", "json-like-file", Warning, Decode, "The file starts like JSON and is none; older kubectl refuse it";
    CONVERTED_KEY = "SB017", "converted-key", Warning, Decode, "A key is a boolean or number in YAML 1.1 and becomes another text";
    // SB1xx: admission of the resource
    UNKNOWN_KIND = "SB101", "unknown-kind", Error, Admission, "No such group, version or kind";
    DEPRECATED_VERSION = "SB102", "deprecated-version", Warning, Admission, "v1alpha1 is deprecated, and gone with agent-sandbox 1.0";
    UNKNOWN_FIELD = "SB103", "unknown-field", Error, Admission, "A field that does not exist";
    MISSING_FIELD = "SB104", "missing-field", Error, Admission, "A required field is missing";
    WRONG_TYPE = "SB105", "wrong-type", Error, Admission, "A value of a type that the field does not take";
    UNSUPPORTED_VALUE = "SB106", "unsupported-value", Error, Admission, "None of the few values that the field knows";
    NON_STRING_VALUE = "SB107", "non-string-value", Error, Admission, "YAML reads a number or boolean where a string belongs";
    OUT_OF_RANGE = "SB108", "out-of-range", Error, Admission, "A number that is too small or too great";
    INVALID_TIME = "SB109", "invalid-time", Error, Admission, "A time that is not in the form of RFC 3339";
    INVALID_QUANTITY = "SB110", "invalid-quantity", Error, Admission, "An amount that is no quantity";
    DUPLICATE_ENTRY = "SB111", "duplicate-entry", Error, Admission, "Two entries of a list with one name";
    INVALID_NAME = "SB112", "invalid-name", Error, Admission, "A name that no object, or no namespace, can have";
    INVALID_METADATA = "SB113", "invalid-metadata", Error, Admission, "The API server refuses labels, annotations or other metadata of the object itself";
    DROPPED_NULL = "SB114", "dropped-null", Warning, Admission, "A key without a value vanishes, and server-side apply refuses it";
    // SB2xx: Pod creation, webhook, reconcile
    UNREADABLE_VALUE = "SB201", "unreadable-value", Error, Reconcile, "A stored value that controllers cannot read stops them all";
    ENDLESS_QUANTITY = "SB202", "endless-quantity", Error, Reconcile, "An amount so large that the API server computes for minutes";
    SUSPENDED = "SB203", "suspended", Note, Reconcile, "A suspended Sandbox has no Pod";
    EXPIRED = "SB204", "expired", Error, Reconcile, "shutdownTime lies in the past";
    INVALID_TOLERATION = "SB210", "invalid-toleration", Error, PodCreate, "The API server refuses a toleration of the Pod";
    INVALID_NODE_SELECTOR = "SB211", "invalid-node-selector", Error, PodCreate, "The API server refuses a key or value of nodeSelector";
    INVALID_AFFINITY = "SB212", "invalid-affinity", Error, PodCreate, "The API server refuses a term of the affinity";
    INVALID_SPREAD_CONSTRAINT = "SB213", "invalid-spread-constraint", Error, PodCreate, "The API server refuses a topologySpreadConstraint";
    INVALID_CONTAINER = "SB214", "invalid-container", Error, PodCreate, "The API server refuses a container's name, ports or policies";
    INVALID_ENV = "SB215", "invalid-env", Error, PodCreate, "The API server refuses an environment variable";
    INVALID_VOLUME = "SB216", "invalid-volume", Error, PodCreate, "The API server refuses a volume";
    INVALID_MOUNT = "SB217", "invalid-mount", Error, PodCreate, "A container mounts what the Pod does not have, or as it can't be";
    INVALID_RESOURCES = "SB218", "invalid-resources", Error, PodCreate, "The API server refuses requests, limits or claims";
    INVALID_PROBE = "SB219", "invalid-probe", Error, PodCreate, "The API server refuses a probe or a lifecycle hook";
    INVALID_POD_METADATA = "SB220", "invalid-pod-metadata", Error, PodCreate, "The API server refuses a label or annotation of the Pod";
    INVALID_POD_FIELD = "SB221", "invalid-pod-field", Error, PodCreate, "The API server refuses a field of the Pod itself";
    INVALID_IMAGE = "SB222", "invalid-image", Error, PodCreate, "A container has no image, or one with blanks around it";
    INVALID_SECURITY_CONTEXT = "SB223", "invalid-security-context", Error, PodCreate, "The API server refuses a security context";
    REFUSED_BY_PLUGIN = "SB224", "refused-by-plugin", Error, PodCreate, "An admission plugin of the API server refuses the Pod";
    VIOLATES_POD_SECURITY = "SB225", "violates-pod-security", Error, PodCreate, "The namespace's Pod Security level forbids the Pod";
    POD_SECURITY_WARNING = "SB226", "pod-security-warning", Note, PodCreate, "The namespace warns of what a Pod Security level forbids, or records it";
    OUT_OF_LIMIT_RANGE = "SB227", "out-of-limit-range", Error, PodCreate, "A LimitRange of the namespace does not allow the Pod's requests or limits";
    QUOTA_NEEDS_RESOURCES = "SB228", "quota-needs-resources", Error, PodCreate, "A ResourceQuota asks for requests or limits that a container does not set";
    EXCEEDS_QUOTA = "SB229", "exceeds-quota", Error, PodCreate, "The Pod alone is more than a ResourceQuota allows";
    WEBHOOK_DENIAL = "SB260", "webhook-denial", Error, PodCreate, "cocoon-webhook denies the Pod";
    // SB3xx: scheduling
    NO_MATCHING_NODE = "SB301", "no-matching-node", Warning, Scheduling, "No node carries the label that the Pod demands";
    MISSING_TOLERATION = "SB302", "missing-toleration", Error, Scheduling, "The taint of the selected virtual node is not tolerated";
    TOLERATION_MISMATCH = "SB303", "toleration-mismatch", Error, Scheduling, "A toleration does not cover the taint it is meant for";
    MISSPELT_SELECTOR = "SB304", "misspelt-selector", Error, Scheduling, "A selector's key or value is not the one that the backend's nodes carry";
    MISSING_SELECTOR = "SB305", "missing-selector", Error, Scheduling, "A Pod meant for a microVM is not bound to its nodes";
    OPEN_PLACEMENT = "SB306", "open-placement", Warning, Scheduling, "Several kinds of nodes would take the Pod";
    CONFLICTING_SELECTORS = "SB307", "conflicting-selectors", Error, Scheduling, "The Pod demands nodes of two backends at once";
    ABSENT_NODE_LABEL = "SB308", "absent-node-label", Error, Scheduling, "A label that virtual nodes never carry is demanded of one";
    NO_NODE_LABEL = "SB309", "no-node-label", Error, Scheduling, "The key of a taint or an annotation is demanded as a node label";
    EXCLUDED_NODE = "SB310", "excluded-node", Error, Scheduling, "An affinity keeps the Pod off the nodes it is meant for";
    DEAD_TERM = "SB311", "dead-term", Error, Scheduling, "A node selector term matches no node at all";
    PINNED_NODE = "SB312", "pinned-node", Warning, Scheduling, "nodeName goes past the scheduler";
    UNKNOWN_SCHEDULER = "SB313", "unknown-scheduler", Warning, Scheduling, "No scheduler answers to schedulerName";
    SCHEDULING_GATES = "SB314", "scheduling-gates", Warning, Scheduling, "Gates hold the Pod until somebody removes them";
    INSUFFICIENT_RESOURCES = "SB320", "insufficient-resources", Warning, Scheduling, "The Pod requests more than a node for it has";
    HOST_PORT = "SB321", "host-port", Warning, Scheduling, "A host port on a virtual node is counted, not opened";
    NO_FREE_NODE = "SB322", "no-free-node", Error, Scheduling, "No node of the snapshot takes the Pod, each for a reason of its own";
    MISSING_TOPOLOGY_LABEL = "SB330", "missing-topology-label", Warning, Scheduling, "A spread constraint needs a label that the nodes lack";
    SPREAD_COUNTS_OTHERS = "SB331", "spread-counts-others", Warning, Scheduling, "A spread constraint does not count the Pod's own kind";
    UNMET_POD_AFFINITY = "SB332", "unmet-pod-affinity", Warning, Scheduling, "Required affinity to other Pods keeps the Pod off every node";
    REFUSED_CLAIM = "SB340", "refused-claim", Error, Scheduling, "The API server refuses the claim of a volumeClaimTemplate";
    MISSING_CLAIM = "SB341", "missing-claim", Error, Scheduling, "A PersistentVolumeClaim does not exist";
    CLAIM_ON_VIRTUAL_NODE = "SB342", "claim-on-virtual-node", Warning, Scheduling, "A claim of a Pod that is meant for a virtual node";
    UNRESOLVED_FIELD_REF = "SB360", "unresolved-field-ref", Error, Kubelet, "A variable takes an address that virtual-kubelet does not resolve";
    MISSING_ENV_SOURCE = "SB361", "missing-env-source", Error, Kubelet, "A variable's ConfigMap or Secret does not exist";
    MISSING_ENV_KEY = "SB362", "missing-env-key", Error, Kubelet, "A variable's ConfigMap or Secret lacks the key";
    SKIPPED_ENV_NAMES = "SB363", "skipped-env-names", Note, Kubelet, "Keys that are no names of variables are left out";
    MISSING_VOLUME_SOURCE = "SB364", "missing-volume-source", Error, Kubelet, "A volume's ConfigMap or Secret does not exist";
    INVALID_IMAGE_NAME = "SB365", "invalid-image-name", Error, Kubelet, "A name that no image can have, so the kubelet never pulls it";
    MISSING_VOLUME_KEY = "SB366", "missing-volume-key", Error, Kubelet, "A volume's ConfigMap or Secret lacks the key";
    SCRATCH_IMAGE = "SB380", "scratch-image", Error, Kubelet, "The image `scratch` is a reserved name that no registry has";
    // SB4xx: sandboxd
    REFUSED_RUNTIME = "SB401", "refused-runtime", Error, Provider, "vk-sandbox serves no runtime but sandboxd";
    MISSING_TEMPLATE = "SB402", "missing-template", Error, Provider, "vk-sandbox needs the template annotation";
    PADDED_TEMPLATE = "SB403", "padded-template", Warning, Provider, "Blanks around a template name another pool";
    INVALID_TTL = "SB404", "invalid-ttl", Error, Provider, "The lease is not a whole number of seconds from 0 up";
    UNKNOWN_NET = "SB405", "unknown-net", Error, Provider, "sandboxd does not know the network lane";
    UNKNOWN_SIZE = "SB406", "unknown-size", Error, Provider, "sandboxd does not know the size class";
    TEMPLATE_IMAGE_MISMATCH = "SB407", "template-image-mismatch", Warning, Provider, "The template and the container image differ";
    TTL_OVER_MAXIMUM = "SB408", "ttl-over-maximum", Warning, Running, "The lease is cut to 24 hours";
    ZERO_TTL = "SB409", "zero-ttl", Warning, Running, "A lease of 0 ends after five minutes";
    UNREAD_ANNOTATION = "SB410", "unread-annotation", Warning, Provider, "The aggregated API does not read the annotation";
    UNPROVISIONED_POOL = "SB411", "unprovisioned-pool", Warning, Provider, "No known warm pool has the template, net and size";
    // SB5xx: vk-cocoon, and backends that a user configured
    MISSING_VM_NAME = "SB501", "missing-vm-name", Error, Provider, "vk-cocoon needs the VM's name";
    UNMANAGED_WITHOUT_IDENTITY = "SB502", "unmanaged-without-identity", Error, Provider, "An unmanaged VM needs its id and address";
    INVALID_VM_NAME = "SB503", "invalid-vm-name", Error, Provider, "The cocoon command refuses the VM's name";
    UNCLASSIFIED_NODE = "SB504", "unclassified-node", Warning, Provider, "The pinned node is not of the snapshot CPU class asked for";
    INVALID_CLONE_DIRECTORY = "SB505", "invalid-clone-directory", Error, Provider, "The snapshot directory is not an absolute canonical path of its own";
    MISSING_IMAGE = "SB506", "missing-image", Error, Provider, "No image to boot and no snapshot to clone is named";
    INVALID_STORAGE = "SB507", "invalid-storage", Error, Provider, "The disk size is no size, or too small";
    TOO_LITTLE_MEMORY = "SB508", "too-little-memory", Error, Provider, "The VM gets less memory than the cocoon command allows";
    FIRECRACKER_CONFLICT = "SB509", "firecracker-conflict", Error, Provider, "Firecracker cannot do what else is asked for";
    UNKNOWN_MODE = "SB510", "unknown-mode", Warning, Provider, "An unknown mode is taken for clone";
    UNKNOWN_OS = "SB511", "unknown-os", Warning, Provider, "An unknown guest OS is taken for linux";
    UNKNOWN_HYPERVISOR = "SB512", "unknown-hypervisor", Warning, Provider, "An unknown hypervisor is taken for cloud-hypervisor or fails the clone";
    INEXACT_BOOLEAN = "SB513", "inexact-boolean", Warning, Provider, "Only the exact text true is true";
    INVALID_PROBE_PORT = "SB514", "invalid-probe-port", Error, Running, "The probe port is no port, so the Pod is never Ready";
    IGNORED_SETTING = "SB515", "ignored-setting", Warning, Provider, "A setting has no effect beside another one";
    UNKNOWN_SNAPSHOT_POLICY = "SB516", "unknown-snapshot-policy", Warning, Running, "An unknown snapshot policy is taken for always";
    SNAPSHOT_ON_DELETE = "SB517", "snapshot-on-delete", Note, Running, "A throwaway VM is snapshot and pushed when its Sandbox ends";
    UNKNOWN_CONNECTION = "SB518", "unknown-connection", Warning, Running, "No client knows the connection type";
    UNCLONABLE_IMAGE = "SB519", "unclonable-image", Warning, Provider, "The image is not what mode clone can name";
    PRESET_VM_IDENTITY = "SB520", "preset-vm-identity", Error, Running, "The author sets the id or address of a managed VM";
    HIBERNATE_AT_CREATE = "SB521", "hibernate-at-create", Warning, Running, "The VM hibernates at the first edit";
    INVALID_VM_IP = "SB522", "invalid-vm-ip", Error, Provider, "The address of an unmanaged VM is no IP address";
    WINDOWS_LINUX_IMAGE = "SB523", "windows-linux-image", Warning, Provider, "A Windows guest is to boot an image of a Linux distribution";
    MISSING_ANNOTATION = "SB590", "missing-annotation", Error, Provider, "A configured backend's required annotation is missing";
    REFUSED_ANNOTATION = "SB591", "refused-annotation", Error, Provider, "A configured backend does not take the annotation's value";
    PRESET_ANNOTATION = "SB592", "preset-annotation", Warning, Running, "The author sets what the provider or an operator writes";
    IGNORED_FIELDS = "SB593", "ignored-fields", Note, Provider, "Fields of the Pod that the provider does not act on";
    UNRETRIED_FAILURE = "SB594", "unretried-failure", Note, Provider, "Under restartPolicy Never the first CreatePod failure is final";
    REFUSED_POD = "SB595", "refused-pod", Error, Provider, "A check of a configured backend refuses the Pod";
    // SB6xx: across resources
    UNKNOWN_TEMPLATE = "SB601", "unknown-template", Error, Reconcile, "A warm pool names a SandboxTemplate that is not there";
    UNKNOWN_POOL = "SB602", "unknown-pool", Error, Reconcile, "A claim names a SandboxWarmPool that is not there";
    SHARED_VM_NAME = "SB603", "shared-vm-name", Error, Provider, "Two Sandboxes name one VM, so the second adopts the first one's";
    VM_NAME_IN_TEMPLATE = "SB604", "vm-name-in-template", Warning, Provider, "A SandboxTemplate gives every Sandbox the same VM name";
    DUPLICATE_OBJECT = "SB605", "duplicate-object", Warning, Admission, "Two objects of one kind and name, so the later replaces the earlier";
    CLAIM_METADATA_REFUSED = "SB606", "claim-metadata-refused", Error, Reconcile, "The claim controller refuses a key of additionalPodMetadata";
    CLAIM_METADATA_CONFLICT = "SB607", "claim-metadata-conflict", Error, Reconcile, "A claim sets a key to another value than its template";
    CLAIM_ENV_REFUSED = "SB608", "claim-env-refused", Error, Reconcile, "The template's policy refuses the claim's variables";
    CLAIM_VOLUMES_REFUSED = "SB609", "claim-volumes-refused", Error, Reconcile, "The template's policy refuses the claim's volumes";
    LATE_ANNOTATION = "SB610", "late-annotation", Warning, Provider, "A claim's annotation reaches a warm Sandbox too late";
    ENV_NEVER_ARRIVES = "SB611", "env-never-arrives", Warning, Running, "A claim's variables never reach a microVM's guest";
    EMPTY_POOL = "SB612", "empty-pool", Note, Reconcile, "A warm pool keeps nothing warm";
    POOL_OUTGROWS_NODES = "SB613", "pool-outgrows-nodes", Warning, Scheduling, "More members than nodes under required anti-affinity";
    UNSPREAD_POOL = "SB614", "unspread-pool", Note, Scheduling, "Nothing spreads a pool's Pods over the vk-sandbox nodes";
    LEASE_IN_POOL = "SB615", "lease-in-pool", Warning, Running, "A pool's members use up their lease while they wait";
    NEVER_RESTART_IN_POOL = "SB616", "never-restart-in-pool", Warning, Provider, "A pool member that fails once is Failed for good";
    HANDLER_AS_CLASS = "SB617", "handler-as-class", Error, PodCreate, "runtimeClassName is the handler of a RuntimeClass, not its name";
    POD_OF_SAME_NAME = "SB618", "pod-of-same-name", Warning, Reconcile, "A Pod of its own has the Sandbox's name";
    ENV_FROM_REFUSES_CLAIMS = "SB619", "env-from-refuses-claims", Warning, Reconcile, "The template's policy Allowed refuses claims' variables beside envFrom";
    COLD_CLAIM = "SB620", "cold-claim", Note, Reconcile, "A claim's variables or volumes keep it from the warm Sandboxes of its pool";
    VAST_POOL = "SB621", "vast-pool", Warning, Scheduling, "A warm pool asks for more Sandboxes than nearly any cluster runs";
    PODS_EXCEED_QUOTA = "SB640", "pods-exceed-quota", Error, PodCreate, "The Pods of the files together are more than a ResourceQuota allows";
    // SB7xx: running, advice; misplaced and misspelt keys
    NO_RUNTIME_CLASS = "SB701", "no-runtime-class", Note, Running, "An ordinary container is not isolated without a RuntimeClass";
    RUNTIME_CLASS_UNREAD = "SB702", "runtime-class-unread", Warning, Running, "The provider of a virtual node does not read runtimeClassName";
    MANAGED_NETWORK = "SB703", "managed-network", Note, Running, "A template's default network does not reach a place it names";
    TOKEN_MOUNTED = "SB704", "token-mounted", Note, Running, "A ServiceAccount token is mounted into the sandbox";
    UNMOUNTED_CLAIM = "SB705", "unmounted-claim", Warning, Running, "No container mounts a volumeClaimTemplate";
    LEASE_TOO_SHORT = "SB706", "lease-too-short", Note, Running, "The microVM's lease ends before the Sandbox's shutdownTime";
    SERVICE_NAME = "SB707", "service-name", Warning, Running, "The Sandbox's name is no name for its Service";
    BLANKET_TOLERATION = "SB708", "blanket-toleration", Note, Running, "A toleration matches every taint";
    FRACTIONAL_BYTES = "SB709", "fractional-bytes", Warning, Running, "Memory or storage counted in thousandths of a byte, or in a few bytes";
    MISPLACED_ANNOTATION = "SB710", "misplaced-annotation", Warning, Provider, "A provider's annotation stands where the provider does not look";
    MISSPELT_ANNOTATION = "SB711", "misspelt-annotation", Warning, Provider, "An annotation is nearly one that a provider reads";
    RESERVED_KEY = "SB712", "reserved-key", Warning, Reconcile, "A key of the Pod template is not copied to the Pod";
    LABEL_AS_ANNOTATION = "SB713", "label-as-annotation", Warning, Scheduling, "A node label is written as an annotation and selects nothing";
    OTHER_BACKEND = "SB714", "other-backend", Note, Provider, "Annotations of a provider that does not get the Pod";
    UNKNOWN_PORT_NAME = "SB715", "unknown-port-name", Error, Running, "A probe names a port that its container does not declare";
    UNUSED_NETWORK_POLICY = "SB716", "unused-network-policy", Warning, Running, "networkPolicy has no effect beside networkPolicyManagement Unmanaged";
    // SB8xx: house rules
    HOUSE_RULE = "SB801", "house-rule", Error, Admission, "A house rule or a ValidatingAdmissionPolicy is broken";
    UNDECIDED_HOUSE_RULE = "SB802", "undecided-house-rule", Warning, Admission, "A house rule fails to decide about a resource";
    // SB9xx: the linter's own use
    UNUSED_SUPPRESSION = "SB901", "unused-suppression", Warning, Decode, "A comment silences nothing";
    UNKNOWN_RULE_IN_SUPPRESSION = "SB902", "unknown-rule-in-suppression", Warning, Decode, "A comment names a rule that does not exist";
    UNREADABLE_SUPPRESSION = "SB904", "unreadable-suppression", Warning, Decode, "A comment for the linter cannot be read";
}

/// The rule with this code or name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code_or_name || rule.name == code_or_name)
}
