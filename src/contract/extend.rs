//! What a user's configuration adds to the contract.

use super::message::{unknown_names, unknown_statement_names};
use super::{AnnotationSpec, Backend, Contract, Direction, STATEMENT_NAMES, ValueType};
use crate::go;
use crate::quantity::Quantity;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Backends and annotations that a user adds, in the same format as the built-in data.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Extension {
    /// Whole backends.
    #[serde(default)]
    pub backends: Vec<Backend>,
    /// Annotations of known backends, by the backend's name. A known key is replaced.
    #[serde(default)]
    pub annotations: BTreeMap<String, Vec<AnnotationSpec>>,
}

/// Why an addition makes no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// A backend without a name, or with one that output uses for something else.
    #[error("`{0}` cannot be the name of a backend")]
    BackendName(String),
    /// Two backends with one name.
    #[error("backend `{0}` exists already; add annotations to it under `annotations`")]
    DuplicateBackend(String),
    /// Annotations for a backend that does not exist.
    #[error("annotations are added to backend `{name}`, which does not exist; known backends: {known}")]
    UnknownBackend {
        /// The name written.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A key without a prefix, or an empty one.
    #[error("annotation key `{0}` needs a prefix and a name: `example.com/name`")]
    Key(String),
    /// One key twice in a backend.
    #[error("annotation `{key}` occurs twice in backend `{backend}`")]
    DuplicateKey {
        /// The backend.
        backend: String,
        /// The key.
        key: String,
    },
    /// An enum without values.
    #[error("annotation `{0}` is of type enum and lists no values")]
    NoValues(String),
    /// A required annotation that no author writes.
    #[error("annotation `{0}` cannot be required, as the author does not write it")]
    RequiredOutput(String),
    /// A default that is not one of the values.
    #[error("annotation `{key}` has the default `{default}`, which is not one of its values")]
    Default {
        /// The key.
        key: String,
        /// The default written.
        default: String,
    },
    /// A bound that is none of the annotation's type.
    #[error("`{bound}` bounds annotation `{key}` and is no value of its type")]
    Bound {
        /// The key.
        key: String,
        /// The bound written.
        bound: String,
    },
    /// A statement with a name that nothing fills in.
    #[error("the text `{text}` names `{{{name}}}`; known names: {}, annotation KEY", STATEMENT_NAMES.join(", "))]
    StatementName {
        /// The text.
        text: String,
        /// The name in braces.
        name: String,
    },
    /// A check that points at an annotation that the backend does not have.
    #[error("check `{check}` stands before `{before}`, which is no annotation of the backend")]
    Before {
        /// The check.
        check: String,
        /// What it names.
        before: String,
    },
    /// A gate that looks at everything or nothing.
    #[error("gate `{0}` needs `tolerations`, `annotations` or `when`")]
    Gate(String),
    /// A message with a name that nothing fills in.
    #[error(
        "the message of annotation `{key}` names `{{{name}}}`; known names: pod, node, key, value, quoted, annotation KEY"
    )]
    MessageName {
        /// The key.
        key: String,
        /// The name in braces.
        name: String,
    },
}

impl Extension {
    /// Adds another one behind this one.
    pub fn merge(&mut self, other: Self) {
        self.backends.extend(other.backends);
        for (name, annotations) in other.annotations {
            self.annotations.entry(name).or_default().extend(annotations);
        }
    }
}

impl Contract {
    /// Adds what a user configured.
    ///
    /// # Errors
    /// The first part that contradicts itself or what is known; nothing is added then.
    pub fn extend(&mut self, extension: Extension) -> Result<(), ContractError> {
        let mut extended = self.clone();
        for backend in extension.backends {
            check_backend(&backend, &extended)?;
            extended.backends.push(backend);
        }
        for (name, annotations) in extension.annotations {
            let known = || extended.backends.iter().map(|backend| backend.name.as_str()).collect::<Vec<_>>().join(", ");
            let Some(at) = extended.backends.iter().position(|backend| backend.name == name) else {
                return Err(ContractError::UnknownBackend { known: known(), name });
            };
            check_annotations(&name, &annotations)?;
            for spec in annotations {
                put(&mut extended.backends[at].annotations, spec);
            }
        }
        *self = extended;
        Ok(())
    }
}

