//! ROUND, TRUNCATE, FLOOR and CEIL. Halves round away from zero.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Decimal128Array, Float64Array};
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Float64Type};
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::{Call, declared_number};
use crate::casts::{self, Mode};
use crate::decimals;
use crate::expressions::Typed;
use crate::kernel::{Arguments, overflow, unexpected};
use crate::types::{decimal_of, is_float};

/// Rounds a number at a digit, 0 unless given.
pub(super) fn build(mut call: Call) -> Result<Typed> {
    let most = if matches!(call.function, F::Round | F::Truncate) { 2 } else { 1 };
    call.arity(1, most)?;
    if call.args.len() == 2 {
        call.widen([1], &DataType::Int64)?;
    }
    let natural = call.type_of(0)?.clone();
    let function = call.function;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let name = match function {
        F::Round => "round",
        F::Truncate => "truncate",
        F::Floor => "floor",
        _ => "ceil",
    };
    if is_float(&natural) {
        let double = casts::cast(call.arg(0)?.clone(), &DataType::Float64, Mode::Checked, node, &session)?;
        if let Some(slot) = call.args.first_mut() {
            *slot = double;
        }
        let rounded = call.kernel(name, DataType::Float64, move |args| doubles(args, function));
        return declared_number(rounded, &declared, node, &session);
    }
    let (precision, scale) = match &natural {
        DataType::Null => (1, 0),
        other => decimal_of(other).ok_or_else(|| call.bad_type(0))?,
    };
    call.widen([0], &DataType::Decimal128(precision, scale))?;
    // rounding up may need one digit more; the cast to the declared type checks
    let roomy = DataType::Decimal128((precision + 1).min(38), scale);
    let rounded = call.fallible(name, roomy.clone(), move |args| {
        let values = exact(args, function, scale)?;
        Ok(Arc::new(values.with_data_type(roomy.clone())) as ArrayRef)
    });
    declared_number(rounded, &declared, node, &session)
}

fn digits(args: &Arguments) -> Result<Option<datafusion::arrow::array::Int64Array>> {
    if args.len() == 2 { Ok(Some(args.integers(1)?)) } else { Ok(None) }
}

fn exact(args: &Arguments, function: F, scale: i8) -> Result<Decimal128Array> {
    let array = args.array(0)?;
    let input = array.as_primitive_opt::<Decimal128Type>().ok_or_else(|| unexpected(&array))?;
    let digits = digits(args)?;
    let round = |value: i128, digit: i64| {
        let drop = i64::from(scale) - digit;
        if drop <= 0 {
            return Ok(value);
        }
        if drop > 38 {
            // every digit goes
            return match function {
                F::Floor if value < 0 => Err(overflow("rounded value out of range")),
                F::Ceil if value > 0 => Err(overflow("rounded value out of range")),
                _ => Ok(0),
            };
        }
        let factor = decimals::pow10(u32::try_from(drop).unwrap_or(38));
        let quotient = match function {
            F::Round => decimals::divide_rounded(value, factor),
            F::Truncate => value / factor,
            F::Floor => value.div_euclid(factor),
            _ => -((-value).div_euclid(factor)),
        };
        quotient.checked_mul(factor).ok_or_else(|| overflow("rounded value out of range"))
    };
    match digits {
        None => input.iter().map(|value| value.map(|v| round(v, 0)).transpose()).collect(),
        Some(digits) => input
            .iter()
            .zip(digits.iter())
            .map(|(value, digit)| value.zip(digit).map(|(v, d)| round(v, d)).transpose())
            .collect(),
    }
}

fn doubles(args: &Arguments, function: F) -> Result<ArrayRef> {
    let input = args.primitive::<Float64Type>(0)?;
    let whole = |value: f64| match function {
        F::Round => value.round(),
        F::Truncate => value.trunc(),
        F::Floor => value.floor(),
        _ => value.ceil(),
    };
    let at = |value: f64, digit: i64| {
        if digit == 0 || !value.is_finite() {
            return whole(value);
        }
        if digit > 308 {
            return value;
        }
        if digit < -308 {
            return 0.0;
        }
        let factor = 10f64.powi(i32::try_from(digit.abs()).unwrap_or(308));
        if digit > 0 {
            let scaled = value * factor;
            if scaled.is_finite() { whole(scaled) / factor } else { value }
        } else {
            whole(value / factor) * factor
        }
    };
    let output: Float64Array = match digits(args)? {
        None => input.iter().map(|value| value.map(|v| at(v, 0))).collect(),
        Some(digits) => input
            .iter()
            .zip(digits.iter())
            .map(|(value, digit)| value.zip(digit).map(|(v, d)| at(v, d)))
            .collect(),
    };
    Ok(Arc::new(output))
}
