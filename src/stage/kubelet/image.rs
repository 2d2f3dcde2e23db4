//! Image names that an ordinary kubelet cannot parse, and so never pulls.
//!
//! The rules and words are those of the distribution project's `reference.ParseNormalizedNamed`.

use super::Resolver;
use crate::contract::has_placeholder;
use crate::finding::{Findings, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::rule;
use crate::yaml::Node;
use regex::Regex;
use std::sync::LazyLock;

/// A name with its domain, a tag and a digest.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let part = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let domain = format!(r"(?:{part}(?:\.{part})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?");
    let component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
    let tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
    let digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
    let name = format!("(?:{domain}/)?{component}(?:/{component})*");
    Regex::new(&format!("^({name})(?::{tag})?(?:@{digest})?$")).expect("a pattern")
});

impl Resolver<'_, '_> {
    /// The kubelet parses the name before it pulls, and whether it pulls or not.
    pub(super) fn invalid_image_name(&self, container: &Node<'_>, path: &str, out: &mut Findings) {
        let Some(node) = container.get("image") else { return };
        // Without a name, or with blanks around it, the API server refuses the Pod first.
        let Some(image) = node.as_str().filter(|image| !image.is_empty() && image.trim() == *image) else { return };
        // A placeholder of a tool is reported once for the whole document.
        let Some(fault) = parse(image).err().filter(|_| !has_placeholder(image)) else { return };
        let spot = Spot::of(node, self.subject.plan.path(&format!("{path}.image")));
        let words =
            format!("Failed to apply default image tag \"{image}\": couldn't parse image name \"{image}\": {fault}");
        let outcome = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Pending)
            .reason("InvalidImageName")
            .message(words)
            .shown_on("Pod container state waiting, event InspectFailed")
            .retries("tried again with growing pauses, until another image is named");
        if let Some(weight) = unfilled(image) {
            let message = format!("`image` holds the placeholder `{image}`; as it stands, no kubelet can pull it");
            let finding = out.add(&rule::INVALID_IMAGE_NAME, spot, message);
            finding.severity(weight).help("fill in the name of an image").outcome(outcome.uncertain());
            return;
        }
        let finding = out.add(&rule::INVALID_IMAGE_NAME, spot, format!("`{image}` cannot be the name of an image"));
        finding.help(remedy(image)).outcome(outcome.clone());
        out.stop(outcome);
    }
}

impl Resolver<'_, '_> {
    /// `scratch` is the empty base of a Dockerfile: the name is reserved, and no image can be pulled by it.
    pub(super) fn scratch_image(&self, container: &Node<'_>, path: &str, out: &mut Findings) {
        let Some(node) = container.get("image") else { return };
        let never = container.get("imagePullPolicy").and_then(Node::as_str) == Some("Never");
        let Some(image) = node.as_str().filter(|image| !never && is_scratch(image)) else { return };
        let outcome = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Pending)
            .reason("ImagePullBackOff")
            .message(format!("Back-off pulling image \"{image}\""))
            .shown_on("Pod container state waiting, event BackOff")
            .retries("tried again with growing pauses, until another image is named");
        let spot = Spot::of(node, self.subject.plan.path(&format!("{path}.image")));
        let message = format!("no kubelet can pull `{image}`: the name is reserved for the empty base of a Dockerfile");
        out.add(&rule::SCRATCH_IMAGE, spot, message)
            .help("name an image that has a program to run, such as one that you built FROM scratch")
            .outcome(outcome.clone());
        out.stop(outcome);
    }
}

/// Whether an image name, with whatever tag or digest, is Docker Hub's reserved `scratch`.
fn is_scratch(image: &str) -> bool {
    let (domain, rest) = split_domain(image);
    parse(image).is_ok() && domain == "docker.io" && rest.split([':', '@']).next() == Some("library/scratch")
}

/// Why a kubelet does not take a name, in its words.
fn parse(image: &str) -> Result<(), String> {
    if image.len() == 64 && image.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(format!("invalid repository name ({image}), cannot specify 64-byte hexadecimal strings"));
    }
    let (domain, rest) = split_domain(image);
    let remote = rest.split(':').next().unwrap_or_default();
    if remote.to_lowercase() != remote {
        return Err(format!("invalid reference format: repository name ({remote}) must be lowercase"));
    }
    let whole = format!("{domain}/{rest}");
    let Some(found) = REFERENCE.captures(&whole) else {
        let lower = REFERENCE.is_match(&whole.to_lowercase());
        let why = if lower { ": repository name must be lowercase" } else { "" };
        return Err(format!("invalid reference format{why}"));
    };
    if found[1].len() - domain.len() > 255 {
        return Err("repository name must not be more than 255 characters".to_owned());
    }
    Ok(())
}

