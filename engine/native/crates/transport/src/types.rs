//! Declared types of the plan language as Arrow types, and how types compare.

use std::sync::Arc;

use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, Fields, IntervalUnit, Schema, SchemaRef, TimeUnit,
};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::data_type::Kind;

/// The zone of timestamps that are instants.
pub const UTC: &str = "UTC";

/// The Arrow type of a declared type. Nested fields are nullable, but for the keys of maps.
pub fn arrow_type(declared: &pb::DataType) -> Result<DataType> {
    let kind = declared.kind.as_ref().ok_or_else(|| EngineError::plan("a type is missing"))?;
    Ok(match kind {
        Kind::Simple(number) => simple_type(*number)?,
        Kind::Decimal(decimal) => decimal_type(decimal)?,
        Kind::Timestamp(timestamp) => timestamp_type(timestamp)?,
        Kind::Struct(fields) => DataType::Struct(arrow_fields(&fields.fields)?),
        Kind::List(list) => DataType::List(element_field(required_type(list.element.as_deref())?)),
        Kind::Map(map) => map_type(required_type(map.key.as_deref())?, required_type(map.value.as_deref())?),
    })
}

/// The Arrow type of a declared type that must be there.
pub fn required_type(declared: Option<&pb::DataType>) -> Result<DataType> {
    arrow_type(declared.ok_or_else(|| EngineError::plan("a type is missing"))?)
}

/// Arrow fields of declared fields, all nullable.
pub fn arrow_fields(fields: &[pb::Field]) -> Result<Fields> {
    fields
        .iter()
        .map(|field| {
            let data_type =
                required_type(field.r#type.as_ref()).map_err(|error| error.with_field(field.name.clone()))?;
            Ok(Field::new(&field.name, data_type, true))
        })
        .collect()
}

/// The schema of declared fields, all nullable.
pub fn arrow_schema(fields: &[pb::Field]) -> Result<SchemaRef> {
    Ok(Arc::new(Schema::new(arrow_fields(fields)?)))
}

/// The field of a list's elements.
pub fn element_field(element: DataType) -> FieldRef {
    Arc::new(Field::new("element", element, true))
}

/// The map type of the plan language.
pub fn map_type(key: DataType, value: DataType) -> DataType {
    let entries = Fields::from(vec![Field::new("key", key, false), Field::new("value", value, true)]);
    let field = Field::new("key_value", DataType::Struct(entries), false);
    DataType::Map(Arc::new(field), false)
}

fn simple_type(number: i32) -> Result<DataType> {
    let simple = pb::SimpleType::try_from(number)
        .map_err(|_| EngineError::plan(format!("unknown simple type {number}")))?;
    Ok(match simple {
        pb::SimpleType::Unspecified => return Err(EngineError::plan("a simple type is unset")),
        pb::SimpleType::Null => DataType::Null,
        pb::SimpleType::Boolean => DataType::Boolean,
        pb::SimpleType::Int8 => DataType::Int8,
        pb::SimpleType::Int16 => DataType::Int16,
        pb::SimpleType::Int32 => DataType::Int32,
        pb::SimpleType::Int64 => DataType::Int64,
        pb::SimpleType::Float32 => DataType::Float32,
        pb::SimpleType::Float64 => DataType::Float64,
        pb::SimpleType::Date => DataType::Date32,
        pb::SimpleType::TimeMicros => DataType::Time64(TimeUnit::Microsecond),
        pb::SimpleType::String => DataType::Utf8,
        pb::SimpleType::Binary => DataType::Binary,
        pb::SimpleType::IntervalMonths => DataType::Interval(IntervalUnit::YearMonth),
        pb::SimpleType::IntervalMicros => DataType::Duration(TimeUnit::Microsecond),
    })
}

fn decimal_type(decimal: &pb::DecimalType) -> Result<DataType> {
    let pb::DecimalType { precision, scale } = *decimal;
    if precision == 0 || precision > 38 || scale > precision {
        return Err(EngineError::plan(format!(
            "no decimal({precision}, {scale}): precision is 1 to 38, scale at most the precision"
        )));
    }
    Ok(DataType::Decimal128(precision as u8, scale as i8))
}

fn timestamp_type(timestamp: &pb::TimestampType) -> Result<DataType> {
    let unit = match pb::TimeUnit::try_from(timestamp.unit) {
        Ok(pb::TimeUnit::Millis) => TimeUnit::Millisecond,
        Ok(pb::TimeUnit::Micros) => TimeUnit::Microsecond,
        Ok(pb::TimeUnit::Nanos) => TimeUnit::Nanosecond,
        Ok(pb::TimeUnit::Unspecified) | Err(_) => {
            return Err(EngineError::plan(format!("unknown time unit {}", timestamp.unit)));
        }
    };
    Ok(DataType::Timestamp(unit, timestamp.utc.then(|| UTC.into())))
}

/// Whether two types are one but for the names and nullability of nested fields.
pub(crate) fn same_type(left: &DataType, right: &DataType) -> bool {
    match (left, right) {
        (DataType::List(a), DataType::List(b)) | (DataType::Map(a, _), DataType::Map(b, _)) => {
            same_type(a.data_type(), b.data_type())
        }
        (DataType::Struct(a), DataType::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| same_type(x.data_type(), y.data_type()))
        }
        _ => left == right,
    }
}

