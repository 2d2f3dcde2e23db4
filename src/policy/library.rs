//! The functions that expressions can call: CEL's own, its string extension, and Kubernetes' for regular expressions,
//! lists and quantities.

use super::budget::{Budget, JOIN, PAID, RANGE, REPLACE, SPLIT};
use crate::quantity::Quantity;
use cel::common::ast::{Expr, IdedExpr};
use cel::common::types::{CelInt, CelList, CelMap, CelMapKey, CelString, DYN_TYPE, LIST_TYPE};
use cel::common::value::{CowVal, Val};
use cel::extractors::This;
use cel::objects::Opaque;
use cel::{Context, Env, ExecutionError, FunctionContext, Value, extensions};
use regex::{Regex, RegexBuilder};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Names that functions are grouped under.
pub const NAMESPACES: [&str; 2] = ["optional", "strings"];

/// Every function that can be called, by its name; macros such as `has` and `all` are none.
pub const FUNCTIONS: [&str; 57] = [
    "add",
    "asApproximateFloat",
    "asInteger",
    "bool",
    "bytes",
    "charAt",
    "compareTo",
    "contains",
    "double",
    "dyn",
    "endsWith",
    "find",
    "findAll",
    "format",
    "hasValue",
    "indexOf",
    "int",
    "isGreaterThan",
    "isInteger",
    "isLessThan",
    "isQuantity",
    "isSorted",
    "join",
    "lastIndexOf",
    "lowerAscii",
    "matches",
    "max",
    "min",
    "optional.none",
    "optional.of",
    "optional.ofNonZeroValue",
    "or",
    "orValue",
    "quantity",
    "replace",
    "reverse",
    "sign",
    "size",
    "split",
    "startsWith",
    "string",
    "strings.quote",
    "substring",
    "sum",
    "trim",
    "type",
    "uint",
    "upperAscii",
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

/// The largest compiled regular expression, in bytes.
const REGEX_SIZE: usize = 1 << 20;

/// What compiling a regular expression costs, in steps.
const REGEX_STEPS: usize = 2_000;

/// Regular expressions that are kept compiled.
const REGEXES_KEPT: usize = 256;

type Answer<T> = Result<T, ExecutionError>;
type Function =
    Box<dyn for<'c, 'v> Fn(&mut FunctionContext<'c, 'v>) -> Result<CowVal<'c, 'v>, ExecutionError> + Send + Sync>;

/// The language: macros, operators and functions that need no purse.
pub fn environment() -> Arc<Env> {
    static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
        let mut env = Env::stdlib();
        extensions::strings(&mut env).expect("declared once");
        let any = || vec![DYN_TYPE];
        env.add_member_overload("indexOf", "list.indexOf(dyn)", LIST_TYPE, any(), first_index).expect("declared once");
        env.add_member_overload("lastIndexOf", "list.lastIndexOf(dyn)", LIST_TYPE, any(), last_index)
            .expect("declared once");
        Arc::new(env)
    });
    Arc::clone(&ENVIRONMENT)
}

/// Whether a call's target is the name of a group of functions.
pub fn is_namespace(target: Option<&IdedExpr>) -> bool {
    matches!(target.map(|target| &target.expr), Some(Expr::Ident(name)) if NAMESPACES.contains(&name.as_str()))
}

/// A context with all functions, whose evaluations pay from `budget`.
pub fn context(budget: &Budget) -> Context<'static, 'static> {
    let mut context = Context::with_env(environment());
    add_payment(&mut context, budget);
    add_texts(&mut context, budget);
    add_lists(&mut context);
    add_quantities(&mut context);
    context
}

fn declare<T: 'static>(
    context: &mut Context<'_, '_>,
    name: &str,
    function: impl cel::extractors::IntoFunction<T> + Send + Sync + 'static,
) {
    context.add_function(name, function).expect("no overload has this name");
}

