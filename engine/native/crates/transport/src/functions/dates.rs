//! Parts of dates and times: EXTRACT, DATE_TRUNC, TIMESTAMP_DIFF.

use std::sync::Arc;

use chrono_tz::Tz;
use datafusion::arrow::array::{Array, ArrayRef, Int64Array};
use datafusion::arrow::datatypes::{DataType, DurationMicrosecondType, IntervalYearMonthType};
use fulmar_error::Result;

use super::{Call, declared_integer};
use crate::calendar::{
    Civil, MICROS_PER_DAY, Moment, NANOS_PER_DAY, NANOS_PER_SECOND, iso_week, iso_weekday,
};
use crate::expressions::Typed;
use crate::kernel::Kernel;
use crate::moments;

/// A part or unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Millennium,
    Century,
    Decade,
    Year,
    IsoYear,
    Quarter,
    Month,
    Week,
    Day,
    DayOfYear,
    /// Sunday 0, as in PostgreSQL.
    DayOfWeek,
    /// Sunday 1, as in ODBC.
    OdbcDayOfWeek,
    IsoDayOfWeek,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Epoch,
}

impl Part {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "millennium" => Self::Millennium,
            "century" => Self::Century,
            "decade" => Self::Decade,
            "year" | "years" => Self::Year,
            "isoyear" => Self::IsoYear,
            "quarter" | "quarters" => Self::Quarter,
            "month" | "months" => Self::Month,
            "week" | "weeks" | "isoweek" => Self::Week,
            "day" | "days" => Self::Day,
            "doy" | "dayofyear" => Self::DayOfYear,
            "dow" => Self::DayOfWeek,
            "dayofweek" => Self::OdbcDayOfWeek,
            "isodow" => Self::IsoDayOfWeek,
            "hour" | "hours" => Self::Hour,
            "minute" | "minutes" => Self::Minute,
            "second" | "seconds" => Self::Second,
            "millisecond" | "milliseconds" => Self::Millisecond,
            "microsecond" | "microseconds" => Self::Microsecond,
            "nanosecond" | "nanoseconds" => Self::Nanosecond,
            "epoch" => Self::Epoch,
            _ => return None,
        })
    }

    /// The nanoseconds of a unit of fixed length.
    fn nanos(self) -> Option<i64> {
        Some(match self {
            Self::Week => 7 * NANOS_PER_DAY,
            Self::Day => NANOS_PER_DAY,
            Self::Hour => 3600 * NANOS_PER_SECOND,
            Self::Minute => 60 * NANOS_PER_SECOND,
            Self::Second => NANOS_PER_SECOND,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
            _ => return None,
        })
    }

    /// The months of a unit of months.
    fn months(self) -> Option<i64> {
        Some(match self {
            Self::Millennium => 12_000,
            Self::Century => 1_200,
            Self::Decade => 120,
            Self::Year => 12,
            Self::Quarter => 3,
            Self::Month => 1,
            _ => return None,
        })
    }
}

/// Takes the part out of the arguments, where it is the first.
fn take_part(call: &mut Call) -> Result<(Part, String)> {
    let name = call.literal_text(0)?.ok_or_else(|| call.reject("has NULL as its part"))?;
    let part = Part::parse(&name).ok_or_else(|| call.reject(format!("knows no part '{name}'")))?;
    call.args.remove(0);
    Ok((part, name))
}

/// EXTRACT (part, value), in the declared integer type; fields of instants are those of the session's zone.
pub(super) fn extract(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    let (part, name) = take_part(&mut call)?;
    let data_type = call.type_of(0)?.clone();
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let has_date = moments::is_dated(&data_type);
    let is_time = matches!(data_type, DataType::Time64(_));
    let is_interval = matches!(data_type, DataType::Interval(_) | DataType::Duration(_));
    if data_type == DataType::Null {
        return Ok(Typed::literal(datafusion::common::ScalarValue::try_from(&declared)?));
    }
    let of_clock = part.nanos().is_some_and(|nanos| nanos < NANOS_PER_DAY) || part == Part::Epoch;
    if !(has_date
        || is_time && of_clock
        || is_interval && (part.months().is_some() || part.nanos().is_some() || part == Part::Epoch))
    {
        return Err(call.bad_type(1).with_field(name));
    }
    let zone = if moments::is_instant(&data_type) { session.zone } else { Tz::UTC };
    let kernel = Kernel::new("extract", DataType::Int64, move |args| {
        let array = args.array(0)?;
        match array.data_type() {
            DataType::Interval(_) => {
                let months = args.primitive::<IntervalYearMonthType>(0)?;
                let values: Int64Array =
                    months.iter().map(|v| v.map(|v| of_months(i64::from(v), part))).collect();
                Ok(Arc::new(values))
            }
            DataType::Duration(_) => {
                let micros = args.primitive::<DurationMicrosecondType>(0)?;
                let values: Int64Array = micros.iter().map(|v| v.map(|v| of_micros(v, part))).collect();
                Ok(Arc::new(values))
            }
            _ => extract_moments(&array, part, zone),
        }
    })
    .parameters(format!("{name},{zone}"));
    // only a zone's tables have bounds
    let kernel = if zone == Tz::UTC { kernel } else { kernel.fallible(node) };
    let natural = Typed::new(kernel.apply(call.args), DataType::Int64);
    declared_integer(natural, &declared, node, &session)
}

