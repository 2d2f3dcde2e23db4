//! Regular expressions, and the functions on texts whose results can be large.

use super::{Answer, Function, argument, declare};
use crate::policy::budget::{Budget, JOIN, REPLACE};
use cel::common::types::{CelList, CelString};
use cel::common::value::{CowVal, Val};
use cel::extractors::This;
use cel::{Context, ExecutionError, FunctionContext, Value};
use regex::{Regex, RegexBuilder};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The largest compiled regular expression, in bytes.
const REGEX_SIZE: usize = 1 << 20;

/// What compiling a regular expression costs, in steps.
const REGEX_STEPS: usize = 2_000;

/// Regular expressions that are kept compiled.
const REGEXES_KEPT: usize = 256;

pub fn add(context: &mut Context<'_, '_>, budget: &Budget) {
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
