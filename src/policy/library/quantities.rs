//! Kubernetes quantities.

use super::{Answer, Any, declare, opaque, text};
use crate::quantity::Quantity;
use cel::extractors::This;
use cel::objects::Opaque;
use cel::{Context, ExecutionError, Value};
use std::sync::Arc;

/// A quantity as a value of the language.
#[derive(Debug)]
pub struct Amount {
    /// The amount.
    pub quantity: Quantity,
    /// Whether Go holds it as an integer of 64 bits with a scale that is not negative, which is what `isInteger` asks:
    /// `1000m`, `1.0` and `1.5Gi` are none.
    whole: bool,
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.quantity == other.quantity
    }
}

impl Eq for Amount {}

impl Opaque for Amount {
    fn runtime_type_name(&self) -> &str {
        "kubernetes.Quantity"
    }
}

/// Adds the functions that only quantities have.
pub fn add(context: &mut Context<'_, '_>) {
    declare(context, "quantity", |text: Arc<String>| -> Answer<Value> {
        let quantity = parse(&text).map_err(|error| ExecutionError::function_error("quantity", error))?;
        Ok(opaque(Amount { quantity, whole: is_whole(&text) }))
    });
    declare(context, "isQuantity", |text: Arc<String>| -> bool { parse(&text).is_ok() });
    declare(context, "add", |This(left): This<Any>, right: Value| -> Answer<Value> {
        sum("add", amount("add", &left)?, &right, false)
    });
    declare(context, "sub", |This(left): This<Any>, right: Value| -> Answer<Value> {
        sum("sub", amount("sub", &left)?, &right, true)
    });
    declare(context, "sign", |This(this): This<Any>| -> Answer<i64> {
        let quantity = &amount("sign", &this)?.quantity;
        Ok(quantity.cmp(&Quantity::zero()) as i64)
    });
    declare(context, "isInteger", |This(this): This<Any>| -> Answer<bool> {
        Ok(whole(amount("isInteger", &this)?).is_some())
    });
    declare(context, "asInteger", |This(this): This<Any>| -> Answer<i64> {
        let wrong = || ExecutionError::function_error("asInteger", "cannot convert value to integer");
        whole(amount("asInteger", &this)?).ok_or_else(wrong)
    });
    declare(context, "asApproximateFloat", |This(this): This<Any>| -> Answer<f64> {
        Ok(amount("asApproximateFloat", &this)?.quantity.approximate())
    });
}

/// Unlike the API server's JSON reader, its CEL library takes no white space around a quantity.
fn parse(text: &str) -> Result<Quantity, crate::quantity::QuantityError> {
    if text.trim() != text { Err(crate::quantity::QuantityError::Format) } else { Quantity::parse(text) }
}

fn amount<'v>(function: &str, value: &'v Any) -> Answer<&'v Amount> {
    let wrong = || ExecutionError::no_such_overload(function, vec![value.runtime_type_name().to_owned()]);
    value.downcast_ref::<Amount>().ok_or_else(wrong)
}

fn sum(function: &str, left: &Amount, right: &Value, negated: bool) -> Answer<Value> {
    let number;
    let right = match right {
        Value::Int(value) => {
            number = Amount { quantity: Quantity::from_int(*value), whole: true };
            &number
        }
        Value::Opaque(value) => amount(function, value)?,
        other => return Err(ExecutionError::no_such_overload(function, vec![text(other)])),
    };
    let quantity = if negated { left.quantity.minus(&right.quantity) } else { left.quantity.plus(&right.quantity) };
    Ok(opaque(Amount { quantity, whole: left.whole && right.whole }))
}

fn whole(amount: &Amount) -> Option<i64> {
    let value = amount.quantity.value();
    (amount.whole && Quantity::from_int(value) == amount.quantity).then_some(value)
}

/// Whether Go's `ParseQuantity` keeps the text as an integer and a scale, and the scale is not negative.
fn is_whole(text: &str) -> bool {
    let number = text.trim_start_matches(['+', '-']);
    let end = number.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(number.len());
    let (number, suffix) = number.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = whole.trim_start_matches('0').len().max(1);
    let (binary, exponent) = match suffix {
        "" => (false, 0),
        "k" => (false, 3),
        "M" => (false, 6),
        "G" => (false, 9),
        "T" => (false, 12),
        "P" => (false, 15),
        "E" => (false, 18),
        "Ki" => (true, 10),
        "Mi" => (true, 20),
        "Gi" => (true, 30),
        "Ti" => (true, 40),
        "Pi" => (true, 50),
        "Ei" => (true, 60),
        other => (false, other[1.min(other.len())..].parse::<i64>().unwrap_or(-1)),
    };
    if binary {
        return fraction.is_empty() && 15 - digits as i64 - exponent * 3 / 10 > 0;
    }
    digits + fraction.len() <= 18 && exponent >= fraction.len() as i64
}
