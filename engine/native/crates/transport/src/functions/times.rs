//! Arithmetic of dates and times.

use std::sync::Arc;

use chrono_tz::Tz;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int32Array, Int64Array, PrimitiveArray,
};
use datafusion::arrow::datatypes::{
    DataType, DurationMicrosecondType, Float64Type, IntervalUnit, IntervalYearMonthType, TimeUnit,
};
use datafusion::common::ScalarValue;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::strings::text_at;
use super::{Call, declared_integer};
use crate::calendar::{Civil, Moment, NANOS_PER_DAY, NANOS_PER_SECOND, month_length};
use crate::expressions::Typed;
use crate::kernel::{Arguments, Kernel, invalid, overflow, unexpected};
use crate::moments;
use crate::types::{UTC, is_decimal, is_float};

const MONTHS: DataType = DataType::Interval(IntervalUnit::YearMonth);
const MICROS: DataType = DataType::Duration(TimeUnit::Microsecond);

/// Applies a change of moments that takes a second column; instants change in the given zone.
fn changed<T: Copy>(
    args: &Arguments,
    other: impl Iterator<Item = Option<T>>,
    result: &DataType,
    zone: Tz,
    change: impl Fn(Moment, T) -> Result<Moment>,
) -> Result<ArrayRef> {
    let moments = moments::read(&args.array(0)?)?.into_iter().zip(other).map(|(moment, other)| {
        let Some((moment, other)) = moment.zip(other) else { return Ok(None) };
        Ok(Some(change(moment.to_local(zone)?, other)?.to_instant(zone)?))
    });
    moments::write(moments, result)
}

/// DATE_ADD_MONTHS: the last day of the month where the day is missing; instants in the session's zone.
pub(super) fn add_months(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &MONTHS)?;
    let data_type = call.type_of(0)?.clone();
    if !moments::is_dated(&data_type) {
        return Err(call.bad_type(0));
    }
    let zone = if moments::is_instant(&data_type) { call.session.zone } else { Tz::UTC };
    let result = data_type.clone();
    let kernel = Kernel::new("date_add_months", data_type.clone(), move |args| {
        let months = args.primitive::<IntervalYearMonthType>(1)?;
        changed(args, months.iter(), &result, zone, |moment, months| {
            let days = moment.date().plus_months(i64::from(months)).days();
            Ok(Moment { days, nanos: moment.nanos })
        })
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), data_type))
}

/// DATE_ADD_MICROS: a date drops the fraction of a day, a time goes round the clock.
pub(super) fn add_micros(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &MICROS)?;
    let data_type = call.type_of(0)?.clone();
    if !moments::is_dated(&data_type) && !matches!(data_type, DataType::Time64(_)) {
        return Err(call.bad_type(0));
    }
    let result = data_type.clone();
    Ok(call.fallible("date_add_micros", data_type, move |args| {
        let micros = args.primitive::<DurationMicrosecondType>(1)?;
        changed(args, micros.iter(), &result, Tz::UTC, |moment, micros| {
            Ok(moment.plus_nanos(i128::from(micros) * 1000))
        })
    }))
}

/// DATE_DIFF_DAYS: the first minus the second.
pub(super) fn diff_days(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen(0..2, &DataType::Date32)?;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let natural = call.fallible("date_diff_days", DataType::Int32, |args| {
        let (left, right) = (moments::read(&args.array(0)?)?, moments::read(&args.array(1)?)?);
        let days = left
            .into_iter()
            .zip(right)
            .map(|(left, right)| {
                left.zip(right)
                    .map(|(left, right)| i32::try_from(left.days - right.days))
                    .transpose()
                    .map_err(|_| overflow("difference of dates out of the range of INTEGER"))
            })
            .collect::<Result<Int32Array>>()?;
        Ok(Arc::new(days))
    });
    declared_integer(natural, &declared, node, &session)
}

fn nanos_between(from: Moment, to: Moment) -> i128 {
    i128::from(to.days - from.days) * i128::from(NANOS_PER_DAY) + i128::from(to.nanos - from.nanos)
}

/// TIMESTAMP_MINUS: an interval in microseconds, what is finer dropped.
pub(super) fn minus(call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    for index in 0..2 {
        let data_type = call.type_of(index)?;
        if !moments::is_dated(data_type) && !matches!(data_type, DataType::Time64(_)) {
            return Err(call.bad_type(index));
        }
    }
    Ok(call.fallible("timestamp_minus", MICROS, |args| {
        let (left, right) = (moments::read(&args.array(0)?)?, moments::read(&args.array(1)?)?);
        let micros = left
            .into_iter()
            .zip(right)
            .map(|(left, right)| {
                left.zip(right)
                    .map(|(left, right)| i64::try_from(nanos_between(right, left) / 1000))
                    .transpose()
                    .map_err(|_| overflow("interval out of range"))
            })
            .collect::<Result<PrimitiveArray<DurationMicrosecondType>>>()?;
        Ok(Arc::new(micros))
    }))
}

