//! Casts to numbers and booleans. Fractions that do not fit round half away from zero.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray};
use datafusion::arrow::compute::kernels::cast::cast as arrow_cast;
use datafusion::arrow::datatypes::{
    DataType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
};
use fulmar_error::{EngineError, Result};

use super::{Context, each, each_text};
use crate::decimals;
use crate::kernel::{overflow, unexpected};
use crate::types::{is_float, is_integer, sql_name};

/// Integers as booleans: zero is false.
pub(super) fn to_boolean(array: &ArrayRef) -> Result<ArrayRef> {
    let wide = arrow_cast(array, &DataType::Int64)?;
    let wide = wide.as_primitive::<Int64Type>();
    let truth: BooleanArray = wide.iter().map(|value| value.map(|v| v != 0)).collect();
    Ok(Arc::new(truth))
}

/// Numbers, booleans and texts as a number.
pub(super) fn to_number(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    let array = &widest(array)?;
    match target {
        DataType::Int8 => to_integer::<Int8Type>(array, target, context),
        DataType::Int16 => to_integer::<Int16Type>(array, target, context),
        DataType::Int32 => to_integer::<Int32Type>(array, target, context),
        DataType::Int64 => to_integer::<Int64Type>(array, target, context),
        DataType::Float64 => to_double(array, target, context),
        DataType::Float32 => to_real(array, target, context),
        DataType::Decimal128(precision, scale) => to_decimal(array, target, (*precision, *scale), context),
        _ => Err(unexpected(array)),
    }
}

/// Small integers, booleans and reals in their widest type, which loses nothing.
fn widest(array: &ArrayRef) -> Result<ArrayRef> {
    let data_type = array.data_type();
    Ok(if is_integer(data_type) || *data_type == DataType::Boolean {
        arrow_cast(array, &DataType::Int64)?
    } else if is_float(data_type) {
        arrow_cast(array, &DataType::Float64)?
    } else {
        Arc::clone(array)
    })
}

fn outside(value: impl std::fmt::Display, target: &DataType) -> EngineError {
    overflow(format!("{value} is out of the range of {}", sql_name(target)))
}

fn to_integer<O: ArrowPrimitiveType>(
    array: &ArrayRef,
    target: &DataType,
    context: Context,
) -> Result<ArrayRef>
where
    O::Native: TryFrom<i128>,
{
    let narrow = |value: i128| O::Native::try_from(value).map_err(|_| outside(value, target));
    match array.data_type() {
        DataType::Int64 => each::<Int64Type, O>(array, target, context, |v| narrow(i128::from(v))),
        DataType::Float64 => each::<Float64Type, O>(array, target, context, |v| {
            let rounded = v.round();
            if rounded.abs() < 1e19 { narrow(rounded as i128) } else { Err(outside(v, target)) }
        }),
        DataType::Decimal128(_, scale) => {
            let factor = decimals::pow10(decimals::scale_gap(*scale, 0));
            each::<Decimal128Type, O>(array, target, context, |v| narrow(decimals::divide_rounded(v, factor)))
        }
        DataType::Utf8 => each_text::<O>(array, target, context, |text| {
            let text = text.trim();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            Some(text.parse::<i128>().map_err(|_| outside(text, target)).and_then(narrow))
        }),
        _ => Err(unexpected(array)),
    }
}

fn to_double(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    match array.data_type() {
        DataType::Int64 => each::<Int64Type, Float64Type>(array, target, context, |v| Ok(v as f64)),
        DataType::Decimal128(_, scale) => {
            each::<Decimal128Type, Float64Type>(array, target, context, |v| Ok(decimals::to_f64(v, *scale)))
        }
        DataType::Utf8 => each_text::<Float64Type>(array, target, context, |text| read_double(text, target)),
        _ => Err(unexpected(array)),
    }
}

fn to_real(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    let narrow = |value: f64| {
        let narrow = value as f32;
        if narrow.is_infinite() && value.is_finite() { Err(outside(value, target)) } else { Ok(narrow) }
    };
    match array.data_type() {
        DataType::Int64 => each::<Int64Type, Float32Type>(array, target, context, |v| Ok(v as f32)),
        DataType::Float64 => each::<Float64Type, Float32Type>(array, target, context, narrow),
        DataType::Decimal128(_, scale) => each::<Decimal128Type, Float32Type>(array, target, context, |v| {
            narrow(decimals::to_f64(v, *scale))
        }),
        DataType::Utf8 => each_text::<Float32Type>(array, target, context, |text| {
            Some(read_double(text, target)?.and_then(narrow))
        }),
        _ => Err(unexpected(array)),
    }
}

fn read_double(text: &str, target: &DataType) -> Option<Result<f64>> {
    let text = text.trim();
    let value: f64 = text.parse().ok()?;
    let written_infinite = text.contains(['i', 'I']);
    if value.is_infinite() && !written_infinite {
        return Some(Err(outside(text, target)));
    }
    Some(Ok(value))
}

fn to_decimal(array: &ArrayRef, target: &DataType, shape: (u8, i8), context: Context) -> Result<ArrayRef> {
    let (precision, scale) = shape;
    match array.data_type() {
        DataType::Int64 => each::<Int64Type, Decimal128Type>(array, target, context, |v| {
            decimals::rescale(i128::from(v), 0, scale, precision)
        }),
        DataType::Float64 => each::<Float64Type, Decimal128Type>(array, target, context, |v| {
            decimals::from_f64(v, precision, scale)
        }),
        DataType::Decimal128(_, from) => {
            each::<Decimal128Type, Decimal128Type>(array, target, context, |v| {
                decimals::rescale(v, *from, scale, precision)
            })
        }
        DataType::Utf8 => each_text::<Decimal128Type>(array, target, context, |text| {
            decimals::parse(text, precision, scale)
        }),
        _ => Err(unexpected(array)),
    }
}
