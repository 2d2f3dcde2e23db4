module completions {

  def "nu-complete sandbox-lint select" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint ignore" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint min_severity" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint fail_on" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  def "nu-complete sandbox-lint format" [] {
    [ "human" "concise" "json" "jsonl" "sarif" "github" "gitlab" "junit" "rdjson" ]
  }

  def "nu-complete sandbox-lint color" [] {
    [ "auto" "always" "never" ]
  }

  # What will happen to the Pods of Kubernetes agent sandboxes, before a manifest reaches a cluster
  export extern sandbox-lint [
    --exclude: string         # Leave out files and folders that match
    --markdown                # Check the manifests in Markdown files, too
    --no-ignore               # Look at files that .gitignore and .ignore files name, too
    --force-exclude           # Leave excluded and ignored files out even where they are named
    --stdin-filename: string  # The name that output gives to standard input, by which its configuration is found
    --limit: string           # Change a limit: file-size, documents or findings of a file
    --select: string@"nu-complete sandbox-lint select" # Only these rules: codes, names, groups such as SB3, or all
    --ignore: string@"nu-complete sandbox-lint ignore" # Not these rules; of --select and --ignore the narrower wins
    --severity: string        # Give a rule another weight
    --min-severity: string@"nu-complete sandbox-lint min_severity" # Leave out findings below note, warning or error
    --fail-on: string@"nu-complete sandbox-lint fail_on" # Exit with 1 from this weight on [default: error]
    --exit-zero               # Exit with 0 whatever is found
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --baseline: path          # Keep silent about the findings that this file lists
    --write-baseline: path    # Write the findings of now into a file
    --prune-baseline          # Take out of the baseline what was not found
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --format: string@"nu-complete sandbox-lint format" # human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable
    --output(-o): path        # Write to a file instead of standard output
    --color: string@"nu-complete sandbox-lint color" # Colours: auto, always or never
    --quiet(-q)               # Print findings only
    --statistics              # Count how often each rule spoke
    --explain-intent          # Say which backend each Pod means, and why
    --fix                     # Apply the fixes that are certain, then report what is left
    --diff                    # Print the fixes as a diff and change nothing
    --unsafe-fixes            # Also the fixes that a person should look at
    --show-settings           # Print the settings that hold for each path, and stop
    --show-files              # Print which files would be checked, and why others are not, and stop
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...paths: path            # Files and folders; `-` is standard input [default: .]
  ]

  def "nu-complete sandbox-lint check select" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint check ignore" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint check min_severity" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint check fail_on" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint check profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  def "nu-complete sandbox-lint check format" [] {
    [ "human" "concise" "json" "jsonl" "sarif" "github" "gitlab" "junit" "rdjson" ]
  }

  def "nu-complete sandbox-lint check color" [] {
    [ "auto" "always" "never" ]
  }

  # Find what is wrong in manifests (the default command)
  export extern "sandbox-lint check" [
    --exclude: string         # Leave out files and folders that match
    --markdown                # Check the manifests in Markdown files, too
    --no-ignore               # Look at files that .gitignore and .ignore files name, too
    --force-exclude           # Leave excluded and ignored files out even where they are named
    --stdin-filename: string  # The name that output gives to standard input, by which its configuration is found
    --limit: string           # Change a limit: file-size, documents or findings of a file
    --select: string@"nu-complete sandbox-lint check select" # Only these rules: codes, names, groups such as SB3, or all
    --ignore: string@"nu-complete sandbox-lint check ignore" # Not these rules; of --select and --ignore the narrower wins
    --severity: string        # Give a rule another weight
    --min-severity: string@"nu-complete sandbox-lint check min_severity" # Leave out findings below note, warning or error
    --fail-on: string@"nu-complete sandbox-lint check fail_on" # Exit with 1 from this weight on [default: error]
    --exit-zero               # Exit with 0 whatever is found
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --baseline: path          # Keep silent about the findings that this file lists
    --write-baseline: path    # Write the findings of now into a file
    --prune-baseline          # Take out of the baseline what was not found
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint check profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --format: string@"nu-complete sandbox-lint check format" # human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable
    --output(-o): path        # Write to a file instead of standard output
    --color: string@"nu-complete sandbox-lint check color" # Colours: auto, always or never
    --quiet(-q)               # Print findings only
    --statistics              # Count how often each rule spoke
    --explain-intent          # Say which backend each Pod means, and why
    --fix                     # Apply the fixes that are certain, then report what is left
    --diff                    # Print the fixes as a diff and change nothing
    --unsafe-fixes            # Also the fixes that a person should look at
    --show-settings           # Print the settings that hold for each path, and stop
    --show-files              # Print which files would be checked, and why others are not, and stop
    --help(-h)                # Print help (see more with '--help')
    ...paths: path            # Files and folders; `-` is standard input [default: .]
  ]

  def "nu-complete sandbox-lint predict profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  def "nu-complete sandbox-lint predict format" [] {
    [ "human" "json" ]
  }

  def "nu-complete sandbox-lint predict color" [] {
    [ "auto" "always" "never" ]
  }

  # Show how far the Pod of each resource comes, and what kubectl will show
  export extern "sandbox-lint predict" [
    --exclude: string         # Leave out files and folders that match
    --markdown                # Check the manifests in Markdown files, too
    --no-ignore               # Look at files that .gitignore and .ignore files name, too
    --force-exclude           # Leave excluded and ignored files out even where they are named
    --stdin-filename: string  # The name that output gives to standard input, by which its configuration is found
    --limit: string           # Change a limit: file-size, documents or findings of a file
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint predict profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --format: string@"nu-complete sandbox-lint predict format" # The format
    --color: string@"nu-complete sandbox-lint predict color" # Colours: auto, always or never
    --help(-h)                # Print help (see more with '--help')
    ...paths: path            # Files and folders; `-` is standard input [default: .]
  ]

  def "nu-complete sandbox-lint why profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  def "nu-complete sandbox-lint why format" [] {
    [ "human" "json" ]
  }

  # Explain live objects that do not come up
  export extern "sandbox-lint why" [
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint why profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --format: string@"nu-complete sandbox-lint why format" # The format
    --help(-h)                # Print help (see more with '--help')
    ...files: path            # Files with what kubectl get prints; `-` is standard input [default: -]
  ]

  # Print what kubectl would read, one JSON value a line
  export extern "sandbox-lint decode" [
    --objects                 # Add kubectl's object layer: Lists expanded, `kind` required
    --help(-h)                # Print help
    path?: path               # A file, or `-` for standard input
  ]

  def "nu-complete sandbox-lint explain rule" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  # Print the page of a rule
  export extern "sandbox-lint explain" [
    --help(-h)                # Print help
    rule: string@"nu-complete sandbox-lint explain rule" # The code or name of a rule
  ]

  def "nu-complete sandbox-lint rules format" [] {
    [ "human" "json" "markdown" ]
  }

  # List all rules
  export extern "sandbox-lint rules" [
    --format: string@"nu-complete sandbox-lint rules format" # The format
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete sandbox-lint contract format" [] {
    [ "human" "json" ]
  }

  # Print the contract between Pod templates and backends
  export extern "sandbox-lint contract" [
    --config: path            # With what this configuration adds, instead of the nearest .sandbox-lint.yaml above the current folder
    --isolated                # Without what any configuration adds
    --provider-pack: path     # A file that describes a further backend; repeatable
    --format: string@"nu-complete sandbox-lint contract format" # The format
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete sandbox-lint new kind" [] {
    [ "sandbox" "template" "pool" "claim" ]
  }

  def "nu-complete sandbox-lint new backend" [] {
    [ "kubelet" "sandboxd" "vk-cocoon" ]
  }

  # Print a manifest to start from
  export extern "sandbox-lint new" [
    --backend: string@"nu-complete sandbox-lint new backend" # What is to serve the Pods: kubelet, sandboxd (vk-sandbox), vk-cocoon, or a backend of the configuration
    --name: string            # The name of the resource [default: example]
    --image: string           # The image that the Pods run, or the pool's template [default: the backend's example]
    --annotation: string      # An annotation of the backend; repeatable
    --defaults                # Ask nothing at a terminal; what is not given has its default
    --output(-o): path        # Write to a file instead of standard output
    --force                   # Replace a file that is there
    --config: path            # With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder
    --isolated                # Without what any configuration adds
    --provider-pack: path     # A file that describes a further backend; repeatable
    --help(-h)                # Print help (see more with '--help')
    kind?: string@"nu-complete sandbox-lint new kind" # The kind
  ]

  # Write a configuration file to start from
  export extern "sandbox-lint init" [
    --force                   # Replace a file that is there
    --help(-h)                # Print help
    folder?: directory        # The folder
  ]

  # Try policies on manifests
  export extern "sandbox-lint policy" [
    --help(-h)                # Print help
  ]

  def "nu-complete sandbox-lint policy test profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  # Run rules on the good and bad manifests of a folder
  export extern "sandbox-lint policy test" [
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint policy test profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --help(-h)                # Print help (see more with '--help')
    folder: directory         # The folder
  ]

  def "nu-complete sandbox-lint lsp select" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint lsp ignore" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint lsp min_severity" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint lsp fail_on" [] {
    [ "note" "warning" "error" ]
  }

  def "nu-complete sandbox-lint lsp profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  # Serve an editor over standard input and output (Language Server Protocol)
  export extern "sandbox-lint lsp" [
    --select: string@"nu-complete sandbox-lint lsp select" # Only these rules: codes, names, groups such as SB3, or all
    --ignore: string@"nu-complete sandbox-lint lsp ignore" # Not these rules; of --select and --ignore the narrower wins
    --severity: string        # Give a rule another weight
    --min-severity: string@"nu-complete sandbox-lint lsp min_severity" # Leave out findings below note, warning or error
    --fail-on: string@"nu-complete sandbox-lint lsp fail_on" # Exit with 1 from this weight on [default: error]
    --exit-zero               # Exit with 0 whatever is found
    --config: path            # Use this configuration for all files
    --isolated                # Use no configuration at all
    --policy: path            # House rules and ValidatingAdmissionPolicies: a file or folder
    --provider-pack: path     # A file that describes a further backend; repeatable
    --cluster: path           # A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    --no-cluster-files        # Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    --profile: string@"nu-complete sandbox-lint lsp profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --stdio                   # Nothing else is possible; editors pass it
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete sandbox-lint admission backend" [] {
    [ "kubelet" "sandboxd" "vk-cocoon" ]
  }

  def "nu-complete sandbox-lint admission select" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint admission ignore" [] {
    [ "SB001" "SB002" "SB003" "SB004" "SB010" "SB011" "SB012" "SB013" "SB014" "SB015" "SB016" "SB017" "SB101" "SB102" "SB103" "SB104" "SB105" "SB106" "SB107" "SB108" "SB109" "SB110" "SB111" "SB112" "SB113" "SB114" "SB201" "SB202" "SB203" "SB204" "SB210" "SB211" "SB212" "SB213" "SB214" "SB215" "SB216" "SB217" "SB218" "SB219" "SB220" "SB221" "SB222" "SB223" "SB224" "SB225" "SB226" "SB227" "SB228" "SB229" "SB260" "SB301" "SB302" "SB303" "SB304" "SB305" "SB306" "SB307" "SB308" "SB309" "SB310" "SB311" "SB312" "SB313" "SB314" "SB320" "SB321" "SB322" "SB330" "SB331" "SB332" "SB340" "SB341" "SB342" "SB360" "SB361" "SB362" "SB363" "SB364" "SB365" "SB366" "SB380" "SB401" "SB402" "SB403" "SB404" "SB405" "SB406" "SB407" "SB408" "SB409" "SB410" "SB411" "SB501" "SB502" "SB503" "SB504" "SB505" "SB506" "SB507" "SB508" "SB509" "SB510" "SB511" "SB512" "SB513" "SB514" "SB515" "SB516" "SB517" "SB518" "SB519" "SB520" "SB521" "SB522" "SB523" "SB590" "SB591" "SB592" "SB593" "SB594" "SB595" "SB601" "SB602" "SB603" "SB604" "SB605" "SB606" "SB607" "SB608" "SB609" "SB610" "SB611" "SB612" "SB613" "SB614" "SB615" "SB616" "SB617" "SB618" "SB619" "SB620" "SB621" "SB640" "SB701" "SB702" "SB703" "SB704" "SB705" "SB706" "SB707" "SB708" "SB709" "SB710" "SB711" "SB712" "SB713" "SB714" "SB715" "SB716" "SB801" "SB802" "SB901" "SB902" "SB904" "syntax-error" "invalid-separator" "not-an-object" "unidentified-object" "duplicate-key" "text-never-read" "merge-overwrites-key" "invalid-utf8" "colliding-keys" "folded-list-item" "json-like-file" "converted-key" "unknown-kind" "deprecated-version" "unknown-field" "missing-field" "wrong-type" "unsupported-value" "non-string-value" "out-of-range" "invalid-time" "invalid-quantity" "duplicate-entry" "invalid-name" "invalid-metadata" "dropped-null" "unreadable-value" "endless-quantity" "suspended" "expired" "invalid-toleration" "invalid-node-selector" "invalid-affinity" "invalid-spread-constraint" "invalid-container" "invalid-env" "invalid-volume" "invalid-mount" "invalid-resources" "invalid-probe" "invalid-pod-metadata" "invalid-pod-field" "invalid-image" "invalid-security-context" "refused-by-plugin" "violates-pod-security" "pod-security-warning" "out-of-limit-range" "quota-needs-resources" "exceeds-quota" "webhook-denial" "no-matching-node" "missing-toleration" "toleration-mismatch" "misspelt-selector" "missing-selector" "open-placement" "conflicting-selectors" "absent-node-label" "no-node-label" "excluded-node" "dead-term" "pinned-node" "unknown-scheduler" "scheduling-gates" "insufficient-resources" "host-port" "no-free-node" "missing-topology-label" "spread-counts-others" "unmet-pod-affinity" "refused-claim" "missing-claim" "claim-on-virtual-node" "unresolved-field-ref" "missing-env-source" "missing-env-key" "skipped-env-names" "missing-volume-source" "invalid-image-name" "missing-volume-key" "scratch-image" "refused-runtime" "missing-template" "padded-template" "invalid-ttl" "unknown-net" "unknown-size" "template-image-mismatch" "ttl-over-maximum" "zero-ttl" "unread-annotation" "unprovisioned-pool" "missing-vm-name" "unmanaged-without-identity" "invalid-vm-name" "unclassified-node" "invalid-clone-directory" "missing-image" "invalid-storage" "too-little-memory" "firecracker-conflict" "unknown-mode" "unknown-os" "unknown-hypervisor" "inexact-boolean" "invalid-probe-port" "ignored-setting" "unknown-snapshot-policy" "snapshot-on-delete" "unknown-connection" "unclonable-image" "preset-vm-identity" "hibernate-at-create" "invalid-vm-ip" "windows-linux-image" "missing-annotation" "refused-annotation" "preset-annotation" "ignored-fields" "unretried-failure" "refused-pod" "unknown-template" "unknown-pool" "shared-vm-name" "vm-name-in-template" "duplicate-object" "claim-metadata-refused" "claim-metadata-conflict" "claim-env-refused" "claim-volumes-refused" "late-annotation" "env-never-arrives" "empty-pool" "pool-outgrows-nodes" "unspread-pool" "lease-in-pool" "never-restart-in-pool" "handler-as-class" "pod-of-same-name" "env-from-refuses-claims" "cold-claim" "vast-pool" "pods-exceed-quota" "no-runtime-class" "runtime-class-unread" "managed-network" "token-mounted" "unmounted-claim" "lease-too-short" "service-name" "blanket-toleration" "fractional-bytes" "misplaced-annotation" "misspelt-annotation" "reserved-key" "label-as-annotation" "other-backend" "unknown-port-name" "unused-network-policy" "house-rule" "undecided-house-rule" "unused-suppression" "unknown-rule-in-suppression" "unreadable-suppression" ]
  }

  def "nu-complete sandbox-lint admission profile" [] {
    [ "cocoon-webhook" "aggregated-api" ]
  }

  def "nu-complete sandbox-lint admission validation_actions" [] {
    [ "Deny" "Warn" "Audit" ]
  }

  def "nu-complete sandbox-lint admission failure_policy" [] {
    [ "Fail" "Ignore" ]
  }

  def "nu-complete sandbox-lint admission format" [] {
    [ "yaml" "json" ]
  }

  # Print admission policies that refuse in a cluster what the contract rules out
  export extern "sandbox-lint admission" [
    --backend: string@"nu-complete sandbox-lint admission backend" # Only these backends [default: all with nodes of their own]
    --select: string@"nu-complete sandbox-lint admission select" # Only these rules: codes, names, groups such as SB4, or all
    --ignore: string@"nu-complete sandbox-lint admission ignore" # Not these rules; of --select and --ignore the narrower wins
    --profile: string@"nu-complete sandbox-lint admission profile" # What else runs there: cocoon-webhook, aggregated-api
    --agent-sandbox-version: string # The agent-sandbox release, such as 1.0
    --kube-version: string    # The Kubernetes release, such as 1.36
    --validation-actions: string@"nu-complete sandbox-lint admission validation_actions" # What happens to an object that is certain to fail; what is no more than a warning is never denied
    --failure-policy: string@"nu-complete sandbox-lint admission failure_policy" # What happens where an expression fails
    --namespace-selector: string # Only in namespaces with this label, such as sandboxes=checked
    --name-prefix: string     # What names of the objects begin with
    --mutating                # Add MutatingAdmissionPolicies that fill in nodeSelector and toleration (Kubernetes 1.32 or later)
    --format: string@"nu-complete sandbox-lint admission format" # The format
    --config: path            # With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder
    --isolated                # Without what any configuration adds
    --help(-h)                # Print help (see more with '--help')
  ]

  def "nu-complete sandbox-lint schema of" [] {
    [ "config" "output" "sandbox" "sandboxtemplate" "sandboxwarmpool" "sandboxclaim" "all" ]
  }

  # Print a JSON Schema
  export extern "sandbox-lint schema" [
    --agent-sandbox-version: string # The agent-sandbox release that manifests are for, such as 1.0
    --help(-h)                # Print help (see more with '--help')
    of: string@"nu-complete sandbox-lint schema of" # What it describes
  ]

  def "nu-complete sandbox-lint completions shell" [] {
    [ "bash" "elvish" "fish" "nushell" "powershell" "zsh" ]
  }

  # Print a completion script for a shell
  export extern "sandbox-lint completions" [
    --help(-h)                # Print help (see more with '--help')
    shell: string@"nu-complete sandbox-lint completions shell" # The shell
  ]

  # Write the manual pages into a folder
  export extern "sandbox-lint man" [
    --help(-h)                # Print help
    folder: directory         # The folder
  ]

}

export use completions *
