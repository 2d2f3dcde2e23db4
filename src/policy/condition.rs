//! Conditions of a backend's contract: CEL over the Pod that a provider is asked to create.

use super::budget::Budget;
use super::check::{Evaluator, Verdict};
use super::expression::{Expression, STACK};
use super::{TYPES, library, value};
use crate::resource::pod::{Meta, PodPlan};
use crate::suggest;
use crate::yaml::Node;

/// What a condition can look at.
pub const VARIABLES: [&str; 4] = ["pod", "annotations", "labels", "object"];

/// Compiles a condition.
///
/// # Errors
/// What is wrong with it, as a clause.
pub fn compile(source: &str) -> Result<Expression, String> {
    let expression = Expression::compile(source, &Vec::new())?;
    for name in &expression.names {
        let root = name.split('.').next().unwrap_or(name);
        if !VARIABLES.contains(&root) && !TYPES.contains(&name.as_str()) {
            return Err(unknown(&format!("names `{root}`"), suggest::nearest(root, VARIABLES)));
        }
    }
    match expression.functions.iter().find(|name| !library::FUNCTIONS.contains(&name.as_str())) {
        Some(name) => Err(unknown(&format!("calls `{name}`"), suggest::nearest(name, library::FUNCTIONS))),
        None => Ok(expression),
    }
}

fn unknown(what: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("it {what}, which does not exist here; did you mean `{near}`?"),
        None => format!("it {what}, which does not exist here; it can look at {}", VARIABLES.join(", ")),
    }
}

/// Evaluates conditions on one Pod, in their order; an error is the reason why one has no answer.
pub fn decide(conditions: &[&Expression], plan: &PodPlan<'_>, object: &Node<'_>) -> Vec<Result<bool, String>> {
    if conditions.is_empty() {
        return Vec::new();
    }
    // Evaluation descends with the nesting of an expression, further than an ordinary thread's stack allows.
    let answers = std::thread::scope(|scope| {
        let run = || evaluate(conditions, plan, object);
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        worker.ok()?.join().ok()
    });
    answers.unwrap_or_else(|| conditions.iter().map(|_| Err("the evaluation breaks down".into())).collect())
}

fn evaluate(conditions: &[&Expression], plan: &PodPlan<'_>, object: &Node<'_>) -> Vec<Result<bool, String>> {
    let budget = Budget::default();
    let mut context = library::context(&budget);
    let metas = |metas: &[Meta]| value::map(metas.iter().map(|meta| (meta.key.clone(), value::text(&meta.value))));
    context.add_variable_from_value("pod", value::from_plan(plan));
    context.add_variable_from_value("annotations", metas(&plan.annotations));
    context.add_variable_from_value("labels", metas(&plan.labels));
    context.add_variable_from_value("object", value::from_node(object));
    let evaluator = Evaluator { budget, context };
    let decide = |condition: &&Expression| match evaluator.decide(condition) {
        Verdict::Holds => Ok(true),
        Verdict::Broken => Ok(false),
        Verdict::Undecided(reason) => Err(reason),
    };
    conditions.iter().map(decide).collect()
}