/// DATE_BIN (stride, timestamp[, origin]): the start of the timestamp's bin; bins start at 1970-01-01 unless told.
pub(super) fn bin(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    if call.args.len() == 2 {
        let origin = ScalarValue::new_zero(call.type_of(1)?)?;
        call.args.push(Typed::literal(origin));
    }
    call.widen([0], &MICROS)?;
    let data_type = call.type_of(1)?.clone();
    if !moments::is_dated(&data_type) || *call.type_of(2)? != data_type {
        return Err(call.bad_type(2));
    }
    let result = data_type.clone();
    Ok(call.fallible("date_bin", data_type, move |args| {
        let strides = args.primitive::<DurationMicrosecondType>(0)?;
        let (values, origins) = (moments::read(&args.array(1)?)?, moments::read(&args.array(2)?)?);
        let bins = values.into_iter().zip(origins).zip(strides.iter()).map(|((value, origin), stride)| {
            let Some(((value, origin), stride)) = value.zip(origin).zip(stride) else { return Ok(None) };
            if stride <= 0 {
                return Err(invalid("DATE_BIN needs a positive stride"));
            }
            let stride = i128::from(stride) * 1000;
            let whole = nanos_between(origin, value).div_euclid(stride) * stride;
            Ok(Some(origin.plus_nanos(whole)))
        });
        moments::write(bins, &result)
    }))
}

/// AT_TIME_ZONE: local to instant, instant to local.
pub(super) fn at_time_zone(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &DataType::Utf8)?;
    let (unit, instant) = match call.type_of(0)? {
        DataType::Timestamp(unit, zone) => (*unit, zone.is_some()),
        _ => return Err(call.bad_type(0)),
    };
    let result = DataType::Timestamp(unit, (!instant).then(|| UTC.into()));
    let wanted = result.clone();
    Ok(call.fallible("at_time_zone", result, move |args| {
        let zones = args.strings(1)?;
        let mut last: Option<(String, Zone)> = None;
        let moments = moments::read(&args.array(0)?)?;
        let moved = moments.into_iter().enumerate().map(|(row, moment)| {
            let Some((moment, name)) = moment.zip(text_at(&zones, row)) else { return Ok(None) };
            let zone = match &last {
                Some((known, zone)) if known == name => *zone,
                _ => last.insert((name.to_owned(), Zone::parse(name)?)).1,
            };
            zone.shift(moment, instant).map(Some)
        });
        moments::write(moved, &wanted)
    }))
}

/// A zone by name or by its offset in seconds.
#[derive(Clone, Copy)]
enum Zone {
    Named(Tz),
    Offset(i64),
}

impl Zone {
    fn parse(name: &str) -> Result<Self> {
        if let Ok(zone) = name.trim().parse::<Tz>() {
            return Ok(Self::Named(zone));
        }
        offset_seconds(name.trim())
            .map(Self::Offset)
            .ok_or_else(|| invalid(format!("unknown time zone '{name}'")))
    }

    fn shift(self, moment: Moment, to_local: bool) -> Result<Moment> {
        match (self, to_local) {
            (Self::Named(zone), true) => moment.to_local(zone),
            (Self::Named(zone), false) => moment.to_instant(zone),
            (Self::Offset(seconds), true) => Ok(moment.plus_seconds(seconds)),
            (Self::Offset(seconds), false) => Ok(moment.plus_seconds(-seconds)),
        }
    }
}

fn offset_seconds(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    ((0..=18).contains(&hours) && (0..60).contains(&minutes)).then_some(sign * (hours * 3600 + minutes * 60))
}

/// MAKE_DATE (year, month, day).
pub(super) fn make_date(mut call: Call) -> Result<Typed> {
    call.arity(3, 3)?;
    call.widen(0..3, &DataType::Int64)?;
    Ok(call.fallible("make_date", DataType::Date32, |args| {
        let (years, months, days) = (args.integers(0)?, args.integers(1)?, args.integers(2)?);
        let dates = (0..args.rows()).map(|row| {
            if years.is_null(row) || months.is_null(row) || days.is_null(row) {
                return Ok(None);
            }
            let (year, month, day) = (years.value(row), months.value(row), days.value(row));
            let civil = Civil::checked(year, month, day)
                .ok_or_else(|| invalid(format!("no date {year}-{month}-{day}")))?;
            Ok(Some(Moment { days: civil.days(), nanos: 0 }))
        });
        moments::write(dates, &DataType::Date32)
    }))
}

