//! The manifest for krew, and the archives of the release workflow that it names.
#![cfg(unix)]

mod programs;

use programs::{command, folder, printed, program, repository, text};
use serde_yaml::Value;
use std::collections::{BTreeMap, BTreeSet};

const TAG: &str = "v1.2.3";

/// The archives that the release workflow packs, by target.
fn archives() -> BTreeMap<String, String> {
    let workflow: Value = serde_yaml::from_str(&text(".github/workflows/release.yml")).unwrap();
    let build = &workflow["jobs"]["build"];
    let pack = build["steps"].as_sequence().unwrap().iter().find(|step| step["name"] == "Pack").unwrap();
    let script = pack["run"].as_str().unwrap();
    assert!(script.contains("name=\"sandbox-lint-$TAG-$TARGET\"\n"), "{script}");
    let targets = build["strategy"]["matrix"]["include"].as_sequence().unwrap();
    targets
        .iter()
        .map(|one| {
            let target = one["target"].as_str().unwrap();
            let ending = if one["os"].as_str().unwrap().starts_with("windows") { "zip" } else { "tar.gz" };
            assert!(script.contains(&format!("archive=\"$name.{ending}\"\n")), "{script}");
            (target.to_owned(), format!("sandbox-lint-{TAG}-{target}.{ending}"))
        })
        .collect()
}

/// The names that Go gives to the system and the processor of a target.
fn go_names(target: &str) -> (&'static str, &'static str) {
    let system = ["linux", "darwin", "windows"].into_iter().find(|name| target.contains(name)).unwrap();
    (system, if target.starts_with("aarch64") { "arm64" } else { "amd64" })
}

#[test]
fn the_manifest_of_a_release_names_its_archives_with_their_checksums() {
    if program("bash").is_none() {
        return;
    }
    let archives = archives();
    let sums: BTreeMap<&str, String> =
        archives.values().enumerate().map(|(number, file)| (file.as_str(), format!("{number:064x}"))).collect();
    let files: Vec<(String, String)> =
        sums.iter().map(|(file, sum)| (format!("dist/{file}.sha256"), format!("{sum}  {file}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let root = folder(&files);
    let fill = |folder: &str| {
        command("bash", root.path())
            .arg(repository("plugins/krew/fill"))
            .args([TAG, "acme/sandbox-lint", folder])
            .output()
            .unwrap()
    };
    let output = fill("dist");
    assert!(output.status.success(), "{}", printed(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    for word in ["TAG", "REPOSITORY", "CHECKSUM"] {
        assert!(!shown.contains(word), "{word} is left: {shown}");
    }
    let manifest: Value = serde_yaml::from_str(&shown).unwrap();
    assert_eq!(manifest["apiVersion"], "krew.googlecontainertools.github.com/v1alpha2");
    assert_eq!((&manifest["kind"], &manifest["metadata"]["name"]), (&"Plugin".into(), &"sandbox-lint".into()));
    let spec = &manifest["spec"];
    assert_eq!((&spec["version"], &spec["homepage"]), (&TAG.into(), &"https://github.com/acme/sandbox-lint".into()));
    let summary = spec["shortDescription"].as_str().unwrap();
    assert!(summary.len() < 50 && !summary.ends_with('.') && !summary.contains('\n'), "{summary}");
    let mut seen = BTreeSet::new();
    for platform in spec["platforms"].as_sequence().unwrap() {
        let name = platform["uri"].as_str().unwrap();
        let name =
            name.strip_prefix(&format!("https://github.com/acme/sandbox-lint/releases/download/{TAG}/")).unwrap();
        let (target, _) = archives.iter().find(|(_, file)| *file == name).unwrap_or_else(|| panic!("{name}"));
        let labels = &platform["selector"]["matchLabels"];
        assert_eq!((labels["os"].as_str().unwrap(), labels["arch"].as_str().unwrap()), go_names(target));
        assert_eq!(platform["sha256"], sums[name].as_str());
        let program = if target.contains("windows") { "sandbox-lint.exe" } else { "sandbox-lint" };
        assert_eq!(platform["bin"], program);
        let from: Vec<&str> =
            platform["files"].as_sequence().unwrap().iter().map(|one| one["from"].as_str().unwrap()).collect();
        assert_eq!(from, [&format!("sandbox-lint-*/{program}"), "sandbox-lint-*/LICENSE-*"]);
        seen.insert(target.clone());
    }
    assert_eq!(seen, archives.into_keys().collect());
    assert!(!fill("elsewhere").status.success(), "archives without checksums");
}

#[test]
fn the_release_workflow_fills_the_manifest_in() {
    let workflow = text(".github/workflows/release.yml");
    let sums = workflow.find("sha256sum --check").unwrap();
    let filled = workflow.find("plugins/krew/fill \"$TAG\" \"$GH_REPO\" dist").unwrap();
    let released = workflow.find("gh release create").unwrap();
    assert!(sums < filled && filled < released);
}