fn add_payment(context: &mut Context<'_, '_>, budget: &Budget) {
    let purse = budget.clone();
    let paid: Function = Box::new(move |call| {
        let value = argument(call, 0)?;
        purse.spend_for(value.as_ref())?;
        Ok(value)
    });
    declare(context, PAID, paid);
    let purse = budget.clone();
    let split: Function = Box::new(move |call| {
        let value = argument(call, 0)?;
        purse.spend(value.downcast_ref::<CelString>().map_or(1, |text| text.inner().len()))?;
        Ok(value)
    });
    declare(context, SPLIT, split);
    let purse = budget.clone();
    let range: Function = Box::new(move |call| {
        let (value, turn) = (argument(call, 0)?, argument(call, 1)?);
        let turn = turn.downcast_ref::<CelInt>().map_or(1, |turn| usize::try_from(*turn.inner()).unwrap_or(1));
        purse.spend_for(value.as_ref())?;
        let turns = value.as_sizer().map_or(0, |sizer| usize::try_from(*sizer.size().inner()).unwrap_or(0));
        purse.spend(turns.saturating_mul(turn))?;
        match value.downcast_ref::<CelMap>() {
            Some(map) => Ok(CowVal::owned(sorted_keys(map))),
            None => Ok(value),
        }
    });
    declare(context, RANGE, range);
}

fn argument<'c, 'v>(call: &FunctionContext<'c, 'v>, at: usize) -> Answer<CowVal<'c, 'v>> {
    call.args.get(at).cloned().ok_or_else(|| ExecutionError::invalid_argument_count(at + 1, call.args.len()))
}

fn sorted_keys<'v>(map: &CelMap<'v>) -> CelList<'v> {
    let mut keys: Vec<&CelMapKey<'v>> = map.inner().keys().collect();
    keys.sort_by_key(|key| key_order(key.inner()));
    CelList::from(keys.into_iter().map(|key| key.inner().clone_as_boxed()).collect::<Vec<Box<dyn Val + 'v>>>())
}

fn key_order(key: &dyn Val) -> (Option<i64>, String) {
    match Value::try_from(key) {
        Ok(Value::String(text)) => (None, text.to_string()),
        Ok(Value::Int(number)) => (Some(number), String::new()),
        Ok(other) => (None, format!("{other:?}")),
        Err(_) => (None, String::new()),
    }
}

fn add_texts(context: &mut Context<'_, '_>, budget: &Budget) {
    let purse = budget.clone();
    declare(context, "matches", move |This(text): This<Arc<String>>, pattern: Arc<String>| -> Answer<bool> {
        Ok(regex(&pattern, &purse)?.is_match(&text))
    });
    let purse = budget.clone();
    declare(context, "find", move |This(text): This<Arc<String>>, pattern: Arc<String>| -> Answer<Value> {
        let found = regex(&pattern, &purse)?.find(&text).map(|found| found.as_str()).unwrap_or_default();
        Ok(Value::from(found))
    });
    let purse = budget.clone();
    declare(
        context,
        "findAll",
        move |call: &FunctionContext<'_, '_>, This(text): This<Arc<String>>, pattern: Arc<String>| -> Answer<Value> {
            let most = match call.args.get(1).map(|limit| Value::try_from(limit.as_ref())) {
                Some(Ok(Value::Int(limit))) if limit >= 0 => limit as usize,
                _ => usize::MAX,
            };
            let regex = regex(&pattern, &purse)?;
            let found = regex.find_iter(&text).take(most).map(|found| Value::from(found.as_str()));
            Ok(Value::List(Arc::new(found.collect())))
        },
    );
    let purse = budget.clone();
    let replace: Function = Box::new(move |call| replace(call, &purse));
    declare(context, REPLACE, replace);
    let purse = budget.clone();
    let join: Function = Box::new(move |call| join(call, &purse));
    declare(context, JOIN, join);
}

fn regex(pattern: &str, purse: &Budget) -> Answer<Regex> {
    static KEPT: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);
    purse.spend(REGEX_STEPS)?;
    let kept = KEPT.lock().ok().and_then(|kept| kept.get(pattern).cloned());
    if let Some(regex) = kept {
        return Ok(regex);
    }
    let built = RegexBuilder::new(pattern).size_limit(REGEX_SIZE).build();
    let regex = built.map_err(|error| {
        let reason = error.to_string();
        let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
        ExecutionError::function_error("matches", format!("`{pattern}` is no regular expression: {last}"))
    })?;
    if let Ok(mut kept) = KEPT.lock() {
        if kept.len() >= REGEXES_KEPT {
            kept.clear();
        }
        kept.insert(pattern.to_owned(), regex.clone());
    }
    Ok(regex)
}

