//! From the type a file stores a column in to the type the table gives it: rule R34's promotions and the encodings of imported files.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeBinaryBuilder, Int64Array, PrimitiveArray, new_null_array,
};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Decimal128Type, Int64Type, Time32MillisecondType,
    Time64MicrosecondType, Time64NanosecondType, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use datafusion::arrow::error::ArrowError;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::PrimitiveType;

use crate::field::{Kind, TableField};

const MICROS_PER_DAY: i64 = 86_400_000_000;
const NANOS_PER_MICRO: i64 = 1_000;

/// How one stored column becomes a table column in internal form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Conversion {
    /// The stored type is the table's.
    Same,
    /// Arrow's cast, which fails on a value that does not fit.
    Cast(DataType),
    /// A timestamp of another unit or zone.
    Timestamp(DataType),
    /// Days to a timestamp.
    DateToTimestamp(DataType),
    /// A time of day of another unit.
    Time,
    /// A decimal of the same scale.
    Decimal(u8, i8),
    /// Bytes of any length to bytes of a fixed one.
    Fixed(i32),
    /// Text with or without dashes to the sixteen bytes of a uuid.
    ParseUuid,
    /// A column in which everything is NULL.
    Null(DataType),
}

impl Conversion {
    /// The conversion from a file's type, or none if the table's type does not allow it.
    pub(crate) fn between(from: &DataType, field: &TableField) -> Option<Self> {
        let to = field.internal_type();
        if *from == to {
            return Some(Self::Same);
        }
        match from {
            DataType::Null => return Some(Self::Null(to)),
            DataType::Dictionary(_, value) => {
                return Self::between(value, field).map(|_| Self::Cast(to));
            }
            _ => {}
        }
        match &field.kind {
            Kind::Primitive(primitive) => Self::to_primitive(from, *primitive, to),
            Kind::Decimal(precision, scale) => Self::to_decimal(from, *precision, *scale),
            Kind::Fixed(length) => match from {
                DataType::Binary | DataType::LargeBinary => Some(Self::Fixed(*length)),
                _ => None,
            },
            Kind::Struct(_) | Kind::List(_) | Kind::Map(_, _) => None,
        }
    }

    fn to_primitive(from: &DataType, primitive: PrimitiveType, to: DataType) -> Option<Self> {
        use PrimitiveType as P;
        match primitive {
            P::IcebergInt => is_small_integer(from).then_some(Self::Cast(to)),
            P::IcebergLong => (is_small_integer(from) || matches!(from, DataType::Int32 | DataType::UInt64))
                .then_some(Self::Cast(to)),
            P::IcebergFloat => matches!(from, DataType::Float16).then_some(Self::Cast(to)),
            P::IcebergDouble => {
                matches!(from, DataType::Float16 | DataType::Float32).then_some(Self::Cast(to))
            }
            P::IcebergTime => matches!(from, DataType::Time32(TimeUnit::Millisecond) | DataType::Time64(_))
                .then_some(Self::Time),
            P::IcebergTimestamp | P::IcebergTimestamptz | P::IcebergTimestampNs | P::IcebergTimestamptzNs => {
                match from {
                    DataType::Timestamp(_, _) => Some(Self::Timestamp(to)),
                    DataType::Date32 => Some(Self::DateToTimestamp(to)),
                    _ => None,
                }
            }
            P::IcebergString | P::IcebergBinary | P::IcebergGeometry | P::IcebergGeography => {
                is_bytes(from).then_some(Self::Cast(to))
            }
            P::IcebergUuid => match from {
                DataType::Utf8 | DataType::LargeUtf8 => Some(Self::ParseUuid),
                DataType::Binary | DataType::LargeBinary => Some(Self::Fixed(16)),
                _ => None,
            },
            P::IcebergUnknown => Some(Self::Null(to)),
            P::IcebergBoolean | P::IcebergDate | P::IcebergVariant | P::Unspecified => None,
        }
    }

    fn to_decimal(from: &DataType, precision: u8, scale: i8) -> Option<Self> {
        match from {
            DataType::Decimal128(_, stored) if *stored == scale => Some(Self::Decimal(precision, scale)),
            DataType::Decimal256(_, stored) if *stored == scale => {
                Some(Self::Cast(DataType::Decimal128(precision, scale)))
            }
            _ => None,
        }
    }

    /// Whether smaller stored values give smaller table values, so that bounds convert as values do.
    pub(crate) fn keeps_order(&self) -> bool {
        match self {
            Self::Same | Self::Timestamp(_) | Self::DateToTimestamp(_) | Self::Time | Self::Decimal(_, _) => {
                true
            }
            Self::Cast(to) => to.is_numeric(),
            Self::Fixed(_) | Self::ParseUuid | Self::Null(_) => false,
        }
    }

    pub(crate) fn apply(&self, array: &ArrayRef) -> Result<ArrayRef> {
        let converted = match self {
            Self::Same => Ok(Arc::clone(array)),
            Self::Cast(to) => cast_with_options(array, to, &strict()),
            Self::Timestamp(to) => timestamp(array, to),
            Self::DateToTimestamp(to) => date_to_timestamp(array, to),
            Self::Time => time(array),
            Self::Decimal(precision, scale) => decimal(array, *precision, *scale),
            Self::Fixed(length) => fixed(array, *length),
            Self::ParseUuid => parse_uuids(array),
            Self::Null(to) => Ok(new_null_array(to, array.len())),
        };
        converted.map_err(|error| {
            EngineError::new(
                ErrorCode::SchemaMismatch,
                format!("A stored value does not fit the column's type: {error}"),
            )
        })
    }
}

