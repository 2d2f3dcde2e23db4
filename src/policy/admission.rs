//! ValidatingAdmissionPolicies and their bindings, read as they stand.

use super::expression::{Expression, Variables};
use super::target::{Operator, Requirement, ResourceRule, Scope};
use super::{HouseRule, Origin, missing};
use crate::finding::Severity;
use crate::settings::Reader;
use crate::yaml::Node;

/// The label that every namespace carries, with its name (API server).
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// A policy, before its bindings are known.
#[derive(Clone, Debug)]
pub struct Policy {
    name: String,
    scope: Scope,
    fail_closed: bool,
    conditions: Vec<Expression>,
    validations: Vec<Validation>,
    /// Why it cannot be evaluated, if it cannot.
    obstacle: Option<String>,
    /// Parts of it that cannot be evaluated.
    pub notices: Vec<String>,
}

#[derive(Clone, Debug)]
struct Validation {
    number: usize,
    expression: Expression,
    message: Option<String>,
    message_expression: Option<Expression>,
}

/// A binding of a policy.
#[derive(Clone, Debug)]
pub struct Binding {
    name: String,
    policy: String,
    scope: Scope,
    severity: Severity,
    obstacle: Option<String>,
}

impl Policy {
    /// Reads a policy.
    pub fn read(reader: &Reader, node: &Node<'_>) -> Option<Self> {
        const KEYS: [&str; 7] = [
            "failurePolicy",
            "paramKind",
            "matchConstraints",
            "validations",
            "matchConditions",
            "variables",
            "auditAnnotations",
        ];
        let name = name_of(reader, node)?;
        let mut policy = Self {
            name,
            scope: Scope { resources: Some(Vec::new()), ..Scope::default() },
            fail_closed: true,
            conditions: Vec::new(),
            validations: Vec::new(),
            obstacle: None,
            notices: Vec::new(),
        };
        let Some(spec) = node.get("spec") else {
            reader.complain(node.place(), "a ValidatingAdmissionPolicy needs `spec`");
            return None;
        };
        let fields = reader.fields(spec, "a ValidatingAdmissionPolicy", &KEYS);
        let field = |key: &str| fields.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        if let Some(value) = field("failurePolicy") {
            policy.fail_closed =
                reader.choice(value, "failurePolicy", &[("Fail", true), ("Ignore", false)]).unwrap_or(true);
        }
        if let Some(value) = field("matchConstraints") {
            policy.obstacle = read_match(reader, value, &mut policy.scope);
        }
        let variables = field("variables").map(|value| policy.read_variables(reader, value)).unwrap_or_default();
        for condition in field("matchConditions").into_iter().flat_map(Node::items) {
            policy.read_condition(reader, condition, &variables);
        }
        for (at, validation) in field("validations").into_iter().flat_map(Node::items).enumerate() {
            policy.read_validation(reader, at + 1, validation, &variables);
        }
        Some(policy)
    }

    fn read_variables(&mut self, reader: &Reader, node: &Node<'_>) -> Variables {
        let mut variables = Variables::new();
        for item in node.items() {
            let text = |key: &str| item.get(key).and_then(|value| reader.text(value, key));
            let (Some(name), Some(source)) = (text("name"), text("expression")) else { continue };
            match Expression::compile(&source, &variables) {
                Ok(expression) => variables.push((name, expression)),
                Err(error) => self.notices.push(format!("variable {name} cannot be read: {error}")),
            }
        }
        variables
    }

    fn read_condition(&mut self, reader: &Reader, node: &Node<'_>, variables: &Variables) {
        let name = node.get("name").and_then(Node::as_str).unwrap_or_default();
        let source = node.get("expression").and_then(|value| reader.text(value, "expression"));
        let Some(source) = source else { return };
        match compile(&source, variables) {
            Ok(expression) => self.conditions.push(expression),
            Err(error) => self.obstacle = Some(format!("its match condition {name} {error}")),
        }
    }