fn text_of<'b>(value: &'b dyn Val, function: &str) -> Answer<&'b str> {
    let wrong = || ExecutionError::no_such_overload(function, vec![value.get_type().name().to_owned()]);
    value.downcast_ref::<CelString>().map(CelString::inner).ok_or_else(wrong)
}

/// `text.replace(old, new[, limit])`; what it builds is paid for before it is built.
fn replace<'c, 'v>(call: &FunctionContext<'c, 'v>, purse: &Budget) -> Answer<CowVal<'c, 'v>> {
    let this = call.this.as_ref().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let (old, new) = (argument(call, 0)?, argument(call, 1)?);
    let text = text_of(this.as_ref(), "replace")?;
    let (old, new) = (text_of(old.as_ref(), "replace")?, text_of(new.as_ref(), "replace")?);
    let most = match call.args.get(2).map(|limit| Value::try_from(limit.as_ref())) {
        Some(Ok(Value::Int(limit))) if limit >= 0 => limit as usize,
        _ => usize::MAX,
    };
    let times = text.matches(old).take(most).count();
    purse.spend(times.saturating_mul(new.len()) / 16 + text.len() / 16)?;
    Ok(CowVal::owned(CelString::from(text.replacen(old, new, times))))
}

/// `list.join([separator])`; what it builds is paid for before it is built.
fn join<'c, 'v>(call: &FunctionContext<'c, 'v>, purse: &Budget) -> Answer<CowVal<'c, 'v>> {
    let this = call.this.as_ref().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let list = this
        .downcast_ref::<CelList>()
        .ok_or_else(|| ExecutionError::no_such_member_overload("join", vec![this.get_type().name().to_owned()]))?;
    let separator = call.args.first().map(|separator| text_of(separator.as_ref(), "join")).transpose()?.unwrap_or("");
    let texts = list.inner().iter().map(|item| text_of(item.as_ref(), "join")).collect::<Answer<Vec<_>>>()?;
    let length: usize = texts.iter().map(|text| text.len()).sum();
    purse.spend((length + texts.len().saturating_mul(separator.len())) / 16)?;
    Ok(CowVal::owned(CelString::from(texts.join(separator))))
}

type Items = Arc<Vec<Value>>;

fn add_lists(context: &mut Context<'_, '_>) {
    declare(context, "isSorted", |This(list): This<Items>| -> Answer<bool> {
        let pairs = list.windows(2).map(|pair| compare("isSorted", &pair[0], &pair[1]));
        Ok(pairs.collect::<Answer<Vec<_>>>()?.into_iter().all(|order| order != Ordering::Greater))
    });
    declare(context, "min", |This(list): This<Items>| -> Answer<Value> { extreme("min", &list, Ordering::Less) });
    declare(context, "max", |This(list): This<Items>| -> Answer<Value> { extreme("max", &list, Ordering::Greater) });
    declare(context, "sum", |This(list): This<Items>| -> Answer<Value> {
        let mut items = list.iter().cloned();
        let first = items.next().unwrap_or(Value::Int(0));
        if !matches!(first, Value::Int(_) | Value::UInt(_) | Value::Float(_)) {
            return Err(ExecutionError::function_error("sum", "the items are no numbers"));
        }
        items.try_fold(first, |sum, item| sum + item)
    });
}

fn compare(function: &str, left: &Value, right: &Value) -> Answer<Ordering> {
    left.partial_cmp(right).ok_or_else(|| ExecutionError::function_error(function, "the items cannot be compared"))
}

fn extreme(function: &str, list: &Items, wanted: Ordering) -> Answer<Value> {
    let mut items = list.iter();
    let first = items.next().ok_or_else(|| ExecutionError::function_error(function, "the list is empty"))?;
    let best = items.try_fold(first, |best, item| {
        compare(function, item, best).map(|order| if order == wanted { item } else { best })
    })?;
    Ok(best.clone())
}

