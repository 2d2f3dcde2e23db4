//! Inputs that grow in one thing each.

use sandbox_lint::report::Machine;

const SANDBOX: &str = include_str!("../../testdata/examples/sandboxd.yaml");
const BROKEN: &str = include_str!("../../testdata/examples/sandboxd-broken.yaml");
const COCOON: &str = include_str!("../../testdata/examples/vk-cocoon.yaml");
const HEAD: &str = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: s\n";
const POD: &str = "spec:\n  podTemplate:\n    spec:\n";
const CONTAINER: &str = "      containers:\n      - name: main\n        image: a:1\n";
const EXTENSION: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1\n";

/// What is measured.
#[derive(Clone, Copy)]
pub enum Task {
    Check,
    Fix,
    Baseline,
    Render(Machine),
    RenderHuman,
    RenderPredictions,
}

/// A kind of input: a file of so many parts.
pub struct Kind {
    pub name: String,
    /// Parts of the smallest file.
    pub count: usize,
    pub task: Task,
    pub make: fn(usize) -> Vec<u8>,
}

type Named = (&'static str, usize, Task, fn(usize) -> Vec<u8>);

pub const KINDS: &[Named] = &[
    ("unknown fields", 2_000, Task::Check, |count| unknown_fields(count).into_bytes()),
    ("unknown fields in one line", 2_000, Task::Check, |count| one_line(count).into_bytes()),
    ("labels", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("    k{at}: v\n"));
        format!("{HEAD}  labels:\n{entries}{POD}{CONTAINER}").into_bytes()
    }),
    ("labels of the Pod", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("        k{at}: v\n"));
        let pod = POD.replace("podTemplate:\n", &format!("podTemplate:\n    metadata:\n      labels:\n{entries}"));
        format!("{HEAD}{pod}{CONTAINER}").into_bytes()
    }),
    ("annotations of the Pod", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("        sandbox.cocoonstack.io/k{at}: v\n"));
        let pod = POD.replace("podTemplate:\n", &format!("podTemplate:\n    metadata:\n      annotations:\n{entries}"));
        format!("{HEAD}{pod}{CONTAINER}").into_bytes()
    }),
    ("nodeSelector", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("        k{at}: v\n"));
        pod(&format!("      nodeSelector:\n{entries}{CONTAINER}"))
    }),
    ("volumes with mounts", 2_000, Task::Check, |count| {
        let volumes = lines(count, |at| format!("      - name: v{at}\n        emptyDir: {{}}\n"));
        let mounts = lines(count, |at| format!("        - {{name: v{at}, mountPath: /v{at}}}\n"));
        pod(&format!("      volumes:\n{volumes}{CONTAINER}        volumeMounts:\n{mounts}"))
    }),
    ("mounts of missing volumes", 2_000, Task::Check, |count| {
        let mounts = lines(count, |at| format!("        - {{name: v{at}, mountPath: /v{at}}}\n"));
        pod(&format!("{CONTAINER}        volumeMounts:\n{mounts}"))
    }),
    ("volumeClaimTemplates", 2_000, Task::Check, |count| {
        let claims = lines(count, |at| {
            format!(
                "  - metadata: {{name: v{at}}}\n    spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}\n"
            )
        });
        let spec = POD.replace("spec:\n  pod", &format!("spec:\n  volumeClaimTemplates:\n{claims}  pod"));
        format!("{HEAD}{spec}{CONTAINER}").into_bytes()
    }),
    ("env", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("        - {{name: V{at}, value: \"$(V{})\"}}\n", at / 2));
        pod(&format!("{CONTAINER}        env:\n{entries}"))
    }),
    ("ports", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("        - {{name: p{at}, containerPort: {}}}\n", at + 1));
        pod(&format!("{CONTAINER}        ports:\n{entries}"))
    }),
    ("containers", 2_000, Task::Check, |count| {
        pod(&format!("{CONTAINER}{}", lines(count, |at| format!("      - {{name: c{at}, image: \"a:1\"}}\n"))))
    }),
    ("init containers", 2_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("      - {{name: i{at}, image: \"a:1\"}}\n"));
        pod(&format!("{CONTAINER}      initContainers:\n{entries}"))
    }),
    ("tolerations", 4_000, Task::Check, |count| {
        let entries = lines(count, |at| format!("      - {{key: k{at}, operator: Exists}}\n"));
        pod(&format!("{CONTAINER}      tolerations:\n{entries}"))
    }),
    ("affinity terms", 2_000, Task::Check, |count| {
        let terms = lines(count, |at| {
            format!("            - matchExpressions: [{{key: k{at}, operator: In, values: [a, b]}}]\n")
        });
        let required = "requiredDuringSchedulingIgnoredDuringExecution";
        pod(&format!(
            "{CONTAINER}      affinity:\n        nodeAffinity:\n          {required}:\n            nodeSelectorTerms:\n{terms}"
        ))
    }),
    ("anti-affinity terms", 2_000, Task::Check, |count| {
        let terms = lines(count, |at| {
            format!(
                "          - {{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: a{at}}}}}}}\n"
            )
        });
        let required = "requiredDuringSchedulingIgnoredDuringExecution";
        pod(&format!("{CONTAINER}      affinity:\n        podAntiAffinity:\n          {required}:\n{terms}"))
    }),
    ("spread constraints", 2_000, Task::Check, |count| {
        let entries = lines(count, |at| {
            format!("      - {{maxSkew: 1, topologyKey: k{at}, whenUnsatisfiable: DoNotSchedule}}\n")
        });
        pod(&format!("{CONTAINER}      topologySpreadConstraints:\n{entries}"))
    }),
    ("duplicate keys", 4_000, Task::Check, |count| {
        format!("{HEAD}{}{POD}{CONTAINER}", lines(count, |_| "  name: s\n".to_owned())).into_bytes()
    }),
    ("keys that are no text", 4_000, Task::Check, |count| {
        format!("{HEAD}  labels:\n{}{POD}{CONTAINER}", lines(count, |at| format!("    {at}: a\n"))).into_bytes()
    }),
    ("bytes that are no UTF-8", 4_000, Task::Check, |count| {
        let mut bytes = format!("{HEAD}  annotations:\n").into_bytes();
        for at in 0..count {
            bytes.extend(format!("    k{at}: caf").bytes().chain([0xe9, b'\n']));
        }
        bytes
    }),
    ("suppressions", 2_000, Task::Check, |count| suppressions(count)),
    ("suppressions in one block", 2_000, Task::Check, |count| {
        let comments = lines(count, |_| "  # sandbox-lint: ignore[SB001] -- not yet\n".to_owned());
        format!("{HEAD}spec:\n{comments}  unknown: 1\n").into_bytes()
    }),
    ("suppressions above one long line", 1_000, Task::Check, |count| {
        let comments = lines(count, |_| "# sandbox-lint: ignore\n".to_owned());
        format!("{HEAD}{comments}spec: {{{}}}\n", lines(count, |at| format!("unknown{at}: 1, "))).into_bytes()
    }),
    ("suppressions of a whole file", 1_000, Task::Check, |count| {
        let comments = lines(count, |_| "# sandbox-lint: ignore-file[SB001]\n".to_owned());
        (comments + &unknown_fields(count)).into_bytes()
    }),
    ("documents that kubectl cannot read", 1_000, Task::Check, |count| {
        lines(count, |at| format!("---\napiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nname{at}: [a\n"))
            .into_bytes()
    }),
    ("documents of a template language", 1_000, Task::Check, |count| {
        lines(count, |at| format!("---\nkind: Sandbox\nname{at}: {{{{ .Values.name }}}}\n")).into_bytes()
    }),
    ("braces that are no template", 4_000, Task::Check, |count| {
        let braces = lines(count, |_| "a: {{ \n".to_owned());
        format!("{HEAD}{braces}").into_bytes()
    }),
    ("items of one List", 1_000, Task::Check, |count| {
        let item = |at| {
            format!(
                "- {{apiVersion: agents.x-k8s.io/v1beta1, kind: Sandbox, metadata: {{name: s{at}}}, spec: {{x: 1}}}}\n"
            )
        };
        format!("apiVersion: v1\nkind: List\nitems:\n{}", lines(count, item)).into_bytes()
    }),
    ("duplicates of one object", 1_000, Task::Check, |count| lines(count, |_| format!("---\n{SANDBOX}")).into_bytes()),
    ("Sandboxes that share a VM name", 1_000, Task::Check, |count| {
        lines(count, |at| format!("---\n{}", COCOON.replace("-example", &format!("-{at}")))).into_bytes()
    }),
    ("pools of one template", 1_000, Task::Check, |count| {
        format!("{}{}", template(), lines(count, |at| pool(&format!("p{at}"), "t"))).into_bytes()
    }),
    ("claims of one pool", 500, Task::Check, |count| {
        format!("{}{}{}", template(), pool("p", "t"), lines(count, |at| claim(at, "p"))).into_bytes()
    }),
    ("claims of a pool that is not there", 1_000, Task::Check, |count| {
        let pools = lines(count, |at| pool(&format!("p{at}"), "u"));
        format!("{}{pools}{}", template(), lines(count, |at| claim(at, "t"))).into_bytes()
    }),
    ("ordinary Sandboxes", 2_000, Task::Check, |count| sandboxes(count).into_bytes()),
    ("broken Sandboxes", 1_000, Task::Check, |count| broken(count).into_bytes()),
    ("fixes", 1_000, Task::Fix, |count| {
        let entries = lines(count, |at| format!("        - {{name: A{at}, value: {at}}}\n"));
        pod(&format!("{CONTAINER}        env:\n{entries}"))
    }),
    ("baseline", 1_000, Task::Baseline, |count| unknown_fields(count).into_bytes()),
    ("report of findings in one line, human", 500, Task::RenderHuman, |count| one_line(count).into_bytes()),
    ("report of findings in one line, JSON", 1_000, Task::Render(Machine::Json), |count| one_line(count).into_bytes()),
    ("report of findings in UTF-16, JSON", 1_000, Task::Render(Machine::Json), |count| {
        [0xff, 0xfe].into_iter().chain(unknown_fields(count).encode_utf16().flat_map(u16::to_le_bytes)).collect()
    }),
];

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn pod(spec: &str) -> Vec<u8> {
    format!("{HEAD}{POD}{spec}").into_bytes()
}