/// Whether values of a type hold floats, whose zeros and NaN need one form before they are compared.
pub(crate) fn holds_float(data_type: &DataType) -> bool {
    match data_type {
        DataType::Float32 | DataType::Float64 => true,
        DataType::List(field) | DataType::Map(field, _) => holds_float(field.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| holds_float(field.data_type())),
        _ => false,
    }
}

/// Whether it is a signed integer type.
pub(crate) fn is_integer(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64)
}

/// Whether it is a float type.
pub(crate) fn is_float(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Float32 | DataType::Float64)
}

/// Whether it is a decimal type.
pub(crate) fn is_decimal(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Decimal128(_, _))
}

/// Whether it is an integer, float or decimal type.
pub(crate) fn is_number(data_type: &DataType) -> bool {
    is_integer(data_type) || is_float(data_type) || is_decimal(data_type)
}

/// Precision and scale that hold every value of an integer or decimal type.
pub(crate) fn decimal_of(data_type: &DataType) -> Option<(u8, i8)> {
    Some(match data_type {
        DataType::Int8 => (3, 0),
        DataType::Int16 => (5, 0),
        DataType::Int32 => (10, 0),
        DataType::Int64 => (19, 0),
        DataType::Decimal128(precision, scale) => (*precision, *scale),
        _ => return None,
    })
}

/// The smallest type that holds every value of both types, if casting to it loses nothing.
pub(crate) fn common_type(left: &DataType, right: &DataType) -> Option<DataType> {
    if left == right {
        return Some(left.clone());
    }
    match (left, right) {
        (DataType::Null, other) | (other, DataType::Null) => Some(other.clone()),
        (a, b) if is_integer(a) && is_integer(b) => {
            Some(if integer_width(a) > integer_width(b) { a } else { b }.clone())
        }
        (a, b) if is_float(a) && is_float(b) => Some(DataType::Float64),
        (DataType::Float64, DataType::Int8 | DataType::Int16 | DataType::Int32)
        | (DataType::Int8 | DataType::Int16 | DataType::Int32, DataType::Float64) => Some(DataType::Float64),
        (a, b) => {
            let ((p1, s1), (p2, s2)) = (decimal_of(a)?, decimal_of(b)?);
            let scale = s1.max(s2);
            let whole = (i16::from(p1) - i16::from(s1)).max(i16::from(p2) - i16::from(s2));
            let precision = u8::try_from(whole + i16::from(scale)).ok()?;
            (precision <= 38).then_some(DataType::Decimal128(precision, scale))
        }
    }
}

/// Bytes of an integer type.
pub(crate) fn integer_width(data_type: &DataType) -> usize {
    data_type.primitive_width().unwrap_or_default()
}

/// The SQL name of a type, for people.
pub(crate) fn sql_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Null => "NULL".into(),
        DataType::Boolean => "BOOLEAN".into(),
        DataType::Int8 => "TINYINT".into(),
        DataType::Int16 => "SMALLINT".into(),
        DataType::Int32 => "INTEGER".into(),
        DataType::Int64 => "BIGINT".into(),
        DataType::Float32 => "REAL".into(),
        DataType::Float64 => "DOUBLE".into(),
        DataType::Date32 => "DATE".into(),
        DataType::Time64(_) => "TIME".into(),
        DataType::Utf8 => "VARCHAR".into(),
        DataType::Binary => "VARBINARY".into(),
        DataType::Interval(_) => "INTERVAL YEAR TO MONTH".into(),
        DataType::Duration(_) => "INTERVAL DAY TO SECOND".into(),
        DataType::Decimal128(precision, scale) => format!("DECIMAL({precision}, {scale})"),
        DataType::Timestamp(unit, zone) => format!(
            "TIMESTAMP({}){}",
            match unit {
                TimeUnit::Second => 0,
                TimeUnit::Millisecond => 3,
                TimeUnit::Microsecond => 6,
                TimeUnit::Nanosecond => 9,
            },
            if zone.is_some() { " WITH TIME ZONE" } else { "" }
        ),
        DataType::List(field) => format!("{} ARRAY", sql_name(field.data_type())),
        DataType::Map(field, _) => match field.data_type() {
            DataType::Struct(entries) if entries.len() == 2 => {
                format!("MAP<{}, {}>", sql_name(entries[0].data_type()), sql_name(entries[1].data_type()))
            }
            other => format!("MAP<{other}>"),
        },
        DataType::Struct(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .map(|field| format!("{} {}", field.name(), sql_name(field.data_type())))
                .collect();
            format!("ROW({})", parts.join(", "))
        }
        other => other.to_string(),
    }
}
