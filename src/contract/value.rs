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
        let matches = self.pattern.as_ref().is_none_or(|pattern| pattern.matches(value));
        if listed && matches && self.has_form(value) { Judgement::Known } else { Judgement::Unknown }
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
            ValueType::Quantity => Quantity::parse(value).is_ok_and(|quantity| {
                let bound = |text: &Option<String>| text.as_deref().and_then(|text| Quantity::parse(text).ok());
                bound(&self.at_least).is_none_or(|least| quantity >= least)
                    && bound(&self.at_most).is_none_or(|most| quantity <= most)
            }),
            ValueType::Duration => go::duration::parse(value).is_some_and(|duration| {
                let bound = |text: &Option<String>| text.as_deref().and_then(go::duration::parse);
                bound(&self.at_least).is_none_or(|least| duration >= least)
                    && bound(&self.at_most).is_none_or(|most| duration <= most)
            }),
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
        let table: [(ValueType, &[&str], &[&str]); 8] = [
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
            (ValueType::Duration, &["1h30m", "0", "-1.5s"], &["1", "1d", "1 h"]),
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
    fn bounds_and_patterns_hold_beside_the_type() {
        let spec = |text: &str| -> AnnotationSpec { serde_yaml::from_str(text).expect("valid") };
        let quantity = spec("{key: a/b, direction: in, summary: s, type: quantity, atLeast: 10Gi, atMost: 1Ti}");
        let duration = spec("{key: a/b, direction: in, summary: s, type: duration, atLeast: 1m, atMost: 24h}");
        let pattern = spec("{key: a/b, direction: in, summary: s, pattern: 'v[0-9]+|main'}");
        let table: [(&AnnotationSpec, &[&str], &[&str]); 3] = [
            (&quantity, &["10Gi", "10240Mi", "1Ti"], &["9Gi", "2Ti", "10"]),
            (&duration, &["1m", "60s", "24h"], &["59s", "24h1s", "0"]),
            (&pattern, &["v1", "main"], &["v", "xv1", "main2", "v1\n"]),
        ];
        for (spec, good, bad) in table {
            assert!(good.iter().all(|value| spec.judge(value) == Judgement::Known), "{good:?}");
            assert!(bad.iter().all(|value| spec.judge(value) == Judgement::Unknown), "{bad:?}");
        }
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
