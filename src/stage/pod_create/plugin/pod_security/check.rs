//! What checks of Pod Security have in common: containers, lists and the server's words.

use crate::stage::pod_create::Pod;
use crate::stage::pod_create::field::Field;
use std::collections::BTreeSet;

/// What one check forbids.
pub struct Violation<'n> {
    /// The first field that it hangs on.
    pub field: Field<'n>,
    /// The server's reason: `allowPrivilegeEscalation != false`.
    pub reason: String,
    /// The server's details, without the parentheses.
    pub detail: String,
    /// What to write instead.
    pub help: &'static str,
}

/// All violations as the server lists them.
pub fn words(violations: &[Violation<'_>]) -> String {
    violations.iter().map(|one| format!("{} ({})", one.reason, one.detail)).collect::<Vec<_>>().join(", ")
}

/// Who does what a check forbids: the Pod, containers by name.
#[derive(Default)]
pub struct Offenders<'n> {
    /// The field at the Pod, if it offends.
    pub pod: Option<Field<'n>>,
    /// Names and fields of containers.
    pub containers: Vec<(&'n str, Field<'n>)>,
}

impl<'n> Offenders<'n> {
    /// The containers whose field below `securityContext` offends.
    pub fn among(pod: &Pod<'n>, field: &[&str], offends: impl Fn(&Field<'n>) -> bool) -> Self {
        Self { pod: None, containers: Self::containers(pod, field, offends) }
    }

    /// The Pod and the containers whose field below `securityContext` offends.
    pub fn anywhere(pod: &Pod<'n>, field: &[&str], offends: impl Fn(&Field<'n>) -> bool) -> Self {
        let own = pod.spec.child("securityContext").at(field);
        let own = Some(own).filter(|own| offends(own));
        Self { pod: own, containers: Self::containers(pod, field, offends) }
    }

    fn containers(pod: &Pod<'n>, field: &[&str], offends: impl Fn(&Field<'n>) -> bool) -> Vec<(&'n str, Field<'n>)> {
        let all = pod.all_containers().into_iter();
        all.filter_map(|container| {
            let found = container.child("securityContext").at(field);
            offends(&found).then(|| (container.child("name").text(), found))
        })
        .collect()
    }

    /// The first field that offends.
    pub fn first(&self) -> Option<Field<'n>> {
        self.pod.clone().or_else(|| self.containers.first().map(|(_, field)| field.clone()))
    }

    /// The containers as the server names them: `container "a"`, `containers "a", "b"`.
    pub fn named(&self) -> String {
        let names: Vec<&str> = self.containers.iter().map(|(name, _)| *name).collect();
        format!("{} {}", plural("container", "containers", names.len()), quoted(&names))
    }

    /// The Pod and the containers: `pod and container "a"`.
    pub fn setters(&self) -> String {
        let pod = self.pod.as_ref().map(|_| "pod".to_owned());
        let containers = (!self.containers.is_empty()).then(|| self.named());
        pod.into_iter().chain(containers).collect::<Vec<_>>().join(" and ")
    }

    /// The texts of all fields, sorted, each once.
    pub fn texts(&self) -> Vec<&'n str> {
        let fields = self.pod.iter().chain(self.containers.iter().map(|(_, field)| field));
        fields.map(Field::text).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Texts in quotes: `"a", "b"`.
pub fn quoted<T: AsRef<str>>(items: &[T]) -> String {
    items.iter().map(|item| format!("\"{}\"", item.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The word for one, or for another number.
pub fn plural<'w>(one: &'w str, many: &'w str, count: usize) -> &'w str {
    if count == 1 { one } else { many }
}