/// A finding for each.
pub fn unknown_fields(count: usize) -> String {
    format!("{HEAD}spec:\n{}", lines(count, |at| format!("  unknown{at}: 1\n")))
}

fn one_line(count: usize) -> String {
    format!("{HEAD}spec: {{{}}}\n", lines(count, |at| format!("unknown{at}: 1, ")))
}

fn suppressions(count: usize) -> Vec<u8> {
    let entries = lines(count, |at| format!("  unknown{at}: 1 # sandbox-lint: ignore[SB001] -- not yet\n"));
    format!("{HEAD}spec:\n{entries}").into_bytes()
}

fn template() -> String {
    format!("{EXTENSION}kind: SandboxTemplate\nmetadata: {{name: t}}\n{POD}{CONTAINER}")
}

fn pool(name: &str, template: &str) -> String {
    let spec = format!("{{replicas: 1, sandboxTemplateRef: {{name: {template}}}}}");
    format!("---\n{EXTENSION}kind: SandboxWarmPool\nmetadata: {{name: {name}}}\nspec: {spec}\n")
}

fn claim(at: usize, pool: &str) -> String {
    format!("---\n{EXTENSION}kind: SandboxClaim\nmetadata: {{name: c{at}}}\nspec: {{warmPoolRef: {{name: {pool}}}}}\n")
}

/// A stream of Sandboxes without findings.
pub fn sandboxes(count: usize) -> String {
    lines(count, |at| format!("---\n{}", SANDBOX.replace("sandboxd-example", &format!("agent-{at}"))))
}

/// A stream of Sandboxes with several findings each.
pub fn broken(count: usize) -> String {
    lines(count, |at| format!("---\n{}", BROKEN.replace("name: builder", &format!("name: builder-{at}"))))
}

/// About 1 KB, as manifests of services are.
pub fn service(number: usize) -> String {
    let ports = lines(18, |at| format!("  - {{name: port-{at}, port: {}, targetPort: 80}}\n", number + at));
    format!("apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {{app: web}}\n  ports:\n{ports}")
}
