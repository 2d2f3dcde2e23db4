_sandbox__lint() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="sandbox__lint"
                ;;
            sandbox__lint,admission)
                cmd="sandbox__lint__subcmd__admission"
                ;;
            sandbox__lint,check)
                cmd="sandbox__lint__subcmd__check"
                ;;
            sandbox__lint,completions)
                cmd="sandbox__lint__subcmd__completions"
                ;;
            sandbox__lint,contract)
                cmd="sandbox__lint__subcmd__contract"
                ;;
            sandbox__lint,decode)
                cmd="sandbox__lint__subcmd__decode"
                ;;
            sandbox__lint,explain)
                cmd="sandbox__lint__subcmd__explain"
                ;;
            sandbox__lint,init)
                cmd="sandbox__lint__subcmd__init"
                ;;
            sandbox__lint,lsp)
                cmd="sandbox__lint__subcmd__lsp"
                ;;
            sandbox__lint,man)
                cmd="sandbox__lint__subcmd__man"
                ;;
            sandbox__lint,new)
                cmd="sandbox__lint__subcmd__new"
                ;;
            sandbox__lint,policy)
                cmd="sandbox__lint__subcmd__policy"
                ;;
            sandbox__lint,predict)
                cmd="sandbox__lint__subcmd__predict"
                ;;
            sandbox__lint,rules)
                cmd="sandbox__lint__subcmd__rules"
                ;;
            sandbox__lint,schema)
                cmd="sandbox__lint__subcmd__schema"
                ;;
            sandbox__lint,why)
                cmd="sandbox__lint__subcmd__why"
                ;;
            sandbox__lint__subcmd__policy,test)
                cmd="sandbox__lint__subcmd__policy__subcmd__test"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        sandbox__lint)
            opts="-o -q -h -V --exclude --markdown --no-ignore --force-exclude --stdin-filename --limit --select --ignore --severity --min-severity --fail-on --exit-zero --config --isolated --policy --provider-pack --baseline --write-baseline --prune-baseline --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --format --output --color --quiet --statistics --explain-intent --fix --diff --unsafe-fixes --show-settings --show-files --help --version check predict why decode explain rules contract new init policy lsp admission schema completions man"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stdin-filename)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --select)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --severity)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --min-severity)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --fail-on)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --baseline)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --write-baseline)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human concise json jsonl sarif github gitlab junit rdjson" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -o)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__admission)
            opts="-h --backend --select --ignore --profile --agent-sandbox-version --kube-version --validation-actions --failure-policy --namespace-selector --name-prefix --mutating --format --config --isolated --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --backend)
                    COMPREPLY=($(compgen -W "kubelet sandboxd vk-cocoon" -- "${cur}"))
                    return 0
                    ;;
                --select)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --validation-actions)
                    COMPREPLY=($(compgen -W "Deny Warn Audit" -- "${cur}"))
                    return 0
                    ;;
                --failure-policy)
                    COMPREPLY=($(compgen -W "Fail Ignore" -- "${cur}"))
                    return 0
                    ;;
                --namespace-selector)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --name-prefix)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "yaml json" -- "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__check)
            opts="-o -q -h --exclude --markdown --no-ignore --force-exclude --stdin-filename --limit --select --ignore --severity --min-severity --fail-on --exit-zero --config --isolated --policy --provider-pack --baseline --write-baseline --prune-baseline --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --format --output --color --quiet --statistics --explain-intent --fix --diff --unsafe-fixes --show-settings --show-files --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stdin-filename)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --select)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --severity)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --min-severity)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --fail-on)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --baseline)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --write-baseline)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human concise json jsonl sarif github gitlab junit rdjson" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -o)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__completions)
            opts="-h --help bash elvish fish nushell powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__contract)
            opts="-h --config --isolated --provider-pack --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__decode)
            opts="-h --objects --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__explain)
            opts="-h --help SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__init)
            opts="-h --force --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__lsp)
            opts="-h --select --ignore --severity --min-severity --fail-on --exit-zero --config --isolated --policy --provider-pack --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --stdio --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --select)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "SB001 SB002 SB003 SB004 SB010 SB011 SB012 SB013 SB014 SB015 SB016 SB017 SB101 SB102 SB103 SB104 SB105 SB106 SB107 SB108 SB109 SB110 SB111 SB112 SB113 SB114 SB201 SB202 SB203 SB204 SB210 SB211 SB212 SB213 SB214 SB215 SB216 SB217 SB218 SB219 SB220 SB221 SB222 SB223 SB224 SB225 SB226 SB227 SB228 SB229 SB260 SB301 SB302 SB303 SB304 SB305 SB306 SB307 SB308 SB309 SB310 SB311 SB312 SB313 SB314 SB320 SB321 SB322 SB330 SB331 SB332 SB340 SB341 SB342 SB360 SB361 SB362 SB363 SB364 SB365 SB366 SB380 SB401 SB402 SB403 SB404 SB405 SB406 SB407 SB408 SB409 SB410 SB411 SB501 SB502 SB503 SB504 SB505 SB506 SB507 SB508 SB509 SB510 SB511 SB512 SB513 SB514 SB515 SB516 SB517 SB518 SB519 SB520 SB521 SB522 SB523 SB590 SB591 SB592 SB593 SB594 SB595 SB601 SB602 SB603 SB604 SB605 SB606 SB607 SB608 SB609 SB610 SB611 SB612 SB613 SB614 SB615 SB616 SB617 SB618 SB619 SB620 SB621 SB640 SB701 SB702 SB703 SB704 SB705 SB706 SB707 SB708 SB709 SB710 SB711 SB712 SB713 SB714 SB715 SB716 SB801 SB802 SB901 SB902 SB904 syntax-error invalid-separator not-an-object unidentified-object duplicate-key text-never-read merge-overwrites-key invalid-utf8 colliding-keys folded-list-item json-like-file converted-key unknown-kind deprecated-version unknown-field missing-field wrong-type unsupported-value non-string-value out-of-range invalid-time invalid-quantity duplicate-entry invalid-name invalid-metadata dropped-null unreadable-value endless-quantity suspended expired invalid-toleration invalid-node-selector invalid-affinity invalid-spread-constraint invalid-container invalid-env invalid-volume invalid-mount invalid-resources invalid-probe invalid-pod-metadata invalid-pod-field invalid-image invalid-security-context refused-by-plugin violates-pod-security pod-security-warning out-of-limit-range quota-needs-resources exceeds-quota webhook-denial no-matching-node missing-toleration toleration-mismatch misspelt-selector missing-selector open-placement conflicting-selectors absent-node-label no-node-label excluded-node dead-term pinned-node unknown-scheduler scheduling-gates insufficient-resources host-port no-free-node missing-topology-label spread-counts-others unmet-pod-affinity refused-claim missing-claim claim-on-virtual-node unresolved-field-ref missing-env-source missing-env-key skipped-env-names missing-volume-source invalid-image-name missing-volume-key scratch-image refused-runtime missing-template padded-template invalid-ttl unknown-net unknown-size template-image-mismatch ttl-over-maximum zero-ttl unread-annotation unprovisioned-pool missing-vm-name unmanaged-without-identity invalid-vm-name unclassified-node invalid-clone-directory missing-image invalid-storage too-little-memory firecracker-conflict unknown-mode unknown-os unknown-hypervisor inexact-boolean invalid-probe-port ignored-setting unknown-snapshot-policy snapshot-on-delete unknown-connection unclonable-image preset-vm-identity hibernate-at-create invalid-vm-ip windows-linux-image missing-annotation refused-annotation preset-annotation ignored-fields unretried-failure refused-pod unknown-template unknown-pool shared-vm-name vm-name-in-template duplicate-object claim-metadata-refused claim-metadata-conflict claim-env-refused claim-volumes-refused late-annotation env-never-arrives empty-pool pool-outgrows-nodes unspread-pool lease-in-pool never-restart-in-pool handler-as-class pod-of-same-name env-from-refuses-claims cold-claim vast-pool pods-exceed-quota no-runtime-class runtime-class-unread managed-network token-mounted unmounted-claim lease-too-short service-name blanket-toleration fractional-bytes misplaced-annotation misspelt-annotation reserved-key label-as-annotation other-backend unknown-port-name unused-network-policy house-rule undecided-house-rule unused-suppression unknown-rule-in-suppression unreadable-suppression" -- "${cur}"))
                    return 0
                    ;;
                --severity)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --min-severity)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --fail-on)
                    COMPREPLY=($(compgen -W "note warning error" -- "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__man)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__new)
            opts="-o -h --backend --name --image --annotation --defaults --output --force --config --isolated --provider-pack --help sandbox template pool claim"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --backend)
                    COMPREPLY=($(compgen -W "kubelet sandboxd vk-cocoon" -- "${cur}"))
                    return 0
                    ;;
                --name)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --image)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --annotation)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -o)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__policy)
            opts="-h --help test"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__policy__subcmd__test)
            opts="-h --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --config --isolated --policy --provider-pack --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__predict)
            opts="-h --exclude --markdown --no-ignore --force-exclude --stdin-filename --limit --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --config --isolated --policy --provider-pack --format --color --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stdin-filename)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human json" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__rules)
            opts="-h --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --format)
                    COMPREPLY=($(compgen -W "human json markdown" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__schema)
            opts="-h --agent-sandbox-version --help config output sandbox sandboxtemplate sandboxwarmpool sandboxclaim all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        sandbox__lint__subcmd__why)
            opts="-h --cluster --no-cluster-files --profile --agent-sandbox-version --kube-version --config --isolated --policy --provider-pack --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --cluster)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -W "cocoon-webhook aggregated-api" -- "${cur}"))
                    return 0
                    ;;
                --agent-sandbox-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --kube-version)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --provider-pack)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "human json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _sandbox__lint -o nosort -o bashdefault -o default sandbox-lint
else
    complete -F _sandbox__lint -o bashdefault -o default sandbox-lint
fi