fn extract_moments(array: &ArrayRef, part: Part, zone: Tz) -> Result<ArrayRef> {
    let values = moments::read(array)?
        .into_iter()
        .map(|moment| {
            let Some(moment) = moment else { return Ok(None) };
            if part == Part::Epoch {
                return Ok(Some(moment.days * 86_400 + moment.nanos / NANOS_PER_SECOND));
            }
            Ok(Some(part_of(moment.to_local(zone)?, part)))
        })
        .collect::<Result<Int64Array>>()?;
    Ok(Arc::new(values))
}

fn part_of(moment: Moment, part: Part) -> i64 {
    let (hour, minute, second, fraction) = moment.clock();
    let year = || moment.date().year;
    let days = moment.days;
    // centuries count from year 1: 1901 to 2000 is the twentieth, and there is no year 0
    let counted = |length: i64| {
        let year = year();
        if year > 0 { (year + length - 1) / length } else { -((length - year) / length) }
    };
    match part {
        Part::Millennium => counted(1000),
        Part::Century => counted(100),
        Part::Decade => year().div_euclid(10),
        Part::Year => year(),
        Part::IsoYear => iso_week(days).0,
        Part::Quarter => (moment.date().month - 1) / 3 + 1,
        Part::Month => moment.date().month,
        Part::Week => iso_week(days).1,
        Part::Day => moment.date().day,
        Part::DayOfYear => moment.date().day_of_year(),
        Part::DayOfWeek => iso_weekday(days) % 7,
        Part::OdbcDayOfWeek => iso_weekday(days) % 7 + 1,
        Part::IsoDayOfWeek => iso_weekday(days),
        Part::Hour => hour,
        Part::Minute => minute,
        Part::Second => second,
        Part::Millisecond => second * 1_000 + fraction / 1_000_000,
        Part::Microsecond => second * 1_000_000 + fraction / 1_000,
        Part::Nanosecond => second * NANOS_PER_SECOND + fraction,
        Part::Epoch => days * 86_400 + moment.nanos / NANOS_PER_SECOND,
    }
}

fn of_months(months: i64, part: Part) -> i64 {
    match part {
        Part::Epoch => months / 12 * 31_557_600 + months % 12 * 2_592_000,
        Part::Month => months % 12,
        Part::Quarter => months % 12 / 3 + 1,
        _ => part.months().map_or(0, |length| months / length),
    }
}

fn of_micros(micros: i64, part: Part) -> i64 {
    match part {
        Part::Epoch => micros / 1_000_000,
        Part::Day => micros / MICROS_PER_DAY,
        Part::Hour => micros % MICROS_PER_DAY / 3_600_000_000,
        Part::Minute => micros % 3_600_000_000 / 60_000_000,
        Part::Second => micros % 60_000_000 / 1_000_000,
        Part::Millisecond => micros % 60_000_000 / 1_000,
        Part::Microsecond => micros % 60_000_000,
        Part::Nanosecond => micros % 60_000_000 * 1_000,
        Part::Week => micros / (7 * MICROS_PER_DAY),
        _ => 0,
    }
}