/// LAST_DAY: the last date of the month; of instants in the session's zone.
pub(super) fn last_day(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let data_type = call.type_of(0)?;
    if !moments::is_dated(data_type) {
        return Err(call.bad_type(0));
    }
    let zone = if moments::is_instant(data_type) { call.session.zone } else { Tz::UTC };
    let kernel = Kernel::new("last_day", DataType::Date32, move |args| {
        let moments = moments::read(&args.array(0)?)?.into_iter().map(|moment| {
            let Some(moment) = moment else { return Ok(None) };
            let date = moment.to_local(zone)?.date();
            let day = month_length(date.year, date.month);
            Ok(Some(Moment { days: Civil { day, ..date }.days(), nanos: 0 }))
        });
        moments::write(moments, &DataType::Date32)
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), DataType::Date32))
}

/// TO_UNIXTIME (date or timestamp): seconds, as a double with their fraction, or floored as an integer.
fn to_unix(call: Call) -> Result<Typed> {
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    if !moments::is_dated(call.type_of(0)?) {
        return Err(call.bad_type(0));
    }
    if declared == DataType::Float64 {
        return Ok(call.kernel("to_unixtime_exact", DataType::Float64, |args| {
            let seconds: Float64Array = moments::read(&args.array(0)?)?
                .into_iter()
                .map(|moment| moment.map(|m| (m.days * 86_400) as f64 + m.nanos as f64 / 1e9))
                .collect();
            Ok(Arc::new(seconds))
        }));
    }
    let natural = call.kernel("to_unixtime", DataType::Int64, |args| {
        let seconds: Int64Array = moments::read(&args.array(0)?)?
            .into_iter()
            .map(|moment| moment.map(|m| m.days * 86_400 + m.nanos / NANOS_PER_SECOND))
            .collect();
        Ok(Arc::new(seconds))
    });
    declared_integer(natural, &declared, node, &session)
}

/// FROM_UNIXTIME (seconds), in the declared timestamp type, and TO_UNIXTIME.
pub(super) fn unix(mut call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    if call.function == F::ToUnixtime {
        return to_unix(call);
    }
    let declared = call.declared.clone();
    if !matches!(declared, DataType::Timestamp(_, _)) {
        return Err(call.reject("is declared no timestamp"));
    }
    if is_float(call.type_of(0)?) || is_decimal(call.type_of(0)?) {
        call.doubles()?;
    } else {
        call.widen([0], &DataType::Int64)?;
    }
    let result = declared.clone();
    Ok(call.fallible("from_unixtime", declared, move |args| {
        let array = args.array(0)?;
        let nanos: Vec<Option<i128>> = match array.data_type() {
            DataType::Float64 => array
                .as_primitive::<Float64Type>()
                .iter()
                .map(|v| v.map(|v| ((v * 1e6).round() as i128) * 1000))
                .collect(),
            _ => args.integers(0)?.iter().map(|v| v.map(|v| i128::from(v) * 1_000_000_000)).collect(),
        };
        let start = Moment { days: 0, nanos: 0 };
        moments::write(nanos.into_iter().map(|v| Ok(v.map(|v| start.plus_nanos(v)))), &result)
    }))
}

/// INTERVAL_MULTIPLY (interval, integer).
pub(super) fn interval_multiply(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &DataType::Int64)?;
    let data_type = call.type_of(0)?.clone();
    if data_type != MONTHS && data_type != MICROS {
        return Err(call.bad_type(0));
    }
    Ok(call.fallible("interval_multiply", data_type, |args| {
        let array = args.array(0)?;
        let factors = args.integers(1)?;
        let out = || overflow("interval out of range");
        match array.data_type() {
            DataType::Interval(_) => {
                let product = array
                    .as_primitive::<IntervalYearMonthType>()
                    .iter()
                    .zip(factors.iter())
                    .map(|(value, factor)| {
                        let Some((value, factor)) = value.zip(factor) else { return Ok(None) };
                        let product = i64::from(value).checked_mul(factor).ok_or_else(out)?;
                        i32::try_from(product).map(Some).map_err(|_| out())
                    })
                    .collect::<Result<PrimitiveArray<IntervalYearMonthType>>>()?;
                Ok(Arc::new(product))
            }
            DataType::Duration(_) => {
                let product = array
                    .as_primitive::<DurationMicrosecondType>()
                    .iter()
                    .zip(factors.iter())
                    .map(|(value, factor)| {
                        let Some((value, factor)) = value.zip(factor) else { return Ok(None) };
                        value.checked_mul(factor).map(Some).ok_or_else(out)
                    })
                    .collect::<Result<PrimitiveArray<DurationMicrosecondType>>>()?;
                Ok(Arc::new(product))
            }
            _ => Err(unexpected(&array)),
        }
    }))
}
