//! Tolerations and the taints they cover, as the scheduler compares them.

use crate::contract::Taint;
use crate::yaml::Node;

/// One toleration of a Pod.
#[derive(Clone, Debug)]
pub struct Toleration<'a> {
    /// The item as written.
    pub node: &'a Node<'a>,
    /// The key; empty covers every key.
    pub key: &'a str,
    /// `Equal` when nothing is written.
    pub operator: &'a str,
    /// The value; empty when absent.
    pub value: &'a str,
    /// The effect; empty covers every effect.
    pub effect: &'a str,
}

impl<'a> Toleration<'a> {
    /// Reads one item of `tolerations`.
    pub fn read(node: &'a Node<'a>) -> Self {
        let text = |field: &str| node.get(field).and_then(Node::as_str).unwrap_or_default();
        let operator = if text("operator").is_empty() { "Equal" } else { text("operator") };
        Self { node, key: text("key"), operator, value: text("value"), effect: text("effect") }
    }

    /// Whether it covers a taint (API `Toleration.ToleratesTaint`).
    pub fn covers(&self, taint: &Taint) -> bool {
        self.covers_key(taint) && self.covers_effect(taint) && self.covers_value(taint)
    }

    /// Whether the key covers that of a taint.
    pub fn covers_key(&self, taint: &Taint) -> bool {
        self.key.is_empty() || self.key == taint.key
    }

    /// Whether the effect covers that of a taint.
    pub fn covers_effect(&self, taint: &Taint) -> bool {
        self.effect.is_empty() || self.effect == taint.effect
    }

    /// Whether operator and value cover the value of a taint.
    pub fn covers_value(&self, taint: &Taint) -> bool {
        let numbers = || Some((taint.value.parse::<i64>().ok()?, self.value.parse::<i64>().ok()?));
        match self.operator {
            "Exists" => true,
            "Equal" => self.value == taint.value,
            "Lt" => numbers().is_some_and(|(taint, own)| taint < own),
            "Gt" => numbers().is_some_and(|(taint, own)| taint > own),
            _ => false,
        }
    }
}

/// The first taint that keeps a Pod off a node: only `NoSchedule` and `NoExecute` do.
pub fn first_untolerated<'t>(taints: &'t [Taint], tolerations: &[Toleration<'_>]) -> Option<&'t Taint> {
    taints
        .iter()
        .filter(|taint| matches!(taint.effect.as_str(), "NoSchedule" | "NoExecute"))
        .find(|taint| !tolerations.iter().any(|toleration| toleration.covers(taint)))
}
