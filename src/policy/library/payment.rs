//! What expressions are made to pay with, see `budget.rs`.

use super::{Function, argument, declare};
use crate::policy::budget::{Budget, PAID, RANGE, SPLIT};
use cel::common::types::{CelInt, CelList, CelMap, CelMapKey, CelString};
use cel::common::value::{CowVal, Val};
use cel::{Context, Value};

pub fn add(context: &mut Context<'_, '_>, budget: &Budget) {
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