/// The registry and the rest; what has neither dot nor port is a path on Docker Hub.
fn split_domain(image: &str) -> (&str, String) {
    let first = image
        .split_once('/')
        .filter(|(first, _)| first.contains(['.', ':']) || *first == "localhost" || first.to_lowercase() != *first);
    match first {
        Some((domain, rest)) if domain != "index.docker.io" && domain != "docker.io" => (domain, rest.to_owned()),
        hub => {
            let rest = hub.map_or(image, |(_, rest)| rest);
            let library = if rest.contains('/') { "" } else { "library/" };
            ("docker.io", format!("{library}{rest}"))
        }
    }
}

/// How much a name weighs that waits to be filled in: by a tool, or by the reader of an example.
fn unfilled(image: &str) -> Option<Severity> {
    if image.contains("$(") || image.starts_with('$') {
        return Some(Severity::Note);
    }
    let letters = image.trim_start_matches("docker.io/");
    let marked = |open: &str, close: &str| {
        letters
            .split_once(open)
            .is_some_and(|(_, rest)| rest.split_once(close).is_some_and(|(inside, _)| !inside.is_empty()))
    };
    let framed = marked("<", ">") || marked("@", "@") || marked("%", "%") || marked("__", "__") || marked("[", "]");
    let upper = letters.to_uppercase();
    let asks = ["YOUR", "REPLACE", "CHANGE", "TODO", "FIXME", "PLACEHOLDER", "XXX", "..."];
    let shouted = letters.split([':', '/']).any(|part| {
        part.chars().any(|letter| letter.is_ascii_uppercase())
            && !part.chars().any(|letter| letter.is_ascii_lowercase())
    });
    (framed || shouted || asks.iter().any(|word| upper.contains(word))).then_some(Severity::Warning)
}

/// What to write instead.
fn remedy(image: &str) -> String {
    if let Some((_, rest)) = image.split_once("://") {
        return format!("a name has no scheme: write `{rest}`");
    }
    let parts: Vec<&str> = image.split_whitespace().collect();
    let tight = parts.concat();
    if parts.len() > 1 && parse(&tight).is_ok() {
        return format!("a name has no blanks: write `{tight}`");
    }
    let (name, tag) = image.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')).unwrap_or((image, ""));
    let lower = if tag.is_empty() { name.to_lowercase() } else { format!("{}:{tag}", name.to_lowercase()) };
    if parse(&lower).is_ok() {
        return format!("names of images are lower case: write `{lower}`");
    }
    "write it as registry/name:tag, the name in lower case".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_as_the_kubelet_does() {
        let hex = "a".repeat(64);
        for image in [
            "python",
            "python:3.12-slim",
            "library/python",
            "ghcr.io/cocoonstack/sandbox/rt:24.04",
            "localhost/x",
            "localhost:5000/x:Y_1",
            "10.0.0.1:5000/a/b-c__d.e",
            "r.example/a@sha256:0123456789abcdef0123456789abcdef",
            "REGISTRY.example/a",
            "UPPER/name",
            "index.docker.io/python",
            "[::1]:5000/a",
        ] {
            assert_eq!(parse(image), Ok(()), "{image}");
        }
        let upper = |name: &str| format!("invalid reference format: repository name ({name}) must be lowercase");
        for (image, words) in [
            ("busyboxXX", upper("library/busyboxXX")),
            ("r.example/MyApp:1", upper("MyApp")),
            ("<your-image>", "invalid reference format".to_owned()),
            (":v1", "invalid reference format".to_owned()),
            ("a b:1", "invalid reference format".to_owned()),
            ("https://r.example/a:1", "invalid reference format".to_owned()),
            ("a:", "invalid reference format".to_owned()),
            ("a:1:2", "invalid reference format".to_owned()),
            ("r.example//a", "invalid reference format".to_owned()),
            ("a@sha256:12", "invalid reference format".to_owned()),
            (&hex, format!("invalid repository name ({hex}), cannot specify 64-byte hexadecimal strings")),
        ] {
            assert_eq!(parse(image), Err(words), "{image}");
        }
    }

    #[test]
    fn scratch_is_reserved_on_docker_hub_alone() {
        for image in
            ["scratch", "scratch:latest", "library/scratch", "docker.io/scratch", "docker.io/library/scratch:1"]
        {
            assert!(is_scratch(image), "{image}");
        }
        for image in ["example/scratch", "ghcr.io/scratch", "localhost/library/scratch", "scratchpad", "scratch:"] {
            assert!(!is_scratch(image), "{image}");
        }
    }

    #[test]
    fn the_remedy_names_the_image_to_write() {
        assert!(remedy("https://r.example/a:1").ends_with("write `r.example/a:1`"));
        assert!(remedy("r.example/a : 1").ends_with("write `r.example/a:1`"));
        assert!(remedy("r.example/MyApp:V1").ends_with("write `r.example/myapp:V1`"));
        assert!(remedy("a:1:2").starts_with("write it as"));
    }
}
