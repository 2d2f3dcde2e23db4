//! Lists and sets.

use super::{Answer, Function, argument, declare};
use crate::policy::budget::{Budget, weight};
use cel::common::types::{CelBool, CelInt, CelList};
use cel::common::value::{CowVal, Val};
use cel::extractors::This;
use cel::{Context, ExecutionError, Value};
use std::cmp::Ordering;
use std::sync::Arc;

type Items = Arc<Vec<Value>>;

/// Adds the functions on lists and sets.
pub fn add(context: &mut Context<'_, '_>, budget: &Budget) {
    add_set(context, budget, "sets.contains", |left, right| right.iter().all(|item| has(left, item.as_ref())));
    add_set(context, budget, "sets.intersects", |left, right| right.iter().any(|item| has(left, item.as_ref())));
    add_set(context, budget, "sets.equivalent", |left, right| {
        right.iter().all(|item| has(left, item.as_ref())) && left.iter().all(|item| has(right, item.as_ref()))
    });
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

pub fn first_index<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<CowVal<'b, 'v>> {
    index(&args, |items, wanted| items.iter().position(|item| item.equals(wanted)))
}

pub fn last_index<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<CowVal<'b, 'v>> {
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

type Members<'a, 'v> = &'a [Box<dyn Val + 'v>];

fn has<'v>(list: Members<'_, 'v>, wanted: &(dyn Val + 'v)) -> bool {
    list.iter().any(|item| item.equals(wanted))
}

fn add_set(
    context: &mut Context<'_, '_>,
    budget: &Budget,
    name: &'static str,
    question: for<'a, 'v> fn(Members<'a, 'v>, Members<'a, 'v>) -> bool,
) {
    let purse = budget.clone();
    let function: Function = Box::new(move |call| {
        let (left, right) = (argument(call, 0)?, argument(call, 1)?);
        let wrong =
            |value: &CowVal<'_, '_>| ExecutionError::no_such_overload(name, vec![value.get_type().name().to_owned()]);
        let items = left.downcast_ref::<CelList>().ok_or_else(|| wrong(&left))?.inner();
        let others = right.downcast_ref::<CelList>().ok_or_else(|| wrong(&right))?.inner();
        // Each item is compared with each, whole.
        let pairs = weight(left.as_ref()).saturating_mul(others.len());
        purse.spend(pairs.saturating_add(weight(right.as_ref()).saturating_mul(items.len())))?;
        Ok(CowVal::owned(CelBool::from(question(items, others))))
    });
    declare(context, name, function);
}
