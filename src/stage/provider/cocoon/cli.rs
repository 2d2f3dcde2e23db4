//! What the `cocoon` command refuses for certain from the manifest alone, in the order of its own checks.

use super::{BACKEND, IMAGE, NAME, OS, Path, STORAGE, first_container, missing_image};
use crate::contract::{Judgement, has_placeholder};
use crate::finding::Spot;
use crate::quantity::Quantity;
use crate::rule::{self, Rule};
use crate::stage::provider::create::{CreatePod, Failure, STATUS_AFTER_TRACKING};
use crate::yaml::Node;
use crate::{go, quantity};

/// The smallest disk, 10 GiB.
const LEAST_STORAGE: i64 = 10 << 30;
/// The smallest memory, 512 MiB.
const LEAST_MEMORY: i64 = 512 << 20;

/// `cocoon vm run` and `cocoon vm clone` as vk-cocoon calls them.
pub fn check(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    if *path != Path::Run {
        // A clone looks for its snapshot before it looks at its own name.
        missing_image(create, path);
        invalid_vm_name(create, path);
        return;
    }
    let storage = storage(create);
    if let Some(Size::Refused(reason)) = &storage {
        let written = create.text(STORAGE).unwrap_or_default();
        let error = format!("invalid --storage {}: {reason}", go::quote(written));
        invalid_storage(create, &error, "is no size the cocoon command reads");
    }
    invalid_vm_name(create, path);
    too_little_memory(create);
    if let Some(Size::Bytes(bytes)) = storage
        && bytes < LEAST_STORAGE
    {
        invalid_storage(create, &format!("--storage must be at least 10G, got {bytes}"), "is less than 10Gi");
    }
    firecracker_windows(create);
    missing_image(create, path);
    firecracker_cloud_image(create);
    windows_linux_image(create);
}

fn vm_name<'a>(create: &CreatePod<'a, '_, '_>) -> &'a str {
    create.text(NAME).unwrap_or("<name>")
}

fn failed_run(create: &CreatePod<'_, '_, '_>, error: &str) -> String {
    format!("run vm {}: cocoon vm run: exit status 1 (stderr: Error: {error})", vm_name(create))
}

fn invalid_vm_name(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let (Some(meta), Some(spec)) = (create.annotation(NAME), create.spec(NAME)) else { return };
    if spec.judge(&meta.value) != Judgement::Unknown {
        return;
    }
    let quoted = go::quote(&meta.value);
    let error = format!("vm name {quoted} is invalid: must match ^[a-zA-Z0-9][a-zA-Z0-9._-]{{0,62}}$ (max 63 chars)");
    let words = match source(create, path) {
        None => failed_run(create, &error),
        Some(source) => {
            format!("clone vm {} from {source}: cocoon vm clone: exit status 1 (stderr: Error: {error})", meta.value)
        }
    };
    create.fail(Failure {
        rule: &rule::INVALID_VM_NAME,
        spot: create.spot(NAME),
        message: format!("{NAME} is {quoted}, which the cocoon command refuses as a VM name"),
        words,
        help: "write at most 63 letters, digits, `.`, `_` and `-`, beginning with a letter or digit; nothing is filled in, $(POD_NAME) neither".into(),
        shown_on: STATUS_AFTER_TRACKING,
    });
}

/// What a clone is made from, as vk-cocoon's errors name it.
fn source(create: &CreatePod<'_, '_, '_>, path: &Path) -> Option<String> {
    match path {
        Path::FromDir(directory) => Some(format!("dir {directory}")),
        Path::Fork(source) => Some(format!("fork-{source}")),
        Path::Clone => Some(local_snapshot(create.text(IMAGE).unwrap_or_default())),
        Path::Unmanaged | Path::MacOs | Path::Run | Path::Open => None,
    }
}

/// The node's own name of a snapshot: the tag `latest` is left out, and long names are cut and hashed.
pub fn local_snapshot(image: &str) -> String {
    let (repository, tag) = image.split_once(':').unwrap_or((image, ""));
    let name = if matches!(tag, "" | "latest") { repository } else { image };
    if name.len() > 63 { "<snapshot>".into() } else { name.into() }
}

