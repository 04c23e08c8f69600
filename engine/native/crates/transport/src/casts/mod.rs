//! Casts: the SQL meaning of every pair of types, checked or giving NULL.
//!
//! Casts that lose nothing are DataFusion's own, so that scans can prune through them. All others are one kernel.

mod numbers;
mod texts;
mod times;

use std::sync::Arc;

use chrono_tz::Tz;
use datafusion::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, ListArray, MapArray, PrimitiveArray, StructArray,
    new_null_array,
};
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::logical_expr::Expr;
use fulmar_error::{EngineError, ErrorCode, Result};

use crate::expressions::Typed;
use crate::kernel::{Kernel, unexpected};
use crate::session::Session;
use crate::types::{decimal_of, integer_width, is_decimal, is_float, is_integer, same_type, sql_name};

pub(crate) use texts::{hex, timestamp_value, value_text};

/// What happens to a value that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A typed error.
    Checked,
    /// NULL.
    Safe,
}

/// What element casts need beside the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) mode: Mode,
    pub(crate) zone: Tz,
}

/// The value as `target`. A pair of types without a cast is refused.
pub(crate) fn cast(
    input: Typed,
    target: &DataType,
    mode: Mode,
    node: u32,
    session: &Session,
) -> Result<Typed> {
    if same_type(&input.data_type, target) {
        return crate::expressions::exactly(input, target);
    }
    if !is_castable(&input.data_type, target) {
        return Err(EngineError::plan(format!(
            "no cast from {} to {}",
            sql_name(&input.data_type),
            sql_name(target)
        )));
    }
    if is_lossless(&input.data_type, target) {
        let expr = match input.expr {
            Expr::Literal(value, metadata) => Expr::Literal(value.cast_to(target)?, metadata),
            expr => datafusion::logical_expr::cast(expr, target.clone()),
        };
        return Ok(Typed::new(expr, target.clone()));
    }
    let context = Context { mode, zone: session.zone };
    let wanted = target.clone();
    let name = if mode == Mode::Safe { "try_cast" } else { "cast" };
    let kernel = Kernel::new(name, target.clone(), move |args| cast_array(&args.array(0)?, &wanted, context))
        .parameters(session.zone.name());
    let kernel = if mode == Mode::Safe { kernel } else { kernel.fallible(node) };
    Ok(Typed::new(kernel.call(vec![input.expr]), target.clone()))
}

/// Casts that never fail and keep the order and every value.
fn is_lossless(from: &DataType, to: &DataType) -> bool {
    match (from, to) {
        (a, b) if is_integer(a) && is_integer(b) => integer_width(a) < integer_width(b),
        (DataType::Int8 | DataType::Int16 | DataType::Int32, DataType::Float64) => true,
        (DataType::Float32, DataType::Float64) => true,
        (a, DataType::Decimal128(precision, scale)) => decimal_of(a).is_some_and(|(p, s)| {
            s <= *scale && i16::from(p) - i16::from(s) <= i16::from(*precision) - i16::from(*scale)
        }),
        _ => false,
    }
}

fn is_castable(from: &DataType, to: &DataType) -> bool {
    use DataType::{
        Binary, Boolean, Date32, Duration, Interval, List, Map, Null, Struct, Time64, Timestamp, Utf8,
    };
    let numeric = |t: &DataType| is_integer(t) || is_float(t) || is_decimal(t);
    match (from, to) {
        (Null, _) | (_, Utf8) => true,
        (Utf8, Null | List(_) | Map(_, _) | Struct(_)) => false,
        (Utf8, _) => true,
        (a, b) if numeric(a) && numeric(b) => true,
        (a, Boolean) => is_integer(a),
        (Boolean, b) => is_integer(b),
        (Date32, Timestamp(_, _)) | (Timestamp(_, _), Date32 | Time64(_) | Timestamp(_, _)) => true,
        (Interval(_), Interval(_)) | (Duration(_), Duration(_)) | (Binary, Binary) => true,
        (List(a), List(b)) | (Map(a, _), Map(b, _)) => is_castable(a.data_type(), b.data_type()),
        (Struct(a), Struct(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(x, y)| {
                    same_type(x.data_type(), y.data_type()) || is_castable(x.data_type(), y.data_type())
                })
        }
        (a, b) => same_type(a, b),
    }
}

