//! Typed literals as scalar values.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ListArray, MapArray, StructArray, new_empty_array};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::concat;
use datafusion::arrow::datatypes::{DataType, FieldRef, IntervalUnit, TimeUnit};
use datafusion::common::ScalarValue;
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::literal::Value;

use crate::types::sql_name;

/// The value of a literal whose type stands beside it. A literal of another form is refused.
pub fn scalar_value(literal: &pb::Literal, data_type: &DataType) -> Result<ScalarValue> {
    let value = literal.value.as_ref().ok_or_else(|| EngineError::plan("a literal has no value"))?;
    match (value, data_type) {
        (Value::Null(true), _) => Ok(ScalarValue::try_from(data_type)?),
        (Value::Boolean(v), DataType::Boolean) => Ok(ScalarValue::Boolean(Some(*v))),
        (Value::Integer(v), _) => integer(*v, data_type),
        (Value::Float32(v), DataType::Float32) => Ok(ScalarValue::Float32(Some(*v))),
        (Value::Float64(v), DataType::Float64) => Ok(ScalarValue::Float64(Some(*v))),
        (Value::Decimal(bytes), DataType::Decimal128(precision, scale)) => decimal(bytes, *precision, *scale),
        (Value::String(v), DataType::Utf8) => Ok(ScalarValue::Utf8(Some(v.clone()))),
        (Value::Binary(v), DataType::Binary) => Ok(ScalarValue::Binary(Some(v.clone()))),
        (Value::List(list), DataType::List(field)) => list_value(list, field),
        (Value::List(list), DataType::Struct(_)) => struct_value(list, data_type),
        (Value::Map(map), DataType::Map(field, _)) => map_value(map, field),
        _ => Err(mismatch(data_type)),
    }
}

fn mismatch(data_type: &DataType) -> EngineError {
    EngineError::plan(format!("a literal is no {}", sql_name(data_type)))
}

fn integer(value: i64, data_type: &DataType) -> Result<ScalarValue> {
    let narrow = || EngineError::plan(format!("literal {value} is outside {}", sql_name(data_type)));
    let zone = |zone: &Option<Arc<str>>| zone.clone();
    Ok(match data_type {
        DataType::Int8 => ScalarValue::Int8(Some(value.try_into().map_err(|_| narrow())?)),
        DataType::Int16 => ScalarValue::Int16(Some(value.try_into().map_err(|_| narrow())?)),
        DataType::Int32 => ScalarValue::Int32(Some(value.try_into().map_err(|_| narrow())?)),
        DataType::Int64 => ScalarValue::Int64(Some(value)),
        DataType::Date32 => ScalarValue::Date32(Some(value.try_into().map_err(|_| narrow())?)),
        DataType::Time64(TimeUnit::Microsecond) => {
            if !(0..86_400_000_000).contains(&value) {
                return Err(narrow());
            }
            ScalarValue::Time64Microsecond(Some(value))
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            ScalarValue::IntervalYearMonth(Some(value.try_into().map_err(|_| narrow())?))
        }
        DataType::Duration(TimeUnit::Microsecond) => ScalarValue::DurationMicrosecond(Some(value)),
        DataType::Timestamp(TimeUnit::Millisecond, z) => {
            ScalarValue::TimestampMillisecond(Some(value), zone(z))
        }
        DataType::Timestamp(TimeUnit::Microsecond, z) => {
            ScalarValue::TimestampMicrosecond(Some(value), zone(z))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, z) => {
            ScalarValue::TimestampNanosecond(Some(value), zone(z))
        }
        _ => return Err(mismatch(data_type)),
    })
}

fn decimal(bytes: &[u8], precision: u8, scale: i8) -> Result<ScalarValue> {
    if bytes.is_empty() || bytes.len() > 16 {
        return Err(EngineError::plan(format!(
            "a decimal literal of {} bytes: 1 to 16 are allowed",
            bytes.len()
        )));
    }
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let start: i128 = if negative { -1 } else { 0 };
    let unscaled = bytes.iter().fold(start, |value, byte| (value << 8) | i128::from(*byte));
    if unscaled.unsigned_abs() >= 10u128.pow(u32::from(precision)) {
        return Err(EngineError::plan(format!(
            "decimal literal with unscaled value {unscaled} is outside DECIMAL({precision}, {scale})"
        )));
    }
    Ok(ScalarValue::Decimal128(Some(unscaled), precision, scale))
}

fn values_array(literals: &[pb::Literal], data_type: &DataType) -> Result<ArrayRef> {
    if literals.is_empty() {
        return Ok(new_empty_array(data_type));
    }
    let arrays = literals
        .iter()
        .map(|literal| Ok(scalar_value(literal, data_type)?.to_array()?))
        .collect::<Result<Vec<ArrayRef>>>()?;
    let references: Vec<&dyn Array> = arrays.iter().map(|array| array.as_ref()).collect();
    Ok(concat(&references)?)
}

fn list_value(list: &pb::LiteralList, field: &FieldRef) -> Result<ScalarValue> {
    let values = values_array(&list.values, field.data_type())?;
    let offsets = OffsetBuffer::from_lengths([values.len()]);
    let array = ListArray::try_new(Arc::clone(field), offsets, values, None)?;
    Ok(ScalarValue::List(Arc::new(array)))
}

fn struct_value(list: &pb::LiteralList, data_type: &DataType) -> Result<ScalarValue> {
    let DataType::Struct(fields) = data_type else {
        return Err(mismatch(data_type));
    };
    if fields.len() != list.values.len() {
        return Err(EngineError::plan(format!(
            "a literal of {} fields for a struct of {}",
            list.values.len(),
            fields.len()
        )));
    }
    let columns = list
        .values
        .iter()
        .zip(fields)
        .map(|(value, field)| Ok(scalar_value(value, field.data_type())?.to_array()?))
        .collect::<Result<Vec<ArrayRef>>>()?;
    let array = StructArray::try_new_with_length(fields.clone(), columns, None, 1)?;
    Ok(ScalarValue::Struct(Arc::new(array)))
}

fn map_value(map: &pb::LiteralMap, field: &FieldRef) -> Result<ScalarValue> {
    let DataType::Struct(entries) = field.data_type() else {
        return Err(mismatch(field.data_type()));
    };
    let [key, value] = entries.as_ref() else {
        return Err(mismatch(field.data_type()));
    };
    if map.keys.len() != map.values.len() {
        return Err(EngineError::plan("a map literal has keys without values"));
    }
    let keys = values_array(&map.keys, key.data_type())?;
    let values = values_array(&map.values, value.data_type())?;
    let rows = keys.len();
    let entries = StructArray::try_new(entries.clone(), vec![keys, values], None)?;
    let offsets = OffsetBuffer::from_lengths([rows]);
    let array = MapArray::try_new(Arc::clone(field), offsets, entries, None, false)?;
    Ok(ScalarValue::Map(Arc::new(array)))
}