fn first_index<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<CowVal<'b, 'v>> {
    index(&args, |items, wanted| items.iter().position(|item| item.equals(wanted)))
}

fn last_index<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<CowVal<'b, 'v>> {
    index(&args, |items, wanted| items.iter().rposition(|item| item.equals(wanted)))
}

fn index<'b, 'v>(
    args: &[CowVal<'b, 'v>],
    search: impl Fn(&[Box<dyn Val + 'v>], &(dyn Val + 'v)) -> Option<usize>,
) -> Answer<CowVal<'b, 'v>> {
    let [list, wanted] = args else { return Err(ExecutionError::invalid_argument_count(2, args.len())) };
    let items = list.downcast_ref::<CelList>().map(CelList::inner).unwrap_or_default();
    let at = search(items, wanted.as_ref()).map_or(-1, |at| at as i64);
    Ok(CowVal::owned(CelInt::from(at)))
}

/// A quantity as a value of the language.
#[derive(Debug, PartialEq, Eq)]
struct Amount(Quantity);

impl Opaque for Amount {
    fn runtime_type_name(&self) -> &str {
        "kubernetes.Quantity"
    }
}

fn amount<'v>(function: &str, value: &'v Arc<dyn Opaque>) -> Answer<&'v Quantity> {
    let wrong = || ExecutionError::function_error(function, "it is no quantity");
    value.downcast_ref::<Amount>().map(|amount| &amount.0).ok_or_else(wrong)
}

type Any = Arc<dyn Opaque>;

fn add_quantities(context: &mut Context<'_, '_>) {
    declare(context, "quantity", |text: Arc<String>| -> Answer<Value> {
        let parsed = Quantity::parse(&text).map_err(|error| ExecutionError::function_error("quantity", error))?;
        Ok(Value::Opaque(Arc::new(Amount(parsed))))
    });
    declare(context, "isQuantity", |text: Arc<String>| -> bool { Quantity::parse(&text).is_ok() });
    declare(context, "compareTo", |This(left): This<Any>, right: Any| -> Answer<i64> {
        Ok(amount("compareTo", &left)?.cmp(amount("compareTo", &right)?) as i64)
    });
    declare(context, "isGreaterThan", |This(left): This<Any>, right: Any| -> Answer<bool> {
        Ok(amount("isGreaterThan", &left)? > amount("isGreaterThan", &right)?)
    });
    declare(context, "isLessThan", |This(left): This<Any>, right: Any| -> Answer<bool> {
        Ok(amount("isLessThan", &left)? < amount("isLessThan", &right)?)
    });
    declare(context, "add", |This(left): This<Any>, right: Any| -> Answer<Value> {
        let sum = amount("add", &left)?.plus(amount("add", &right)?);
        Ok(Value::Opaque(Arc::new(Amount(sum))))
    });
    declare(context, "sign", |This(this): This<Any>| -> Answer<i64> {
        let amount = amount("sign", &this)?;
        Ok(if amount.is_zero() {
            0
        } else if amount.is_negative() {
            -1
        } else {
            1
        })
    });
    declare(context, "isInteger", |This(this): This<Any>| -> Answer<bool> { Ok(whole(&this)?.is_some()) });
    declare(context, "asInteger", |This(this): This<Any>| -> Answer<i64> {
        whole(&this)?.ok_or_else(|| ExecutionError::function_error("asInteger", "it is no whole number of 64 bits"))
    });
    declare(context, "asApproximateFloat", |This(this): This<Any>| -> Answer<f64> {
        Ok(amount("asApproximateFloat", &this)?.milli_value() as f64 / 1000.0)
    });
}

/// The amount as a whole number, if it is one that 64 bits hold.
fn whole(this: &Any) -> Answer<Option<i64>> {
    let amount = amount("asInteger", this)?;
    let value = amount.value();
    Ok((amount.is_integer() && Quantity::from_int(value) == *amount).then_some(value))
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