fn strict() -> CastOptions<'static> {
    CastOptions { safe: false, ..CastOptions::default() }
}

fn is_small_integer(from: &DataType) -> bool {
    matches!(from, DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 | DataType::UInt32)
}

fn is_bytes(from: &DataType) -> bool {
    matches!(
        from,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
    )
}

fn overflow(what: &str) -> ArrowError {
    ArrowError::ComputeError(format!("{what} out of range"))
}

/// The stored ticks as plain integers, and how many of them make a second.
fn ticks(array: &ArrayRef) -> std::result::Result<(Int64Array, i64), ArrowError> {
    fn plain<T: ArrowPrimitiveType<Native = i64>>(array: &ArrayRef) -> Int64Array {
        array.as_primitive::<T>().reinterpret_cast::<Int64Type>()
    }
    Ok(match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => (plain::<TimestampSecondType>(array), 1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => (plain::<TimestampMillisecondType>(array), 1_000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            (plain::<TimestampMicrosecondType>(array), 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            (plain::<TimestampNanosecondType>(array), 1_000_000_000)
        }
        other => return Err(ArrowError::CastError(format!("{other} is no timestamp"))),
    })
}

fn timestamp(array: &ArrayRef, to: &DataType) -> std::result::Result<ArrayRef, ArrowError> {
    let (values, per_second) = ticks(array)?;
    let target = match to {
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 1_000_000_000,
        _ => 1_000_000,
    };
    let scaled: Int64Array = if target >= per_second {
        let factor = target / per_second;
        if factor == 1 {
            values
        } else {
            values.try_unary(|value| value.checked_mul(factor).ok_or_else(|| overflow("timestamp")))?
        }
    } else {
        let divisor = per_second / target;
        values.unary(|value| value.div_euclid(divisor))
    };
    with_timestamp_type(scaled, to)
}

fn with_timestamp_type(values: Int64Array, to: &DataType) -> std::result::Result<ArrayRef, ArrowError> {
    match to {
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            Ok(Arc::new(values.reinterpret_cast::<TimestampNanosecondType>().with_timezone_opt(zone.clone())))
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => Ok(Arc::new(
            values.reinterpret_cast::<TimestampMicrosecondType>().with_timezone_opt(zone.clone()),
        )),
        other => Err(ArrowError::CastError(format!("{other} is no timestamp"))),
    }
}

fn date_to_timestamp(array: &ArrayRef, to: &DataType) -> std::result::Result<ArrayRef, ArrowError> {
    let per_day = match to {
        DataType::Timestamp(TimeUnit::Nanosecond, _) => MICROS_PER_DAY * NANOS_PER_MICRO,
        _ => MICROS_PER_DAY,
    };
    let values: Int64Array = array
        .as_primitive::<Date32Type>()
        .try_unary(|days| i64::from(days).checked_mul(per_day).ok_or_else(|| overflow("date")))?;
    with_timestamp_type(values, to)
}

fn time(array: &ArrayRef) -> std::result::Result<ArrayRef, ArrowError> {
    let micros: PrimitiveArray<Time64MicrosecondType> = match array.data_type() {
        DataType::Time32(TimeUnit::Millisecond) => {
            array.as_primitive::<Time32MillisecondType>().unary(|value| i64::from(value) * 1_000)
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            array.as_primitive::<Time64NanosecondType>().unary(|value| value.div_euclid(NANOS_PER_MICRO))
        }
        DataType::Time64(TimeUnit::Microsecond) => array.as_primitive::<Time64MicrosecondType>().clone(),
        other => return Err(ArrowError::CastError(format!("{other} is no time of day"))),
    };
    Ok(Arc::new(micros))
}

fn decimal(array: &ArrayRef, precision: u8, scale: i8) -> std::result::Result<ArrayRef, ArrowError> {
    let values = array.as_primitive::<Decimal128Type>();
    if values.precision() > precision {
        values.validate_decimal_precision(precision)?;
    }
    Ok(Arc::new(values.clone().with_precision_and_scale(precision, scale)?))
}

fn fixed(array: &ArrayRef, length: i32) -> std::result::Result<ArrayRef, ArrowError> {
    let binary = cast_with_options(array, &DataType::Binary, &strict())?;
    let mut builder = FixedSizeBinaryBuilder::with_capacity(binary.len(), length);
    for value in binary.as_binary::<i32>() {
        match value {
            Some(bytes) => builder.append_value(bytes)?,
            None => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}

fn parse_uuids(array: &ArrayRef) -> std::result::Result<ArrayRef, ArrowError> {
    let text = cast_with_options(array, &DataType::Utf8, &strict())?;
    let mut builder = FixedSizeBinaryBuilder::with_capacity(text.len(), 16);
    for value in text.as_string::<i32>() {
        match value {
            Some(value) => builder.append_value(parse_uuid(value)?)?,
            None => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}

fn parse_uuid(text: &str) -> std::result::Result<[u8; 16], ArrowError> {
    let bad = || ArrowError::ParseError(format!("'{text}' is no uuid"));
    let mut bytes = [0_u8; 16];
    let mut digits = text.chars().filter(|c| *c != '-');
    for byte in &mut bytes {
        let high = digits.next().and_then(|c| c.to_digit(16)).ok_or_else(bad)?;
        let low = digits.next().and_then(|c| c.to_digit(16)).ok_or_else(bad)?;
        *byte = u8::try_from(high * 16 + low).map_err(|_| bad())?;
    }
    if digits.next().is_some() {
        return Err(bad());
    }
    Ok(bytes)
}