    fn read_validation(&mut self, reader: &Reader, number: usize, node: &Node<'_>, variables: &Variables) {
        let fields = reader.fields(node, "a validation", &["expression", "message", "messageExpression", "reason"]);
        let text =
            |key: &str| fields.iter().find(|entry| entry.key == key).and_then(|entry| reader.text(&entry.value, key));
        let Some(source) = text("expression") else {
            reader.complain(node.place(), "a validation needs `expression`");
            return;
        };
        match compile(&source, variables) {
            Ok(expression) => self.validations.push(Validation {
                number,
                expression,
                message: text("message"),
                message_expression: text("messageExpression").and_then(|source| compile(&source, variables).ok()),
            }),
            Err(error) => self.notices.push(format!("validation {number} {error}")),
        }
    }

    /// The rules that come of the policy with its bindings; without one, it counts as if it were bound to deny.
    pub fn rules(&self, bindings: &[Binding], notices: &mut Vec<String>) -> Vec<HouseRule> {
        let about = |what: &str| format!("ValidatingAdmissionPolicy {}: {what}", self.name);
        notices.extend(self.notices.iter().map(|notice| about(&format!("{notice}; it is left out"))));
        if let Some(obstacle) = &self.obstacle {
            notices.push(about(&format!("{obstacle}; the policy is left out")));
            return Vec::new();
        }
        let mine: Vec<&Binding> = bindings.iter().filter(|binding| binding.policy == self.name).collect();
        let mut rules = Vec::new();
        for binding in &mine {
            match &binding.obstacle {
                Some(obstacle) => notices.push(about(&format!("binding {} {obstacle}; it is left out", binding.name))),
                None => rules.extend(self.bound(Some(binding))),
            }
        }
        if mine.is_empty() { self.bound(None).collect() } else { rules }
    }

    fn bound<'p>(&'p self, binding: Option<&'p Binding>) -> impl Iterator<Item = HouseRule> + 'p {
        let several = self.validations.len() > 1;
        self.validations.iter().map(move |validation| HouseRule {
            name: if several { format!("{}/{}", self.name, validation.number) } else { self.name.clone() },
            scopes: [&self.scope].into_iter().chain(binding.map(|binding| &binding.scope)).cloned().collect(),
            severity: binding.map_or(Severity::Error, |binding| binding.severity),
            conditions: self.conditions.clone(),
            expression: validation.expression.clone(),
            message: validation.message.clone(),
            message_expression: validation.message_expression.clone(),
            help: None,
            field: None,
            origin: Origin::Admission {
                policy: self.name.clone(),
                binding: binding.map(|binding| binding.name.clone()),
                fail_closed: self.fail_closed,
            },
        })
    }
}

impl Binding {
    /// Reads a binding.
    pub fn read(reader: &Reader, node: &Node<'_>) -> Option<Self> {
        const ACTIONS: [(&str, Severity); 3] =
            [("Deny", Severity::Error), ("Warn", Severity::Warning), ("Audit", Severity::Note)];
        let name = name_of(reader, node)?;
        let mut binding =
            Self { name, policy: String::new(), scope: Scope::default(), severity: Severity::Note, obstacle: None };
        let Some(spec) = node.get("spec") else { return Some(binding) };
        for entry in
            reader.fields(spec, "a binding", &["policyName", "validationActions", "matchResources", "paramRef"])
        {
            match entry.key.as_ref() {
                "policyName" => binding.policy = reader.text(&entry.value, "policyName").unwrap_or_default(),
                "validationActions" => {
                    let actions =
                        entry.value.items().filter_map(|item| reader.choice(item, "validationActions", &ACTIONS));
                    binding.severity = actions.max().unwrap_or(Severity::Note);
                }
                "matchResources" => binding.obstacle = read_match(reader, &entry.value, &mut binding.scope),
                _ => {}
            }
        }
        Some(binding)
    }
}

