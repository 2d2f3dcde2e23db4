
use builtin;
use str;

set edit:completion:arg-completer[sandbox-lint] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'sandbox-lint'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'sandbox-lint'= {
            cand --exclude 'Leave out files and folders that match'
            cand --stdin-filename 'The name that output gives to standard input, by which its configuration is found'
            cand --limit 'Change a limit: file-size, documents or findings of a file'
            cand --select 'Only these rules: codes, names, groups such as SB3, or all'
            cand --ignore 'Not these rules; of --select and --ignore the narrower wins'
            cand --severity 'Give a rule another weight'
            cand --min-severity 'Leave out findings below note, warning or error'
            cand --fail-on 'Exit with 1 from this weight on [default: error]'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --baseline 'Keep silent about the findings that this file lists'
            cand --write-baseline 'Write the findings of now into a file'
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --format 'human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable'
            cand -o 'Write to a file instead of standard output'
            cand --output 'Write to a file instead of standard output'
            cand --color 'Colours: auto, always or never'
            cand --markdown 'Check the manifests in Markdown files, too'
            cand --no-ignore 'Look at files that .gitignore and .ignore files name, too'
            cand --force-exclude 'Leave excluded and ignored files out even where they are named'
            cand --exit-zero 'Exit with 0 whatever is found'
            cand --isolated 'Use no configuration at all'
            cand --prune-baseline 'Take out of the baseline what was not found'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand -q 'Print findings only'
            cand --quiet 'Print findings only'
            cand --statistics 'Count how often each rule spoke'
            cand --explain-intent 'Say which backend each Pod means, and why'
            cand --fix 'Apply the fixes that are certain, then report what is left'
            cand --diff 'Print the fixes as a diff and change nothing'
            cand --unsafe-fixes 'Also the fixes that a person should look at'
            cand --show-settings 'Print the settings that hold for each path, and stop'
            cand --show-files 'Print which files would be checked, and why others are not, and stop'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Find what is wrong in manifests (the default command)'
            cand predict 'Show how far the Pod of each resource comes, and what kubectl will show'
            cand why 'Explain live objects that do not come up'
            cand decode 'Print what kubectl would read, one JSON value a line'
            cand explain 'Print the page of a rule'
            cand rules 'List all rules'
            cand contract 'Print the contract between Pod templates and backends'
            cand new 'Print a manifest to start from'
            cand init 'Write a configuration file to start from'
            cand policy 'Try policies on manifests'
            cand lsp 'Serve an editor over standard input and output (Language Server Protocol)'
            cand admission 'Print admission policies that refuse in a cluster what the contract rules out'
            cand schema 'Print a JSON Schema'
            cand completions 'Print a completion script for a shell'
            cand man 'Write the manual pages into a folder'
        }
        &'sandbox-lint;check'= {
            cand --exclude 'Leave out files and folders that match'
            cand --stdin-filename 'The name that output gives to standard input, by which its configuration is found'
            cand --limit 'Change a limit: file-size, documents or findings of a file'
            cand --select 'Only these rules: codes, names, groups such as SB3, or all'
            cand --ignore 'Not these rules; of --select and --ignore the narrower wins'
            cand --severity 'Give a rule another weight'
            cand --min-severity 'Leave out findings below note, warning or error'
            cand --fail-on 'Exit with 1 from this weight on [default: error]'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --baseline 'Keep silent about the findings that this file lists'
            cand --write-baseline 'Write the findings of now into a file'
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --format 'human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable'
            cand -o 'Write to a file instead of standard output'
            cand --output 'Write to a file instead of standard output'
            cand --color 'Colours: auto, always or never'
            cand --markdown 'Check the manifests in Markdown files, too'
            cand --no-ignore 'Look at files that .gitignore and .ignore files name, too'
            cand --force-exclude 'Leave excluded and ignored files out even where they are named'
            cand --exit-zero 'Exit with 0 whatever is found'
            cand --isolated 'Use no configuration at all'
            cand --prune-baseline 'Take out of the baseline what was not found'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand -q 'Print findings only'
            cand --quiet 'Print findings only'
            cand --statistics 'Count how often each rule spoke'
            cand --explain-intent 'Say which backend each Pod means, and why'
            cand --fix 'Apply the fixes that are certain, then report what is left'
            cand --diff 'Print the fixes as a diff and change nothing'
            cand --unsafe-fixes 'Also the fixes that a person should look at'
            cand --show-settings 'Print the settings that hold for each path, and stop'
            cand --show-files 'Print which files would be checked, and why others are not, and stop'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;predict'= {
            cand --exclude 'Leave out files and folders that match'
            cand --stdin-filename 'The name that output gives to standard input, by which its configuration is found'
            cand --limit 'Change a limit: file-size, documents or findings of a file'
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --format 'The format'
            cand --color 'Colours: auto, always or never'
            cand --markdown 'Check the manifests in Markdown files, too'
            cand --no-ignore 'Look at files that .gitignore and .ignore files name, too'
            cand --force-exclude 'Leave excluded and ignored files out even where they are named'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand --isolated 'Use no configuration at all'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;why'= {
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --format 'The format'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand --isolated 'Use no configuration at all'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;decode'= {
            cand --objects 'Add kubectl''s object layer: Lists expanded, `kind` required'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sandbox-lint;explain'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sandbox-lint;rules'= {
            cand --format 'The format'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;contract'= {
            cand --config 'With what this configuration adds, instead of the nearest .sandbox-lint.yaml above the current folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --format 'The format'
            cand --isolated 'Without what any configuration adds'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;new'= {
            cand --backend 'What is to serve the Pods: kubelet, sandboxd (vk-sandbox), vk-cocoon, or a backend of the configuration'
            cand --name 'The name of the resource [default: example]'
            cand --image 'The image that the Pods run, or the pool''s template [default: the backend''s example]'
            cand --annotation 'An annotation of the backend; repeatable'
            cand -o 'Write to a file instead of standard output'
            cand --output 'Write to a file instead of standard output'
            cand --config 'With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --defaults 'Ask nothing at a terminal; what is not given has its default'
            cand --force 'Replace a file that is there'
            cand --isolated 'Without what any configuration adds'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;init'= {
            cand --force 'Replace a file that is there'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'sandbox-lint;policy'= {
            cand -h 'Print help'
            cand --help 'Print help'
            cand test 'Run rules on the good and bad manifests of a folder'
        }
        &'sandbox-lint;policy;test'= {
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand --isolated 'Use no configuration at all'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;lsp'= {
            cand --select 'Only these rules: codes, names, groups such as SB3, or all'
            cand --ignore 'Not these rules; of --select and --ignore the narrower wins'
            cand --severity 'Give a rule another weight'
            cand --min-severity 'Leave out findings below note, warning or error'
            cand --fail-on 'Exit with 1 from this weight on [default: error]'
            cand --config 'Use this configuration for all files'
            cand --policy 'House rules and ValidatingAdmissionPolicies: a file or folder'
            cand --provider-pack 'A file that describes a further backend; repeatable'
            cand --cluster 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --exit-zero 'Exit with 0 whatever is found'
            cand --isolated 'Use no configuration at all'
            cand --no-cluster-files 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked'
            cand --stdio 'Nothing else is possible; editors pass it'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;admission'= {
            cand --backend 'Only these backends [default: all with nodes of their own]'
            cand --select 'Only these rules: codes, names, groups such as SB4, or all'
            cand --ignore 'Not these rules; of --select and --ignore the narrower wins'
            cand --profile 'What else runs there: cocoon-webhook, aggregated-api'
            cand --agent-sandbox-version 'The agent-sandbox release, such as 1.0'
            cand --kube-version 'The Kubernetes release, such as 1.36'
            cand --validation-actions 'What happens to an object that is certain to fail; what is no more than a warning is never denied'
            cand --failure-policy 'What happens where an expression fails'
            cand --namespace-selector 'Only in namespaces with this label, such as sandboxes=checked'
            cand --name-prefix 'What names of the objects begin with'
            cand --format 'The format'
            cand --config 'With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder'
            cand --mutating 'Add MutatingAdmissionPolicies that fill in nodeSelector and toleration (Kubernetes 1.32 or later)'
            cand --isolated 'Without what any configuration adds'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;schema'= {
            cand --agent-sandbox-version 'The agent-sandbox release that manifests are for, such as 1.0'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;completions'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'sandbox-lint;man'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
    ]
    $completions[$command]
}
