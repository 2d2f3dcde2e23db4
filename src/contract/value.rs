//! Whether an annotation's value is one that its provider takes.

use super::{AnnotationSpec, ValueType};
use crate::go;
use crate::quantity::Quantity;

/// How a provider takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every release takes it.
    Known,
    /// Only newer releases know it.
    Newer,
    /// No release knows it.
    Unknown,
    /// It holds a placeholder, so nothing is known before it is filled in.
    Open,
}

/// Whether the text holds `${…}` or `{{…}}`, which some tool fills in before kubectl reads the file.
pub fn has_placeholder(text: &str) -> bool {
    let filled = |open: &str, close: &str| text.split_once(open).is_some_and(|(_, rest)| rest.contains(close));
    filled("${", "}") || filled("{{", "}}")
}

impl AnnotationSpec {
    /// Judges a value that is not empty.
    pub fn judge(&self, value: &str) -> Judgement {
        if has_placeholder(value) {
            return Judgement::Open;
        }
        if self.one_of(&self.newer_values, value) {
            return Judgement::Newer;
        }
        let listed = self.values.is_empty() || self.one_of(&self.values, value);
        if listed && self.has_form(value) { Judgement::Known } else { Judgement::Unknown }
    }

    fn one_of(&self, values: &[String], value: &str) -> bool {
        values.iter().any(|known| if self.fold_case { known.eq_ignore_ascii_case(value) } else { known == value })
    }

    fn has_form(&self, value: &str) -> bool {
        match self.value_type {
            ValueType::Text | ValueType::Enum => true,
            ValueType::Integer => go::atoi(value).is_some_and(|number| {
                self.minimum.is_none_or(|least| number >= least) && self.maximum.is_none_or(|most| number <= most)
            }),
            ValueType::Boolean => matches!(value, "true" | "false"),
            ValueType::Quantity => Quantity::parse(value).is_ok(),
            ValueType::Port => is_port(value),
            ValueType::Path => value.starts_with('/') && go::clean_path(value) == value,
            ValueType::VmName => is_vm_name(value),
            ValueType::Ip => value.parse::<std::net::IpAddr>().is_ok(),
        }
    }
}

fn is_port(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u16>().is_ok_and(|port| port > 0)
}

fn is_vm_name(value: &str) -> bool {
    let tail = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    value.len() <= 63
        && value.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
        && value.bytes().all(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(value_type: ValueType, value: &str) -> bool {
        AnnotationSpec { value_type, ..AnnotationSpec::default() }.judge(value) == Judgement::Known
    }

    #[test]
    fn every_type_has_its_form() {
        let table: [(ValueType, &[&str], &[&str]); 7] = [
            (ValueType::Integer, &["0", "+60", "-1"], &["1h", "", " 1", "1.0"]),
            (ValueType::Boolean, &["true", "false"], &["True", "yes", "1", "true "]),
            (
                ValueType::Quantity,
                &["20Gi", "1.5G", "1e3", "0", "-1", "500m"],
                &["20GB", "20 Gi", "big", "1e", "1.2.3"],
            ),
            (ValueType::Port, &["22", "65535", "08080"], &["0", "65536", "ssh", "22/tcp", "22 ", "+22"]),
            (ValueType::Path, &["/a/b", "/"], &["a", "/a/", "/a/../b", "//a"]),
            (ValueType::VmName, &["a", "A_b.c-1"], &["-a", "a/b", "", " ", "ä", "$(POD_NAME)"]),
            (ValueType::Ip, &["10.0.0.1", "::1"], &["10.0.0", "host", "10.0.0.1/24"]),
        ];
        for (value_type, good, bad) in table {
            for value in good {
                assert!(judge(value_type, value), "{value_type:?} {value}");
            }
            for value in bad {
                assert!(!judge(value_type, value), "{value_type:?} {value}");
            }
        }
        assert!(judge(ValueType::VmName, &"n".repeat(63)));
        assert!(!judge(ValueType::VmName, &"n".repeat(64)));
    }

    #[test]
    fn placeholders_are_left_open() {
        let spec = AnnotationSpec { value_type: ValueType::Integer, ..AnnotationSpec::default() };
        for value in ["${TTL}", "a-${X:-1}", "{{ .Values.ttl }}"] {
            assert_eq!(spec.judge(value), Judgement::Open);
        }
        for value in ["$(TTL)", "$TTL", "${", "}{"] {
            assert_eq!(spec.judge(value), Judgement::Unknown);
        }
    }
}