/// A size on the command line.
#[derive(Debug, PartialEq, Eq)]
enum Size {
    Bytes(i64),
    Refused(String),
}

/// The size that the command gets: vk-cocoon turns a positive quantity into bytes and hands over anything else as it is.
fn storage(create: &CreatePod<'_, '_, '_>) -> Option<Size> {
    let written = create.text(STORAGE).filter(|written| !has_placeholder(written) && !written.trim().is_empty())?;
    match Quantity::parse(written.trim()) {
        Ok(quantity) if quantity.value() > 0 => Some(Size::Bytes(quantity.value())),
        _ => ram_in_bytes(written),
    }
}

/// go-units' reading of a size; `None` where its answer is not known here.
fn ram_in_bytes(text: &str) -> Option<Size> {
    let refused = || Some(Size::Refused(format!("invalid size: '{text}'")));
    let Some(last) = text.rfind(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ' ')) else {
        return refused();
    };
    let blank = text[last..].starts_with(' ');
    let (number, suffix) = (&text[..if blank { last } else { last + 1 }], &text[last + 1..]);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+')) {
        return None;
    }
    let size = number.parse::<f64>().ok()?;
    if size < 0.0 {
        return refused();
    }
    let factor = match suffix.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        "p" | "pb" | "pib" => 50,
        lower => {
            let shown = if suffix.len() > 3 { suffix } else { lower };
            return Some(Size::Refused(format!("invalid suffix: '{shown}'")));
        }
    };
    #[expect(clippy::cast_possible_truncation, reason = "go-units cuts the fraction off as well")]
    Some(Size::Bytes((size * f64::from(2).powi(factor)) as i64))
}

fn invalid_storage(create: &mut CreatePod<'_, '_, '_>, error: &str, fault: &str) {
    let written = create.text(STORAGE).unwrap_or_default();
    create.fail(Failure {
        rule: &rule::INVALID_STORAGE,
        spot: create.spot(STORAGE),
        message: format!("{STORAGE} {} {fault}", go::quote(written)),
        words: failed_run(create, error),
        help: "write a quantity of at least 10Gi, such as 20Gi, or leave it out for the image's own size".into(),
        shown_on: STATUS_AFTER_TRACKING,
    });
}

/// The memory of the first container: its request, else its limit.
fn memory<'a>(create: &CreatePod<'a, '_, '_>) -> Option<(i64, &'a Node<'a>, &'static str)> {
    let resources = first_container(create)?.get("resources")?;
    ["requests", "limits"].into_iter().find_map(|field| {
        let node = resources.get(field)?.get("memory")?;
        let bytes = match node.as_int() {
            Some(bytes) => bytes,
            None => quantity::Quantity::parse(node.as_str()?).ok()?.value(),
        };
        (bytes != 0).then_some((bytes, node, field))
    })
}

fn too_little_memory(create: &mut CreatePod<'_, '_, '_>) {
    let Some((bytes, node, field)) = memory(create) else { return };
    if !(1..LEAST_MEMORY).contains(&bytes) {
        return;
    }
    let path = create.subject.plan.path(&format!("containers[0].resources.{field}.memory"));
    create.fail(Failure {
        rule: &rule::TOO_LITTLE_MEMORY,
        spot: Spot::of(node, path),
        message: format!("the first container asks for {bytes} bytes of memory; a VM that vk-cocoon boots needs 512Mi"),
        words: failed_run(create, &format!("--memory must be at least 512M, got {bytes}")),
        help: "write 512Mi or more, or leave the memory out for the cocoon command's default".into(),
        shown_on: STATUS_AFTER_TRACKING,
    });
}

fn uses_firecracker(create: &CreatePod<'_, '_, '_>) -> bool {
    create.text(BACKEND) == Some("firecracker")
}

fn firecracker_conflict(create: &mut CreatePod<'_, '_, '_>, message: &str, error: &str, help: &str) {
    let rule: &'static Rule = &rule::FIRECRACKER_CONFLICT;
    create.fail(Failure {
        rule,
        spot: create.spot(BACKEND),
        message: message.into(),
        words: failed_run(create, error),
        help: help.into(),
        shown_on: STATUS_AFTER_TRACKING,
    });
}