/// The array as `target`.
pub(crate) fn cast_array(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    let from = array.data_type();
    if same_type(from, target) {
        return crate::nesting::relabel_array(array, target);
    }
    match (from, target) {
        (DataType::Null, _) => Ok(new_null_array(target, array.len())),
        (DataType::List(_) | DataType::Struct(_) | DataType::Map(_, _), DataType::Utf8) => {
            texts::to_text(array, context)
        }
        (DataType::List(_) | DataType::Struct(_) | DataType::Map(_, _), _) => {
            cast_nested(array, target, context)
        }
        (_, DataType::Utf8) => texts::to_text(array, context),
        (DataType::Utf8, DataType::Boolean | DataType::Binary) => texts::from_text(array, target, context),
        (_, DataType::Boolean) => numbers::to_boolean(array),
        (_, to) if is_integer(to) || is_float(to) || is_decimal(to) => numbers::to_number(array, to, context),
        _ => times::to_time(array, target, context),
    }
}

fn cast_nested(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    Ok(match target {
        DataType::List(field) => {
            let list = array.as_list_opt::<i32>().ok_or_else(|| unexpected(array))?;
            let values = cast_array(list.values(), field.data_type(), context)?;
            Arc::new(ListArray::try_new(
                Arc::clone(field),
                list.offsets().clone(),
                values,
                list.nulls().cloned(),
            )?)
        }
        DataType::Struct(fields) => {
            let structs = array.as_struct_opt().ok_or_else(|| unexpected(array))?;
            let columns = structs
                .columns()
                .iter()
                .zip(fields)
                .map(|(column, field)| {
                    // what lies below a NULL struct must not fail the cast
                    let column = crate::nesting::with_nulls(column, structs.nulls())?;
                    cast_array(&column, field.data_type(), context)
                })
                .collect::<Result<_>>()?;
            Arc::new(StructArray::try_new_with_length(
                fields.clone(),
                columns,
                array.nulls().cloned(),
                array.len(),
            )?)
        }
        DataType::Map(field, sorted) => {
            let map = array.as_map_opt().ok_or_else(|| unexpected(array))?;
            let entries: ArrayRef = Arc::new(map.entries().clone());
            let entries = cast_array(&entries, field.data_type(), context)?;
            Arc::new(MapArray::try_new(
                Arc::clone(field),
                map.offsets().clone(),
                entries.as_struct().clone(),
                map.nulls().cloned(),
                *sorted,
            )?)
        }
        _ => return Err(unexpected(array)),
    })
}

/// Casts each value; in safe mode a value that does not fit becomes NULL.
fn each<I: ArrowPrimitiveType, O: ArrowPrimitiveType>(
    array: &ArrayRef,
    target: &DataType,
    context: Context,
    convert: impl Fn(I::Native) -> Result<O::Native>,
) -> Result<ArrayRef> {
    let input = array.as_primitive_opt::<I>().ok_or_else(|| unexpected(array))?;
    let output: PrimitiveArray<O> = if context.mode == Mode::Safe {
        input.iter().map(|value| value.and_then(|value| convert(value).ok())).collect()
    } else {
        input.try_unary(convert)?
    };
    Ok(Arc::new(output.with_data_type(target.clone())))
}

/// Reads each text; in safe mode a text that does not fit becomes NULL.
fn each_text<O: ArrowPrimitiveType>(
    array: &ArrayRef,
    target: &DataType,
    context: Context,
    convert: impl Fn(&str) -> Option<Result<O::Native>>,
) -> Result<ArrayRef> {
    let input = array.as_string_opt::<i32>().ok_or_else(|| unexpected(array))?;
    let read = |text: &str| match convert(text) {
        None => Err(bad_text(text, target)),
        Some(Err(error)) => Err(EngineError::new(
            error.code(),
            format!("'{text}' is out of the range of {}", sql_name(target)),
        )),
        Some(Ok(value)) => Ok(value),
    };
    let output = input
        .iter()
        .map(|text| match text.map(read) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(_)) if context.mode == Mode::Safe => Ok(None),
            Some(Err(error)) => Err(error),
        })
        .collect::<Result<PrimitiveArray<O>>>()?;
    Ok(Arc::new(output.with_data_type(target.clone())))
}

/// A text that is no value of the type.
fn bad_text(text: &str, target: &DataType) -> EngineError {
    let shown: String = text.chars().take(64).collect();
    EngineError::new(ErrorCode::InvalidCast, format!("invalid value for {}: '{shown}'", sql_name(target)))
}

/// The unit of a timestamp type.
fn unit_of(data_type: &DataType) -> Result<(TimeUnit, bool)> {
    match data_type {
        DataType::Timestamp(unit, zone) => Ok((*unit, zone.is_some())),
        other => Err(EngineError::internal(format!("{other} is no timestamp"))),
    }
}
