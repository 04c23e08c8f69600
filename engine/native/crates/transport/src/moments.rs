//! Columns of dates and timestamps as moments, and back.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, Date32Array, PrimitiveArray};
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Time64MicrosecondType, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType,
};
use fulmar_error::Result;

use crate::calendar::Moment;
use crate::casts::timestamp_value;
use crate::kernel::{overflow, unexpected};

/// Whether it is a date or timestamp type.
pub(crate) fn is_dated(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Timestamp(_, _))
}

/// Whether it is the type of an instant.
pub(crate) fn is_instant(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp(_, Some(_)))
}

/// The moment of each row: of dates their midnight, of times that of 1970-01-01, of instants that in UTC.
pub(crate) fn read(array: &ArrayRef) -> Result<Vec<Option<Moment>>> {
    match array.data_type() {
        DataType::Date32 => Ok(array
            .as_primitive::<Date32Type>()
            .iter()
            .map(|days| days.map(|days| Moment { days: i64::from(days), nanos: 0 }))
            .collect()),
        DataType::Time64(_) => Ok(array
            .as_primitive::<Time64MicrosecondType>()
            .iter()
            .map(|micros| micros.map(|micros| Moment { days: 0, nanos: micros * 1000 }))
            .collect()),
        DataType::Timestamp(unit, _) => (0..array.len())
            .map(|row| {
                if array.is_null(row) {
                    return Ok(None);
                }
                Ok(Some(Moment::of_timestamp(timestamp_value(array, row, *unit)?, *unit)))
            })
            .collect(),
        _ => Err(unexpected(array)),
    }
}

/// Moments as a column of dates, times or timestamps; what is finer than the type is dropped.
pub(crate) fn write(
    moments: impl Iterator<Item = Result<Option<Moment>>>,
    target: &DataType,
) -> Result<ArrayRef> {
    match target {
        DataType::Date32 => {
            let days = moments
                .map(|moment| {
                    moment?
                        .map(|moment| i32::try_from(moment.days))
                        .transpose()
                        .map_err(|_| overflow("date out of range"))
                })
                .collect::<Result<Date32Array>>()?;
            Ok(Arc::new(days))
        }
        DataType::Time64(_) => {
            let times = moments
                .map(|moment| Ok(moment?.map(|moment| moment.nanos / 1000)))
                .collect::<Result<PrimitiveArray<Time64MicrosecondType>>>()?;
            Ok(Arc::new(times))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            timestamps::<TimestampMillisecondType>(moments, target, TimeUnit::Millisecond)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            timestamps::<TimestampMicrosecondType>(moments, target, TimeUnit::Microsecond)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            timestamps::<TimestampNanosecondType>(moments, target, TimeUnit::Nanosecond)
        }
        other => Err(fulmar_error::EngineError::internal(format!("{other} holds no moments"))),
    }
}

fn timestamps<T: ArrowPrimitiveType<Native = i64>>(
    moments: impl Iterator<Item = Result<Option<Moment>>>,
    target: &DataType,
    unit: TimeUnit,
) -> Result<ArrayRef> {
    let values = moments
        .map(|moment| moment?.map(|moment| moment.timestamp(unit)).transpose())
        .collect::<Result<PrimitiveArray<T>>>()?;
    Ok(Arc::new(values.with_data_type(target.clone())))
}
