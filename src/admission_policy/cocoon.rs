//! What is particular to vk-cocoon: the way in which it comes to a VM decides which annotations it reads.

use super::Check;
use super::cel::{annotation, canonical_path};
use crate::finding::Severity;
use crate::rule::{self, Rule};
use crate::stage::provider::cocoon::keys::{
    BACKEND, CLONE_FROM_DIR, FORK_FROM, ID, IMAGE, IP, MANAGED, MODE, NAME, OS, SNAPSHOT_POLICY, STORAGE, VNC_PORT,
};

/// Ways of Linux and Windows guests that vk-cocoon makes.
const MADE: &str = "variables.path in ['directory', 'fork', 'run', 'clone']";
const RUN: &str = "variables.path == 'run'";

/// The way in which CreatePod comes to a VM.
pub(super) fn path() -> String {
    let [managed, os, directory, fork, mode] = [MANAGED, OS, CLONE_FROM_DIR, FORK_FROM, MODE].map(annotation);
    format!(
        "{managed} != 'true' ? 'unmanaged' : {os}.trim().lowerAscii() == 'macos' ? 'macos' : {directory}.trim() != '' ? \
         'directory' : {fork} != '' ? 'fork' : {mode}.lowerAscii() == 'run' ? 'run' : 'clone'"
    )
}

/// Where an annotation's value is looked at.
pub(super) fn reads(key: &str) -> Option<&'static str> {
    match key {
        NAME | SNAPSHOT_POLICY => Some(MADE),
        MODE => Some("variables.path == 'clone'"),
        BACKEND => Some("variables.path in ['run', 'clone', 'fork']"),
        _ => None,
    }
}

/// Where an output is left to the author.
pub(super) fn written_by_author(key: &str) -> Option<String> {
    (key == VNC_PORT).then(|| format!("{} != 'true'", annotation(MANAGED)))
}

/// What several annotations say together.
pub(super) fn checks() -> Vec<Check> {
    let [image, storage, os, hypervisor, mode, fork] = [IMAGE, STORAGE, OS, BACKEND, MODE, FORK_FROM].map(annotation);
    let directory = format!("{}.trim()", annotation(CLONE_FROM_DIR));
    let size = format!("{storage}.trim()");
    let resources = "variables.container.?resources";
    let memory = |list: &str| format!("string({resources}.?{list}.?memory.orValue('0'))");
    let (requests, limits) = (memory("requests"), memory("limits"));
    let zero = format!("(isQuantity({requests}) && quantity({requests}).compareTo(quantity('0')) == 0)");
    let enough = |text: &str| {
        format!(
            "(!isQuantity({text}) || quantity({text}).compareTo(quantity('0')) <= 0 || quantity({text}).compareTo(quantity('512Mi')) >= 0)"
        )
    };
    let firecracker = format!("{RUN} && {hypervisor} == 'firecracker'");
    let windows = format!("{os}.lowerAscii() == 'windows'");
    vec![
        check(
            &rule::INVALID_CLONE_DIRECTORY,
            format!(
                "!({MADE}) || {directory} == '' || {} && {mode}.lowerAscii() != 'run' && {fork} == ''",
                canonical_path(&directory)
            ),
            format!("{CLONE_FROM_DIR} has to be an absolute canonical path, without mode=run and without {FORK_FROM}"),
        ),
        check(
            &rule::MISSING_IMAGE,
            format!("!(variables.path in ['macos', 'run', 'clone']) || {image} != ''"),
            format!("the annotation {IMAGE} is missing or empty; the container's image is not what vk-cocoon looks at"),
        ),
        check(
            &rule::INVALID_STORAGE,
            format!(
                "!({RUN}) || {size} == '' || {storage}.matches('[0-9. ]') && !(isQuantity({size}) && \
                 quantity({size}).compareTo(quantity('0')) > 0 && quantity({size}).compareTo(quantity('10Gi')) < 0)"
            ),
            format!("{STORAGE} has to be a quantity of at least 10Gi"),
        ),
        check(
            &rule::TOO_LITTLE_MEMORY,
            format!("!({RUN}) || ({zero} ? {} : {})", enough(&limits), enough(&requests)),
            "the first container asks for less than 512Mi of memory, which a VM that vk-cocoon boots needs".into(),
        ),
        check(
            &rule::FIRECRACKER_CONFLICT,
            format!("!({firecracker}) || !({windows}) && !{image}.matches('^https?://')"),
            "firecracker runs no Windows guests and boots OCI images alone".into(),
        ),
        check(
            &rule::PRESET_VM_IDENTITY,
            format!("{} != 'true' || {} == '' && {} == ''", annotation(MANAGED), annotation(ID), annotation(IP)),
            format!("{MANAGED} is \"true\", and {ID} or {IP} hides what vk-cocoon writes back; remove them"),
        ),
    ]
}

fn check(rule: &'static Rule, holds: String, message: String) -> Check {
    Check { rule, severity: Severity::Error, holds, message, words: None }
}
