//! Casts to dates, times, timestamps and intervals. A coarser unit drops what is finer.

use datafusion::arrow::array::{ArrayRef, ArrowPrimitiveType};
use datafusion::arrow::datatypes::{
    DataType, Date32Type, DurationMicrosecondType, IntervalYearMonthType, Time64MicrosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use fulmar_error::Result;

use super::{Context, each, each_text, unit_of};
use crate::calendar::{self, Moment};
use crate::kernel::{overflow, unexpected};

/// Texts, dates and timestamps as a type of time.
pub(super) fn to_time(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    match target {
        DataType::Date32 => to_date(array, target, context),
        DataType::Time64(_) => to_clock(array, target, context),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            to_timestamp::<TimestampMillisecondType>(array, target, context)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            to_timestamp::<TimestampMicrosecondType>(array, target, context)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            to_timestamp::<TimestampNanosecondType>(array, target, context)
        }
        DataType::Interval(_) => each_text::<IntervalYearMonthType>(array, target, context, read_months),
        DataType::Duration(_) => each_text::<DurationMicrosecondType>(array, target, context, read_micros),
        _ => Err(unexpected(array)),
    }
}

/// Applies a conversion to the local moments of a timestamp array.
fn moments<O: ArrowPrimitiveType>(
    array: &ArrayRef,
    target: &DataType,
    context: Context,
    convert: impl Fn(Moment) -> Result<O::Native>,
) -> Result<ArrayRef> {
    let (unit, instant) = unit_of(array.data_type())?;
    let convert = |value: i64| {
        let moment = Moment::of_timestamp(value, unit);
        convert(if instant { moment.to_local(context.zone)? } else { moment })
    };
    match unit {
        TimeUnit::Millisecond => each::<TimestampMillisecondType, O>(array, target, context, convert),
        TimeUnit::Microsecond => each::<TimestampMicrosecondType, O>(array, target, context, convert),
        TimeUnit::Nanosecond => each::<TimestampNanosecondType, O>(array, target, context, convert),
        TimeUnit::Second => Err(unexpected(array)),
    }
}

fn to_date(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    let narrow = |days: i64| i32::try_from(days).map_err(|_| overflow("date out of range"));
    if *array.data_type() == DataType::Utf8 {
        return each_text::<Date32Type>(array, target, context, |text| {
            calendar::parse_date(text).map(narrow)
        });
    }
    moments::<Date32Type>(array, target, context, |moment| narrow(moment.days))
}

fn to_clock(array: &ArrayRef, target: &DataType, context: Context) -> Result<ArrayRef> {
    if *array.data_type() == DataType::Utf8 {
        return each_text::<Time64MicrosecondType>(array, target, context, |text| {
            calendar::parse_time(text).map(|nanos| Ok(nanos / 1000))
        });
    }
    moments::<Time64MicrosecondType>(array, target, context, |moment| Ok(moment.nanos / 1000))
}

fn to_timestamp<O: ArrowPrimitiveType<Native = i64>>(
    array: &ArrayRef,
    target: &DataType,
    context: Context,
) -> Result<ArrayRef> {
    let (unit, instant) = unit_of(target)?;
    let from_local =
        |moment: Moment| if instant { moment.to_instant(context.zone)? } else { moment }.timestamp(unit);
    match array.data_type() {
        DataType::Utf8 if instant => each_text::<O>(array, target, context, |text| {
            Some(calendar::parse_instant(text, context.zone)?.and_then(|moment| moment.timestamp(unit)))
        }),
        DataType::Utf8 => each_text::<O>(array, target, context, |text| {
            calendar::parse_moment(text).map(|(moment, _)| moment.timestamp(unit))
        }),
        DataType::Date32 => each::<Date32Type, O>(array, target, context, |days| {
            from_local(Moment { days: i64::from(days), nanos: 0 })
        }),
        DataType::Timestamp(from, zone) if zone.is_some() == instant => {
            change_unit::<O>(array, target, *from, context)
        }
        _ => moments::<O>(array, target, context, from_local),
    }
}

fn change_unit<O: ArrowPrimitiveType<Native = i64>>(
    array: &ArrayRef,
    target: &DataType,
    from: TimeUnit,
    context: Context,
) -> Result<ArrayRef> {
    let (to, _) = unit_of(target)?;
    let convert = |value: i64| Moment::of_timestamp(value, from).timestamp(to);
    match from {
        TimeUnit::Millisecond => each::<TimestampMillisecondType, O>(array, target, context, convert),
        TimeUnit::Microsecond => each::<TimestampMicrosecondType, O>(array, target, context, convert),
        TimeUnit::Nanosecond => each::<TimestampNanosecondType, O>(array, target, context, convert),
        TimeUnit::Second => Err(unexpected(array)),
    }
}

/// `[-]Y-M` or `[-]M`.
fn read_months(text: &str) -> Option<Result<i32>> {
    let text = text.trim();
    let (negative, digits) = signed(text);
    let (years, months) = digits.split_once('-').unwrap_or(("0", digits));
    let total = number(years)?.checked_mul(12)?.checked_add(number(months)?)?;
    let total = if negative { -total } else { total };
    Some(i32::try_from(total).map_err(|_| overflow("interval out of range")))
}

/// `[-][D ]HH:MM[:SS[.f]]`, or `[-]D`.
fn read_micros(text: &str) -> Option<Result<i64>> {
    let (negative, digits) = signed(text.trim());
    let (days, clock) = match digits.split_once(' ') {
        Some((days, clock)) => (number(days)?, clock.trim()),
        None if digits.contains(':') => (0, digits),
        None => (number(digits)?, "00:00"),
    };
    let (hours, rest) = clock.split_once(':')?;
    let within = calendar::parse_time(&format!("00:{rest}"))? / 1000;
    let total = i128::from(days) * i128::from(calendar::MICROS_PER_DAY)
        + i128::from(number(hours)?) * 3_600_000_000
        + i128::from(within);
    let total = if negative { -total } else { total };
    Some(i64::try_from(total).map_err(|_| overflow("interval out of range")))
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn number(digits: &str) -> Option<i64> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}
