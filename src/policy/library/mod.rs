//! The functions that expressions can call: CEL's own, its string extension, and Kubernetes' for regular expressions,
//! lists, quantities, times, URLs, addresses and versions: one file for each family.

use super::budget::Budget;
use cel::common::ast::{CallExpr, Expr};
use cel::common::types::{DYN_TYPE, LIST_TYPE, Type};
use cel::common::value::CowVal;
use cel::objects::Opaque;
use cel::{Context, Env, ExecutionError, FunctionContext, Value, extensions};
use std::sync::{Arc, LazyLock};

mod addresses;
mod lists;
mod order;
mod payment;
mod quantities;
mod texts;
mod times;
mod urls;
mod versions;

/// Names that functions are grouped under.
const NAMESPACES: [&str; 4] = ["ip", "optional", "sets", "strings"];

/// Every function that can be called, by its name; macros such as `has` and `all` are none.
pub const FUNCTIONS: [&str; 101] = [
    "add",
    "asApproximateFloat",
    "asInteger",
    "bool",
    "bytes",
    "charAt",
    "cidr",
    "compareTo",
    "contains",
    "containsCIDR",
    "containsIP",
    "double",
    "duration",
    "dyn",
    "endsWith",
    "family",
    "find",
    "findAll",
    "format",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getEscapedPath",
    "getFullYear",
    "getHost",
    "getHostname",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getPort",
    "getQuery",
    "getScheme",
    "getSeconds",
    "hasValue",
    "indexOf",
    "int",
    "ip",
    "ip.isCanonical",
    "isCIDR",
    "isGlobalUnicast",
    "isGreaterThan",
    "isIP",
    "isInteger",
    "isLessThan",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isLoopback",
    "isQuantity",
    "isSemver",
    "isSorted",
    "isURL",
    "isUnspecified",
    "join",
    "lastIndexOf",
    "lowerAscii",
    "major",
    "masked",
    "matches",
    "max",
    "min",
    "minor",
    "optional.none",
    "optional.of",
    "optional.ofNonZeroValue",
    "or",
    "orValue",
    "patch",
    "prefixLength",
    "quantity",
    "replace",
    "reverse",
    "semver",
    "sets.contains",
    "sets.equivalent",
    "sets.intersects",
    "sign",
    "size",
    "split",
    "startsWith",
    "string",
    "strings.quote",
    "sub",
    "substring",
    "sum",
    "timestamp",
    "trim",
    "type",
    "uint",
    "upperAscii",
    "url",
    "value",
    // What follows are macros that stay calls when their arguments do not fit.
    "all",
    "exists",
    "exists_one",
    "filter",
    "has",
    "map",
    "optFlatMap",
    "optMap",
];

type Answer<T> = Result<T, ExecutionError>;
type Any = Arc<dyn Opaque>;
type Function =
    Box<dyn for<'c, 'v> Fn(&mut FunctionContext<'c, 'v>) -> Result<CowVal<'c, 'v>, ExecutionError> + Send + Sync>;

/// The language: macros, operators and functions that need no purse.
pub fn environment() -> Arc<Env> {
    static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
        let mut env = Env::stdlib();
        extensions::strings(&mut env).expect("declared once");
        let any = || vec![DYN_TYPE];
        env.add_member_overload("indexOf", "list.indexOf(dyn)", LIST_TYPE, any(), lists::first_index)
            .expect("declared once");
        env.add_member_overload("lastIndexOf", "list.lastIndexOf(dyn)", LIST_TYPE, any(), lists::last_index)
            .expect("declared once");
        for name in [addresses::ADDRESS, addresses::NETWORK] {
            let id = format!("string({name})");
            let types = vec![Type::new_opaque_type(name)];
            env.add_overload("string", &id, types, addresses::to_string).expect("declared once");
        }
        Arc::new(env)
    });
    Arc::clone(&ENVIRONMENT)
}

/// The full name of a function that is grouped under a name, as `optional.of`; `None` where the target is a value.
pub fn grouped(call: &CallExpr) -> Option<String> {
    let Expr::Ident(group) = &call.target.as_deref()?.expr else { return None };
    let name = format!("{group}.{}", call.func_name);
    // `ip` is a likely name for a variable of a loop, so there the function counts too.
    (NAMESPACES.contains(&group.as_str()) && (group != "ip" || FUNCTIONS.contains(&name.as_str()))).then_some(name)
}

/// A context with all functions, whose evaluations pay from `budget`.
pub fn context(budget: &Budget) -> Context<'static, 'static> {
    let mut context = Context::with_env(environment());
    payment::add(&mut context, budget);
    texts::add(&mut context, budget);
    lists::add(&mut context, budget);
    quantities::add(&mut context);
    versions::add(&mut context);
    order::add(&mut context);
    times::add(&mut context);
    urls::add(&mut context, budget);
    addresses::add(&mut context);
    context
}

fn declare<T: 'static>(
    context: &mut Context<'_, '_>,
    name: &str,
    function: impl cel::extractors::IntoFunction<T> + Send + Sync + 'static,
) {
    context.add_function(name, function).expect("no overload has this name");
}

fn argument<'c, 'v>(call: &FunctionContext<'c, 'v>, at: usize) -> Answer<CowVal<'c, 'v>> {
    call.args.get(at).cloned().ok_or_else(|| ExecutionError::invalid_argument_count(at + 1, call.args.len()))
}

/// A value of a type that the language does not know.
fn opaque(value: impl Opaque) -> Value {
    Value::Opaque(Arc::new(value))
}

/// The name of a value's type, for messages.
fn text(value: &Value) -> String {
    value.type_of().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::expression::Expression;

    const MACROS: [&str; 8] = ["all", "exists", "exists_one", "filter", "has", "map", "optFlatMap", "optMap"];

    #[test]
    fn every_function_that_is_listed_exists() {
        let budget = Budget::default();
        let context = context(&budget);
        for name in FUNCTIONS.iter().filter(|name| !MACROS.contains(name)) {
            let known = [format!("{name}()"), format!("''.{name}()")].into_iter().any(|call| {
                let expression = Expression::compile(&call, &Vec::new()).expect(name);
                let result = Value::resolve(&expression.paying, &context);
                !matches!(result, Err(ExecutionError::UndeclaredReference(_)))
            });
            assert!(known, "{name}");
        }
    }

    #[test]
    fn a_function_that_is_not_listed_is_told_apart() {
        let expression = Expression::compile("now()", &Vec::new()).expect("parsed");
        let answer = Value::resolve(&expression.paying, &context(&Budget::default()));
        assert!(matches!(answer, Err(ExecutionError::UndeclaredReference(_))));
    }
}