fn firecracker_windows(create: &mut CreatePod<'_, '_, '_>) {
    if uses_firecracker(create) && create.text(OS).is_some_and(|os| os.eq_ignore_ascii_case("windows")) {
        firecracker_conflict(
            create,
            "firecracker does not run Windows guests",
            "--fc and --windows are mutually exclusive: Firecracker does not support Windows guests",
            "leave the backend out (cloud-hypervisor)",
        );
    }
}

/// An image with a URL is a cloud image; what a plain name is, the node's library knows.
fn firecracker_cloud_image(create: &mut CreatePod<'_, '_, '_>) {
    let windows = create.text(OS).is_some_and(|os| os.eq_ignore_ascii_case("windows"));
    let image = create.text(IMAGE).unwrap_or_default();
    let cloud = image.starts_with("http://") || image.starts_with("https://");
    if uses_firecracker(create) && cloud && !windows {
        firecracker_conflict(
            create,
            "firecracker boots OCI images alone, and an image with a URL is a cloud image",
            "--fc requires OCI images (direct kernel boot): Firecracker does not support UEFI/cloudimg boot",
            "name an OCI image, or leave the backend out (cloud-hypervisor)",
        );
    }
}

/// Names that an image of a Linux distribution carries.
const LINUX_NAMES: [&str; 9] =
    ["ubuntu", "debian", "alpine", "fedora", "centos", "rockylinux", "almalinux", "archlinux", "opensuse"];

/// Whether an image boots Windows is the library's secret, but its name may show that it does not.
fn windows_linux_image(create: &mut CreatePod<'_, '_, '_>) {
    let windows = create.text(OS).is_some_and(|os| os.eq_ignore_ascii_case("windows"));
    let image = create.text(IMAGE).unwrap_or_default().to_ascii_lowercase();
    let words = image.split(|letter: char| !letter.is_ascii_alphanumeric());
    let Some(name) = words.filter(|word| LINUX_NAMES.contains(word)).map(str::to_owned).next() else { return };
    if !windows || uses_firecracker(create) || image.starts_with("http") || create.fails() {
        return;
    }
    let error = "--windows requires cloudimg (UEFI boot), got OCI direct boot image";
    let outcome = create.outcome(failed_run(create, error)).shown_on(STATUS_AFTER_TRACKING).uncertain();
    create.out.stop(outcome.clone());
    create
        .out
        .add(
            &rule::WINDOWS_LINUX_IMAGE,
            create.spot(OS),
            format!("the guest OS is windows, and the image is named after {name}"),
        )
        .outcome(outcome)
        .help("write linux, or name an image that boots Windows");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_go_units_does() {
        let gib = 1_i64 << 30;
        let table = [
            ("20GB", 20 * gib),
            ("20 GB", 20 * gib),
            ("0", 0),
            ("1.5g", gib + gib / 2),
            ("7b", 7),
            ("20GiB", 20 * gib),
        ];
        for (text, bytes) in table {
            assert_eq!(ram_in_bytes(text), Some(Size::Bytes(bytes)), "{text}");
        }
        for (text, reason) in [
            ("20gigs", "invalid suffix: 'gigs'"),
            ("big", "invalid size: 'big'"),
            ("-20Gi", "invalid size: '-20Gi'"),
            ("20XB", "invalid suffix: 'xb'"),
            ("20bb", "invalid suffix: 'bb'"),
        ] {
            assert_eq!(ram_in_bytes(text), Some(Size::Refused(reason.into())), "{text}");
        }
        assert_eq!(ram_in_bytes("a 20"), None);
    }

    #[test]
    fn snapshots_have_local_names() {
        for (image, local) in
            [("a:latest", "a"), ("a", "a"), ("a:v1", "a:v1"), ("reg:5000/a:v1", "reg:5000/a:v1"), ("", "")]
        {
            assert_eq!(local_snapshot(image), local, "{image}");
        }
        assert_eq!(local_snapshot(&"a".repeat(64)), "<snapshot>");
    }
}