fn put(annotations: &mut Vec<AnnotationSpec>, spec: AnnotationSpec) {
    match annotations.iter_mut().find(|known| known.key == spec.key) {
        Some(known) => *known = with_rules(spec, known),
        None => annotations.push(spec),
    }
}

/// A replaced annotation is reported by the rules of the one it replaces, unless it says otherwise.
fn with_rules(mut spec: AnnotationSpec, known: &AnnotationSpec) -> AnnotationSpec {
    let pairs = [
        (&mut spec.on_missing, &known.on_missing),
        (&mut spec.on_refused, &known.on_refused),
        (&mut spec.on_newer, &known.on_newer),
    ];
    for (new, old) in pairs {
        if new.is_none() {
            new.clone_from(old);
        }
    }
    spec
}

fn check_backend(backend: &Backend, contract: &Contract) -> Result<(), ContractError> {
    if backend.name.trim().is_empty() || backend.name == "contradictory" {
        return Err(ContractError::BackendName(backend.name.clone()));
    }
    if contract.backend(&backend.name).is_some() {
        return Err(ContractError::DuplicateBackend(backend.name.clone()));
    }
    check_annotations(&backend.name, &backend.annotations)?;
    for check in &backend.checks {
        if let Some(before) = check.before.as_ref().filter(|before| backend.annotation(before).is_none()) {
            return Err(ContractError::Before { check: check.name.clone(), before: before.clone() });
        }
        check_texts([Some(&check.message), check.help.as_ref(), check.words.as_ref()])?;
    }
    for gate in &backend.gates {
        if gate.tolerations.is_empty() && gate.annotations.is_empty() && gate.when.is_none() {
            return Err(ContractError::Gate(gate.name.clone()));
        }
    }
    Ok(())
}

fn check_texts<'t>(texts: impl IntoIterator<Item = Option<&'t String>>) -> Result<(), ContractError> {
    for text in texts.into_iter().flatten() {
        if let Some(name) = unknown_statement_names(text, &STATEMENT_NAMES).first() {
            return Err(ContractError::StatementName { text: text.clone(), name: (*name).to_owned() });
        }
    }
    Ok(())
}

fn check_statements(spec: &AnnotationSpec) -> Result<(), ContractError> {
    let statements = [&spec.on_missing, &spec.on_refused, &spec.on_newer].into_iter().flatten();
    check_texts(statements.flat_map(|statement| [statement.message.as_ref(), statement.help.as_ref()]))?;
    check_texts([spec.supply.as_ref()])?;
    check_texts(
        spec.effects.iter().flat_map(|effect| [Some(&effect.message), effect.help.as_ref(), effect.words.as_ref()]),
    )?;
    let is_bound = |text: &String| match spec.value_type {
        ValueType::Quantity => Quantity::parse(text).is_ok(),
        ValueType::Duration => go::duration::parse(text).is_some(),
        _ => false,
    };
    match [&spec.at_least, &spec.at_most].into_iter().flatten().find(|bound| !is_bound(bound)) {
        Some(bound) => Err(ContractError::Bound { key: spec.key.clone(), bound: bound.clone() }),
        None => Ok(()),
    }
}

fn check_annotations(backend: &str, annotations: &[AnnotationSpec]) -> Result<(), ContractError> {
    for (at, spec) in annotations.iter().enumerate() {
        if annotations[..at].iter().any(|earlier| earlier.key == spec.key) {
            return Err(ContractError::DuplicateKey { backend: backend.into(), key: spec.key.clone() });
        }
        check_annotation(spec)?;
    }
    Ok(())
}