/// DATE_TRUNC (part, date or timestamp); instants in the session's zone.
pub(super) fn truncate(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    let (part, name) = take_part(&mut call)?;
    let data_type = call.type_of(0)?.clone();
    if data_type == DataType::Null {
        return Ok(Typed::literal(datafusion::common::ScalarValue::try_from(&call.declared)?));
    }
    let known = part.months().is_some() || part.nanos().is_some() || part == Part::IsoYear;
    if !moments::is_dated(&data_type) || !known {
        return Err(call.bad_type(1).with_field(name));
    }
    let zone = if moments::is_instant(&data_type) { call.session.zone } else { Tz::UTC };
    let result = data_type.clone();
    let kernel = Kernel::new("date_trunc", data_type.clone(), move |args| {
        let moments = moments::read(&args.array(0)?)?;
        let cut = moments.into_iter().map(|moment| {
            let Some(moment) = moment else { return Ok(None) };
            Ok(Some(truncated(moment.to_local(zone)?, part).to_instant(zone)?))
        });
        moments::write(cut, &result)
    })
    .parameters(format!("{name},{zone}"))
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), data_type))
}

fn truncated(moment: Moment, part: Part) -> Moment {
    let midnight = |days: i64| Moment { days, nanos: 0 };
    if part == Part::IsoYear {
        let (year, _) = iso_week(moment.days);
        let fourth = Civil { year, month: 1, day: 4 }.days();
        return midnight(fourth - iso_weekday(fourth) + 1);
    }
    if part == Part::Week {
        return midnight(moment.days - iso_weekday(moment.days) + 1);
    }
    if let Some(nanos) = part.nanos() {
        return Moment { days: moment.days, nanos: moment.nanos - moment.nanos % nanos };
    }
    let date = moment.date();
    let first = |year: i64, month: i64| midnight(Civil { year, month, day: 1 }.days());
    match part {
        Part::Month => first(date.year, date.month),
        Part::Quarter => first(date.year, (date.month - 1) / 3 * 3 + 1),
        Part::Decade => first(date.year.div_euclid(10) * 10, 1),
        Part::Century => first((date.year - 1).div_euclid(100) * 100 + 1, 1),
        Part::Millennium => first((date.year - 1).div_euclid(1000) * 1000 + 1, 1),
        _ => first(date.year, 1),
    }
}

/// TIMESTAMP_DIFF (part, from, to): whole units, truncated; instants in the session's zone.
pub(super) fn difference(mut call: Call) -> Result<Typed> {
    call.arity(3, 3)?;
    let (part, name) = take_part(&mut call)?;
    for index in 0..2 {
        let data_type = call.type_of(index)?;
        if !moments::is_dated(data_type) && !matches!(data_type, DataType::Time64(_) | DataType::Null) {
            return Err(call.bad_type(index + 1));
        }
        if *data_type == DataType::Null {
            return Ok(Typed::literal(datafusion::common::ScalarValue::try_from(&call.declared)?));
        }
    }
    if part.months().is_none() && part.nanos().is_none() {
        return Err(call.reject(format!("knows no unit '{name}'")));
    }
    let instants = moments::is_instant(call.type_of(0)?) && moments::is_instant(call.type_of(1)?);
    let zone = if instants && part.months().is_some() { call.session.zone } else { Tz::UTC };
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let kernel = Kernel::new("timestamp_diff", DataType::Int64, move |args| {
        let (from, to) = (moments::read(&args.array(0)?)?, moments::read(&args.array(1)?)?);
        let values = from
            .into_iter()
            .zip(to)
            .map(|(from, to)| {
                let Some((from, to)) = from.zip(to) else { return Ok(None) };
                units_between(from.to_local(zone)?, to.to_local(zone)?, part).map(Some)
            })
            .collect::<Result<Int64Array>>()?;
        Ok(Arc::new(values))
    })
    .parameters(format!("{name},{zone}"))
    .fallible(call.node);
    let natural = Typed::new(kernel.apply(call.args), DataType::Int64);
    declared_integer(natural, &declared, node, &session)
}

fn units_between(from: Moment, to: Moment, part: Part) -> Result<i64> {
    if let Some(length) = part.nanos() {
        let nanos =
            i128::from(to.days - from.days) * i128::from(NANOS_PER_DAY) + i128::from(to.nanos - from.nanos);
        return i64::try_from(nanos / i128::from(length))
            .map_err(|_| crate::kernel::overflow("difference out of the range of BIGINT"));
    }
    let (start, end) = (from.date(), to.date());
    let mut months = (end.year - start.year) * 12 + end.month - start.month;
    let moved = |months: i64| {
        let days = start.plus_months(months).days();
        (days, from.nanos).cmp(&(to.days, to.nanos))
    };
    // a month that is not complete does not count
    if months > 0 && moved(months).is_gt() {
        months -= 1;
    } else if months < 0 && moved(months).is_lt() {
        months += 1;
    }
    Ok(months / part.months().unwrap_or(1))
}
