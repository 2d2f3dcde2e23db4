//! What quantities and versions have in common: their order.

use super::quantities::Amount;
use super::versions::Version;
use super::{Answer, Any, declare};
use cel::extractors::This;
use cel::{Context, ExecutionError};
use std::cmp::Ordering;

/// Adds `compareTo`, `isGreaterThan` and `isLessThan`.
pub fn add(context: &mut Context<'_, '_>) {
    declare(context, "compareTo", |This(left): This<Any>, right: Any| -> Answer<i64> {
        Ok(compare("compareTo", &left, &right)? as i64)
    });
    declare(context, "isGreaterThan", |This(left): This<Any>, right: Any| -> Answer<bool> {
        Ok(compare("isGreaterThan", &left, &right)? == Ordering::Greater)
    });
    declare(context, "isLessThan", |This(left): This<Any>, right: Any| -> Answer<bool> {
        Ok(compare("isLessThan", &left, &right)? == Ordering::Less)
    });
}

fn compare(function: &str, left: &Any, right: &Any) -> Answer<Ordering> {
    if let (Some(left), Some(right)) = (left.downcast_ref::<Amount>(), right.downcast_ref::<Amount>()) {
        return Ok(left.quantity.cmp(&right.quantity));
    }
    if let (Some(left), Some(right)) = (left.downcast_ref::<Version>(), right.downcast_ref::<Version>()) {
        return Ok(left.compare(right));
    }
    let types = [left, right].map(|value| value.runtime_type_name().to_owned());
    Err(ExecutionError::no_such_overload(function, types.to_vec()))
}
