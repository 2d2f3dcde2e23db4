//! The completion scripts in the shells themselves, where they are installed.

mod programs;

use programs::{command, program, repository, succeed, text};
use sandbox_lint::report::Machine;
use sandbox_lint::rule::RULES;
use std::collections::BTreeSet;
use std::path::Path;

/// Command lines that end where the tab key is pressed, with some of what must be offered.
fn cases() -> Vec<(&'static str, Vec<&'static str>)> {
    let commands =
        ["check", "predict", "decode", "explain", "rules", "contract", "new", "init", "schema", "completions"];
    let codes = |group: &str| -> Vec<&'static str> {
        RULES.iter().map(|rule| rule.code).filter(|code| code.starts_with(group)).collect()
    };
    vec![
        ("sandbox-lint ", commands.to_vec()),
        ("sandbox-lint check --format ", FORMATS.to_vec()),
        ("sandbox-lint check --select SB3", codes("SB3")),
        ("sandbox-lint explain SB40", codes("SB40")),
        ("sandbox-lint explain missing-to", vec!["missing-toleration"]),
        ("sandbox-lint check --fail-on ", vec!["note", "warning", "error"]),
        ("sandbox-lint check --profile ", vec!["cocoon-webhook", "aggregated-api"]),
        ("sandbox-lint new ", vec!["sandbox", "template", "pool", "claim"]),
        ("sandbox-lint new sandbox --backend ", vec!["sandboxd", "vk-cocoon", "kubelet"]),
        ("sandbox-lint schema ", vec!["config", "output"]),
        ("sandbox-lint completions ", vec!["bash", "elvish", "fish", "nushell", "powershell", "zsh"]),
    ]
}

const FORMATS: [&str; 9] = ["human", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"];

#[test]
fn all_formats_are_among_the_cases() {
    assert_eq!(FORMATS.len(), Machine::ALL.len() + 1);
}

fn assert_offers(shell: &str, line: &str, offered: &str, wanted: &[&str]) {
    let offered: BTreeSet<&str> = offered.lines().map(|line| line.split('\t').next().unwrap().trim()).collect();
    for word in wanted {
        assert!(offered.contains(word), "{shell} does not offer {word} after {line:?}: {offered:?}");
    }
}

#[test]
fn bash_completes() {
    let Some(bash) = program("bash") else { return };
    let script = repository("completions/sandbox-lint.bash");
    for (line, wanted) in cases() {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let before = line.split(' ').rev().nth(1).unwrap();
        let run = format!(
            "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; \
             read -r -a how <<<\"$(complete -p sandbox-lint)\"; for word in \"${{how[@]}}\"; do \
             if [ \"$last\" = -F ]; then \"$word\" sandbox-lint '{}' '{before}'; fi; last=$word; done; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.join(" "),
            words.len() - 1,
            line.split(' ').next_back().unwrap(),
        );
        let offered = succeed(command(&bash, Path::new(".")).args(["--noprofile", "--norc", "-c", &run]));
        assert_offers("bash", line, &offered, &wanted);
    }
}

#[test]
fn fish_completes() {
    let Some(fish) = program("fish") else { return };
    let home = tempfile::tempdir().unwrap();
    for (line, wanted) in cases() {
        let run = format!("source '{}'; complete -C '{line}'", repository("completions/sandbox-lint.fish").display());
        let mut fish = command(&fish, home.path());
        let offered = succeed(fish.env("HOME", home.path()).args(["--no-config", "-c", &run]));
        assert_offers("fish", line, &offered, &wanted);
    }
}

/// An interactive zsh that is typed to; prints what it lists as completions.
const TYPING: &str = r#"
zmodload zsh/zpty
zpty z "TERM=dumb zsh -f -i"
zpty -w z "PS1='' LISTMAX=10000; stty cols 200 rows 2000; fpath=('$1' \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' list-choices; unset zle_bracketed_paste; print rea''dy"
zpty -r z shown '*ready*'
zpty -w -n z "$2"$'\t'
all=''
# A list may be long in coming; once its last word is there, silence ends it.
for (( tries = 0; tries < 400; tries++ )); do
  if zpty -r -t z part; then all+=$part; if [[ $all = *$3* ]]; then tries=385; fi; else sleep 0.05; fi
done
print -r -- "$all"
zpty -d z
"#;

#[test]
fn zsh_completes() {
    let Some(zsh) = program("zsh") else { return };
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("typing.zsh"), TYPING).unwrap();
    std::fs::write(home.path().join("some.yaml"), "").unwrap();
    let mut cases = cases();
    cases.push(("sandbox-lint ", vec!["some.yaml"]));
    cases.push(("sandbox-lint typing.zsh ", vec!["some.yaml"]));
    for (line, wanted) in cases {
        let mut zsh = command(&zsh, home.path());
        zsh.args(["-f", "typing.zsh"]).arg(repository("completions")).arg(line).arg(wanted[wanted.len() - 1]);
        let shown = succeed(&mut zsh);
        let offered: String = shown.split_whitespace().map(|word| format!("{word}\n")).collect();
        assert_offers("zsh", line, &offered, &wanted);
    }
}

/// What no shell here runs is at least complete: the values of flags stand in zsh's and Nushell's script, and every
/// command and flag in those of Elvish and PowerShell, for which clap writes no values.
#[test]
fn the_other_scripts_have_every_command_and_flag() {
    let zsh = text("completions/_sandbox-lint");
    let nushell = text("completions/sandbox-lint.nu");
    for rule in RULES {
        assert!(
            zsh.contains(&format!("{}\\:", rule.code)) && nushell.contains(&format!("\"{}\"", rule.code)),
            "{}",
            rule.code
        );
    }
    for format in FORMATS {
        assert!(zsh.contains(&format!("{format}\\:")) && nushell.contains(&format!("\"{format}\"")), "{format}");
    }
    let program = sandbox_lint::cli::command();
    for file in ["_sandbox-lint.ps1", "sandbox-lint.elv"] {
        let script = text(&format!("completions/{file}"));
        for one in program.get_subcommands().filter(|one| !one.is_hide_set()) {
            assert!(script.contains(&format!("sandbox-lint;{}'", one.get_name())), "{file}: {}", one.get_name());
            for flag in one.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(script.contains(&format!("--{flag}")), "{file}: --{flag}");
            }
        }
    }
}

/// Every command, those below another command too, has a manual page that names all of its flags.
#[test]
fn every_command_has_a_manual_page_with_all_its_flags() {
    let mut program = sandbox_lint::cli::command().disable_help_subcommand(true);
    program.build();
    let mut open = vec![program];
    let mut pages = BTreeSet::new();
    while let Some(one) = open.pop() {
        let name = format!("{}.1", one.get_display_name().unwrap_or(one.get_name()));
        let page = text(&format!("man/{name}")).replace('\\', "");
        for flag in one.get_arguments().filter(|flag| !flag.is_hide_set()).filter_map(clap::Arg::get_long) {
            assert!(page.contains(&format!("--{flag}")), "{name}: --{flag}");
        }
        pages.insert(name);
        open.extend(one.get_subcommands().filter(|one| !one.is_hide_set()).cloned());
    }
    let there: BTreeSet<String> = std::fs::read_dir(repository("man"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(pages, there);
}

#[test]
fn man_shows_the_page_of_the_program() {
    let Some(man) = program("man") else { return };
    let page = repository("man/sandbox-lint-check.1");
    let shown = succeed(command(man, Path::new(".")).env("MANWIDTH", "100").arg("--local-file").arg(page));
    assert!(shown.contains("--fail-on") && shown.contains("EXTRA") | shown.contains("Examples:"), "{shown}");
}