fn check_annotation(spec: &AnnotationSpec) -> Result<(), ContractError> {
    let key = || spec.key.clone();
    if !spec.key.split_once('/').is_some_and(|(prefix, name)| !prefix.is_empty() && !name.is_empty()) {
        return Err(ContractError::Key(key()));
    }
    if spec.value_type == ValueType::Enum && spec.known_values().next().is_none() {
        return Err(ContractError::NoValues(key()));
    }
    if spec.required && spec.direction != Direction::In {
        return Err(ContractError::RequiredOutput(key()));
    }
    if let Some(default) = &spec.default
        && spec.value_type == ValueType::Enum
        && !spec.known_values().any(|value| value == default)
    {
        return Err(ContractError::Default { key: key(), default: default.clone() });
    }
    check_statements(spec)?;
    let formats = [&spec.missing, &spec.refused];
    match formats.into_iter().flatten().flat_map(|format| unknown_names(format)).next() {
        Some(name) => Err(ContractError::MessageName { key: key(), name: name.into() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIREBOX: &str = r#"
backends:
  - name: firebox
    provider: vk-firebox
    node: {name: firebox, labels: {firebox.example/node: "yes"}, taints: [{key: firebox.example/only, effect: NoSchedule}]}
    selector: {key: firebox.example/node, value: "yes"}
    toleration: {key: firebox.example/only, operator: Exists, effect: NoSchedule}
    families: [firebox.example/]
    annotations:
      - {key: firebox.example/kernel, direction: in, required: true, missing: "no {key} on {pod}", summary: Kernel}
annotations:
  sandboxd:
    - {key: sandbox.cocoonstack.io/region, direction: in, type: enum, values: [eu, us], summary: Region}
    - {key: sandbox.cocoonstack.io/size, direction: in, type: enum, values: [tiny], summary: Replaced}
"#;

    fn extend(text: &str) -> Result<Contract, String> {
        let extension: Extension = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let mut contract = Contract::builtin();
        contract.extend(extension).map_err(|error| error.to_string())?;
        Ok(contract)
    }

    #[test]
    fn a_backend_and_annotations_are_added() {
        let contract = extend(FIREBOX).expect("valid");
        assert!(contract.backend("firebox").is_some_and(|backend| backend.owns("firebox.example/kernel")));
        let sandboxd = contract.backend("sandboxd").expect("built in");
        assert!(sandboxd.annotation("sandbox.cocoonstack.io/region").is_some());
        assert_eq!(sandboxd.annotation("sandbox.cocoonstack.io/size").expect("kept").values, ["tiny"]);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let table = [
            ("backends: [{name: x, provider: y, node: {name: n}, colour: red}]", "unknown field `colour`"),
            ("backends: [{name: sandboxd, provider: y, node: {name: n}}]", "backend `sandboxd` exists already"),
            ("backends: [{name: contradictory, provider: y, node: {name: n}}]", "cannot be the name of a backend"),
            ("annotations: {sandbox: []}", "known backends: kubelet, sandboxd, vk-cocoon"),
            ("annotations: {sandboxd: [{key: ttl, direction: in, summary: s}]}", "needs a prefix"),
            ("annotations: {sandboxd: [{key: a/b, direction: inward, summary: s}]}", "unknown variant `inward`"),
            ("annotations: {sandboxd: [{key: a/b, direction: in, type: enum, summary: s}]}", "lists no values"),
            ("annotations: {sandboxd: [{key: a/b, direction: out, required: true, summary: s}]}", "cannot be required"),
            ("annotations: {sandboxd: [{key: a/b, direction: in, missing: '{ns}', summary: s}]}", "names `{ns}`"),
            (
                "annotations: {sandboxd: [{key: a/b, direction: in, type: enum, values: [x], default: z, summary: s}]}",
                "not one of its values",
            ),
            (
                "annotations: {sandboxd: [{key: a/b, direction: in, summary: s}, {key: a/b, direction: in, summary: s}]}",
                "occurs twice",
            ),
        ];
        for (text, part) in table {
            let error = extend(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_builtin_data_passes_its_own_checks() {
        let mut empty = Contract::default();
        let backends = Contract::builtin().backends;
        assert_eq!(empty.extend(Extension { backends, annotations: BTreeMap::new() }), Ok(()));
    }
}