fn name_of(reader: &Reader, node: &Node<'_>) -> Option<String> {
    let name = node.at(&["metadata", "name"]).and_then(|name| reader.text(name, "metadata.name"));
    if name.is_none() {
        reader.complain(node.place(), "a policy needs `metadata.name`");
    }
    name
}

/// Compiles an expression that a cluster runs; the error completes a sentence.
fn compile(source: &str, variables: &Variables) -> Result<Expression, String> {
    let expression = Expression::compile(source, variables).map_err(|error| format!("cannot be read: {error}"))?;
    match missing(&expression) {
        Some(what) => Err(format!("needs {what}, which is not known without a cluster")),
        None => Ok(expression),
    }
}

/// Reads matchConstraints or matchResources; the answer is what of it depends on a cluster.
fn read_match(reader: &Reader, node: &Node<'_>, scope: &mut Scope) -> Option<String> {
    const KEYS: [&str; 5] =
        ["resourceRules", "excludeResourceRules", "namespaceSelector", "objectSelector", "matchPolicy"];
    let mut obstacle = None;
    for entry in reader.fields(node, "the match", &KEYS) {
        match entry.key.as_ref() {
            "resourceRules" => {
                let rules: Vec<ResourceRule> =
                    entry.value.items().filter_map(|item| read_resource_rule(reader, item)).collect();
                if rules.is_empty() && entry.value.items().next().is_some() {
                    obstacle = Some("it is not meant for objects that are created".into());
                }
                scope.resources = Some(rules);
            }
            "excludeResourceRules" => {
                scope.except_resources =
                    entry.value.items().filter_map(|item| read_resource_rule(reader, item)).collect();
            }
            "objectSelector" => scope.labels = read_selector(reader, &entry.value),
            "namespaceSelector" => {
                scope.namespace_names = read_selector(reader, &entry.value);
                if let Some(other) = scope.namespace_names.iter().find(|one| one.key != NAMESPACE_NAME) {
                    obstacle = Some(format!(
                        "it selects namespaces by the label {}, which is not known without a cluster",
                        other.key
                    ));
                }
            }
            _ => {}
        }
    }
    obstacle
}

/// A resource rule, if it is meant for objects that are created.
fn read_resource_rule(reader: &Reader, node: &Node<'_>) -> Option<ResourceRule> {
    let keys = ["apiGroups", "apiVersions", "operations", "resources", "resourceNames", "scope"];
    let fields = reader.fields(node, "a resource rule", &keys);
    let list = |key: &str| {
        let entry = fields.iter().find(|entry| entry.key == key);
        entry.map(|entry| reader.texts(&entry.value, key)).unwrap_or_default()
    };
    let operations = list("operations");
    let creates = operations.iter().any(|operation| operation == "CREATE" || operation == "*");
    creates.then(|| ResourceRule {
        groups: list("apiGroups"),
        versions: list("apiVersions"),
        resources: list("resources"),
        names: list("resourceNames"),
    })
}

fn read_selector(reader: &Reader, node: &Node<'_>) -> Vec<Requirement> {
    const OPERATORS: [(&str, Operator); 4] = [
        ("In", Operator::In),
        ("NotIn", Operator::NotIn),
        ("Exists", Operator::Exists),
        ("DoesNotExist", Operator::DoesNotExist),
    ];
    let mut requirements = Vec::new();
    for entry in reader.fields(node, "a selector", &["matchLabels", "matchExpressions"]) {
        if entry.key == "matchLabels" {
            let pairs = reader.pairs(&entry.value, "matchLabels").into_iter();
            requirements.extend(pairs.map(|(key, value)| Requirement::equal(key, value)));
            continue;
        }
        for item in entry.value.items() {
            let key = item.get("key").and_then(|key| reader.text(key, "key"));
            let operator = item.get("operator").and_then(|value| reader.choice(value, "operator", &OPERATORS));
            let values = item.get("values").map(|values| reader.texts(values, "values")).unwrap_or_default();
            if let (Some(key), Some(operator)) = (key, operator) {
                requirements.push(Requirement { key, operator, values });
            }
        }
    }
    requirements
}
