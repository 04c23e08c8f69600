//! The text forms of values, and casts from text that give no primitive array.

use std::fmt::Write;
use std::sync::Arc;

use chrono_tz::Tz;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryBuilder, BooleanBuilder, StringBuilder};
use datafusion::arrow::compute::kernels::cast::cast as arrow_cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int64Type,
    IntervalYearMonthType, Time64MicrosecondType, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType,
};
use fulmar_error::{EngineError, ErrorCode, Result};

use super::{Context, Mode, bad_text};
use crate::calendar::{self, MICROS_PER_DAY, Moment};
use crate::kernel::unexpected;
use crate::{decimals, json};

/// Values as text.
pub(super) fn to_text(array: &ArrayRef, context: Context) -> Result<ArrayRef> {
    if *array.data_type() == DataType::Binary {
        return binary_to_text(array, context);
    }
    let array = &normalised(array)?;
    let mut texts = StringBuilder::with_capacity(array.len(), array.len() * 8);
    for row in 0..array.len() {
        if array.is_null(row) {
            texts.append_null();
        } else {
            texts.append_value(value_text(array, row, context.zone)?);
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// Integers as 64 bits, so that there is one form to read.
fn normalised(array: &ArrayRef) -> Result<ArrayRef> {
    Ok(match array.data_type() {
        DataType::Int8 | DataType::Int16 | DataType::Int32 => arrow_cast(array, &DataType::Int64)?,
        _ => Arc::clone(array),
    })
}

/// The text of a value that is not NULL, as CAST gives it. Nested values are JSON.
pub(crate) fn value_text(array: &ArrayRef, row: usize, zone: Tz) -> Result<String> {
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int8 | DataType::Int16 | DataType::Int32 => {
            let wide = arrow_cast(&array.slice(row, 1), &DataType::Int64)?;
            wide.as_primitive::<Int64Type>().value(0).to_string()
        }
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => float_text(&array.as_primitive::<Float64Type>().value(row)),
        DataType::Float32 => float_text(&array.as_primitive::<Float32Type>().value(row)),
        DataType::Decimal128(_, scale) => {
            decimals::format(array.as_primitive::<Decimal128Type>().value(row), *scale)
        }
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Date32 => calendar::format_date(i64::from(array.as_primitive::<Date32Type>().value(row))),
        DataType::Time64(_) => {
            calendar::format_time(array.as_primitive::<Time64MicrosecondType>().value(row) * 1000)
        }
        DataType::Timestamp(unit, instant) => {
            let moment = Moment::of_timestamp(timestamp_value(array, row, *unit)?, *unit);
            timestamp_text(moment, instant.is_some().then_some(zone))?
        }
        DataType::Interval(_) => months_text(array.as_primitive::<IntervalYearMonthType>().value(row)),
        DataType::Duration(_) => micros_text(array.as_primitive::<DurationMicrosecondType>().value(row)),
        DataType::List(_) | DataType::Struct(_) | DataType::Map(_, _) => {
            json::value_to_json(array, row, zone)?
        }
        _ => return Err(unexpected(array)),
    })
}

/// The value of a timestamp array in its own unit.
pub(crate) fn timestamp_value(array: &dyn Array, row: usize, unit: TimeUnit) -> Result<i64> {
    Ok(match unit {
        TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row),
        TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(row),
        TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(row),
        TimeUnit::Second => return Err(unexpected(array)),
    })
}

/// The text of a local timestamp, or of an instant in a zone.
fn timestamp_text(moment: Moment, zone: Option<Tz>) -> Result<String> {
    let Some(zone) = zone else {
        return Ok(calendar::format_moment(moment));
    };
    let offset = calendar::format_offset(moment.offset(zone)?);
    Ok(calendar::format_moment(moment.to_local(zone)?) + &offset)
}

/// A float as the shortest digits that read back the same; an exponent below 1e-4 and from 1e15.
pub(crate) fn float_text<F: std::fmt::LowerExp>(value: &F) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return match scientific.as_str() {
            "inf" => "Infinity".into(),
            "-inf" => "-Infinity".into(),
            other => other.to_owned(),
        };
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..15).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let negative = mantissa.starts_with('-');
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let mut text = String::from(if negative { "-" } else { "" });
    let point = exponent + 1;
    if point <= 0 {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
        text.push_str(&digits);
    } else {
        let point = point as usize;
        let whole = digits.len().min(point);
        text.push_str(&digits[..whole]);
        text.extend(std::iter::repeat_n('0', point - whole));
        if digits.len() > point {
            text.push('.');
            text.push_str(&digits[point..]);
        }
    }
    text
}

/// `[-]Y-MM`.
fn months_text(months: i32) -> String {
    let sign = if months < 0 { "-" } else { "" };
    let months = months.unsigned_abs();
    format!("{sign}{}-{:02}", months / 12, months % 12)
}

/// `[-]D HH:MM:SS[.f]`.
fn micros_text(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let micros = i128::from(micros).abs();
    let per_day = i128::from(MICROS_PER_DAY);
    let within = i64::try_from(micros % per_day).unwrap_or_default();
    format!("{sign}{} {}", micros / per_day, calendar::format_time(within * 1000))
}

/// Bytes as the text they encode in UTF-8.
fn binary_to_text(array: &ArrayRef, context: Context) -> Result<ArrayRef> {
    let input = array.as_binary_opt::<i32>().ok_or_else(|| unexpected(array))?;
    let mut texts = StringBuilder::new();
    for bytes in input {
        match bytes.map(std::str::from_utf8) {
            None => texts.append_null(),
            Some(Ok(text)) => texts.append_value(text),
            Some(Err(_)) if context.mode == Mode::Safe => texts.append_null(),
            Some(Err(_)) => {
                return Err(EngineError::new(
                    ErrorCode::InvalidCast,
                    format!("bytes {} are not UTF-8", hex(bytes.unwrap_or_default())),
                ));
            }
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // writing to a String cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Texts as booleans or as their UTF-8 bytes.
pub(super) fn from_text(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    let input = array.as_string_opt::<i32>().ok_or_else(|| unexpected(array))?;
    if *target == DataType::Binary {
        let mut bytes = BinaryBuilder::new();
        input.iter().for_each(|text| bytes.append_option(text));
        return Ok(Arc::new(bytes.finish()));
    }
    let mut truth = BooleanBuilder::with_capacity(input.len());
    for text in input {
        match text.map(|text| (text, read_boolean(text))) {
            None => truth.append_null(),
            Some((_, Some(value))) => truth.append_value(value),
            Some((_, None)) if context.mode == Mode::Safe => truth.append_null(),
            Some((text, None)) => return Err(bad_text(text, target)),
        }
    }
    Ok(Arc::new(truth.finish()))
}

fn read_boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}
