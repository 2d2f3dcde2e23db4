
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'sandbox-lint' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'sandbox-lint'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'sandbox-lint' {
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files and folders that match')
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'The name that output gives to standard input, by which its configuration is found')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Change a limit: file-size, documents or findings of a file')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Only these rules: codes, names, groups such as SB3, or all')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Not these rules; of --select and --ignore the narrower wins')
            [CompletionResult]::new('--severity', '--severity', [CompletionResultType]::ParameterName, 'Give a rule another weight')
            [CompletionResult]::new('--min-severity', '--min-severity', [CompletionResultType]::ParameterName, 'Leave out findings below note, warning or error')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 from this weight on [default: error]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Keep silent about the findings that this file lists')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write the findings of now into a file')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, always or never')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Check the manifests in Markdown files, too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Look at files that .gitignore and .ignore files name, too')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave excluded and ignored files out even where they are named')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit with 0 whatever is found')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('--prune-baseline', '--prune-baseline', [CompletionResultType]::ParameterName, 'Take out of the baseline what was not found')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print findings only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print findings only')
            [CompletionResult]::new('--statistics', '--statistics', [CompletionResultType]::ParameterName, 'Count how often each rule spoke')
            [CompletionResult]::new('--explain-intent', '--explain-intent', [CompletionResultType]::ParameterName, 'Say which backend each Pod means, and why')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply the fixes that are certain, then report what is left')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print the fixes as a diff and change nothing')
            [CompletionResult]::new('--unsafe-fixes', '--unsafe-fixes', [CompletionResultType]::ParameterName, 'Also the fixes that a person should look at')
            [CompletionResult]::new('--show-settings', '--show-settings', [CompletionResultType]::ParameterName, 'Print the settings that hold for each path, and stop')
            [CompletionResult]::new('--show-files', '--show-files', [CompletionResultType]::ParameterName, 'Print which files would be checked, and why others are not, and stop')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find what is wrong in manifests (the default command)')
            [CompletionResult]::new('predict', 'predict', [CompletionResultType]::ParameterValue, 'Show how far the Pod of each resource comes, and what kubectl will show')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Explain live objects that do not come up')
            [CompletionResult]::new('decode', 'decode', [CompletionResultType]::ParameterValue, 'Print what kubectl would read, one JSON value a line')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Print the page of a rule')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List all rules')
            [CompletionResult]::new('contract', 'contract', [CompletionResultType]::ParameterValue, 'Print the contract between Pod templates and backends')
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Print a manifest to start from')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write a configuration file to start from')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Try policies on manifests')
            [CompletionResult]::new('lsp', 'lsp', [CompletionResultType]::ParameterValue, 'Serve an editor over standard input and output (Language Server Protocol)')
            [CompletionResult]::new('admission', 'admission', [CompletionResultType]::ParameterValue, 'Print admission policies that refuse in a cluster what the contract rules out')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print a JSON Schema')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a folder')
            break
        }
        'sandbox-lint;check' {
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files and folders that match')
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'The name that output gives to standard input, by which its configuration is found')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Change a limit: file-size, documents or findings of a file')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Only these rules: codes, names, groups such as SB3, or all')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Not these rules; of --select and --ignore the narrower wins')
            [CompletionResult]::new('--severity', '--severity', [CompletionResultType]::ParameterName, 'Give a rule another weight')
            [CompletionResult]::new('--min-severity', '--min-severity', [CompletionResultType]::ParameterName, 'Leave out findings below note, warning or error')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 from this weight on [default: error]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Keep silent about the findings that this file lists')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write the findings of now into a file')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, always or never')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Check the manifests in Markdown files, too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Look at files that .gitignore and .ignore files name, too')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave excluded and ignored files out even where they are named')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit with 0 whatever is found')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('--prune-baseline', '--prune-baseline', [CompletionResultType]::ParameterName, 'Take out of the baseline what was not found')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print findings only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print findings only')
            [CompletionResult]::new('--statistics', '--statistics', [CompletionResultType]::ParameterName, 'Count how often each rule spoke')
            [CompletionResult]::new('--explain-intent', '--explain-intent', [CompletionResultType]::ParameterName, 'Say which backend each Pod means, and why')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply the fixes that are certain, then report what is left')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print the fixes as a diff and change nothing')
            [CompletionResult]::new('--unsafe-fixes', '--unsafe-fixes', [CompletionResultType]::ParameterName, 'Also the fixes that a person should look at')
            [CompletionResult]::new('--show-settings', '--show-settings', [CompletionResultType]::ParameterName, 'Print the settings that hold for each path, and stop')
            [CompletionResult]::new('--show-files', '--show-files', [CompletionResultType]::ParameterName, 'Print which files would be checked, and why others are not, and stop')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;predict' {
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files and folders that match')
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'The name that output gives to standard input, by which its configuration is found')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Change a limit: file-size, documents or findings of a file')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, always or never')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Check the manifests in Markdown files, too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Look at files that .gitignore and .ignore files name, too')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave excluded and ignored files out even where they are named')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;why' {
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;decode' {
            [CompletionResult]::new('--objects', '--objects', [CompletionResultType]::ParameterName, 'Add kubectl''s object layer: Lists expanded, `kind` required')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sandbox-lint;explain' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sandbox-lint;rules' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;contract' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'With what this configuration adds, instead of the nearest .sandbox-lint.yaml above the current folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Without what any configuration adds')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;new' {
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'What is to serve the Pods: kubelet, sandboxd (vk-sandbox), vk-cocoon, or a backend of the configuration')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of the resource [default: example]')
            [CompletionResult]::new('--image', '--image', [CompletionResultType]::ParameterName, 'The image that the Pods run, or the pool''s template [default: the backend''s example]')
            [CompletionResult]::new('--annotation', '--annotation', [CompletionResultType]::ParameterName, 'An annotation of the backend; repeatable')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to a file instead of standard output')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--defaults', '--defaults', [CompletionResultType]::ParameterName, 'Ask nothing at a terminal; what is not given has its default')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace a file that is there')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Without what any configuration adds')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;init' {
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace a file that is there')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sandbox-lint;policy' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run rules on the good and bad manifests of a folder')
            break
        }
        'sandbox-lint;policy;test' {
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;lsp' {
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Only these rules: codes, names, groups such as SB3, or all')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Not these rules; of --select and --ignore the narrower wins')
            [CompletionResult]::new('--severity', '--severity', [CompletionResultType]::ParameterName, 'Give a rule another weight')
            [CompletionResult]::new('--min-severity', '--min-severity', [CompletionResultType]::ParameterName, 'Leave out findings below note, warning or error')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 from this weight on [default: error]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this configuration for all files')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'House rules and ValidatingAdmissionPolicies: a file or folder')
            [CompletionResult]::new('--provider-pack', '--provider-pack', [CompletionResultType]::ParameterName, 'A file that describes a further backend; repeatable')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'A snapshot of your cluster: kubectl get nodes,… -A -o yaml')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit with 0 whatever is found')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Use no configuration at all')
            [CompletionResult]::new('--no-cluster-files', '--no-cluster-files', [CompletionResultType]::ParameterName, 'Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Nothing else is possible; editors pass it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;admission' {
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Only these backends [default: all with nodes of their own]')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Only these rules: codes, names, groups such as SB4, or all')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Not these rules; of --select and --ignore the narrower wins')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'What else runs there: cocoon-webhook, aggregated-api')
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release, such as 1.0')
            [CompletionResult]::new('--kube-version', '--kube-version', [CompletionResultType]::ParameterName, 'The Kubernetes release, such as 1.36')
            [CompletionResult]::new('--validation-actions', '--validation-actions', [CompletionResultType]::ParameterName, 'What happens to an object that is certain to fail; what is no more than a warning is never denied')
            [CompletionResult]::new('--failure-policy', '--failure-policy', [CompletionResultType]::ParameterName, 'What happens where an expression fails')
            [CompletionResult]::new('--namespace-selector', '--namespace-selector', [CompletionResultType]::ParameterName, 'Only in namespaces with this label, such as sandboxes=checked')
            [CompletionResult]::new('--name-prefix', '--name-prefix', [CompletionResultType]::ParameterName, 'What names of the objects begin with')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder')
            [CompletionResult]::new('--mutating', '--mutating', [CompletionResultType]::ParameterName, 'Add MutatingAdmissionPolicies that fill in nodeSelector and toleration (Kubernetes 1.32 or later)')
            [CompletionResult]::new('--isolated', '--isolated', [CompletionResultType]::ParameterName, 'Without what any configuration adds')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;schema' {
            [CompletionResult]::new('--agent-sandbox-version', '--agent-sandbox-version', [CompletionResultType]::ParameterName, 'The agent-sandbox release that manifests are for, such as 1.0')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sandbox-lint;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
