//! The proleptic Gregorian calendar over the whole range of the types, time zones, and the text forms of dates and times.

use chrono::{DateTime, NaiveDateTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;
use datafusion::arrow::datatypes::TimeUnit;
use fulmar_error::Result;

use crate::kernel::overflow;

pub(crate) const NANOS_PER_SECOND: i64 = 1_000_000_000;
pub(crate) const NANOS_PER_DAY: i64 = 86_400 * NANOS_PER_SECOND;
pub(crate) const MICROS_PER_DAY: i64 = 86_400_000_000;

/// A civil date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
}

/// A local date and time: days since 1970-01-01 and nanoseconds of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) days: i64,
    pub(crate) nanos: i64,
}

impl Civil {
    /// The date of a day since 1970-01-01.
    pub(crate) fn of_days(days: i64) -> Self {
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day }
    }

    /// The day since 1970-01-01.
    pub(crate) fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let shifted_month = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let day_of_year = (153 * shifted_month + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The date, if month and day exist.
    pub(crate) fn checked(year: i64, month: i64, day: i64) -> Option<Self> {
        let valid = (-9_999_999..=9_999_999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=month_length(year, month)).contains(&day);
        valid.then_some(Self { year, month, day })
    }

    /// The date some months later; the last day of the month where the day is missing.
    pub(crate) fn plus_months(self, months: i64) -> Self {
        let total = self.year * 12 + self.month - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        Self { year, month, day: self.day.min(month_length(year, month)) }
    }

    /// The day of the year, from 1.
    pub(crate) fn day_of_year(self) -> i64 {
        self.days() - Self { month: 1, day: 1, ..self }.days() + 1
    }
}

/// Days of a month.
pub(crate) fn month_length(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Day of the week by ISO: Monday 1 to Sunday 7.
pub(crate) fn iso_weekday(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// Year and week by ISO 8601.
pub(crate) fn iso_week(days: i64) -> (i64, i64) {
    let thursday = days - iso_weekday(days) + 4;
    let civil = Civil::of_days(thursday);
    (civil.year, (civil.day_of_year() - 1) / 7 + 1)
}

/// Units of a second.
pub(crate) fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => NANOS_PER_SECOND,
    }
}

impl Moment {
    /// The moment of a timestamp.
    pub(crate) fn of_timestamp(value: i64, unit: TimeUnit) -> Self {
        let per_day = 86_400 * per_second(unit);
        Self {
            days: value.div_euclid(per_day),
            nanos: value.rem_euclid(per_day) * (NANOS_PER_SECOND / per_second(unit)),
        }
    }

    /// The timestamp in a unit; what is finer is dropped.
    pub(crate) fn timestamp(self, unit: TimeUnit) -> Result<i64> {
        let within = self.nanos / (NANOS_PER_SECOND / per_second(unit));
        let value = i128::from(self.days) * i128::from(86_400 * per_second(unit)) + i128::from(within);
        value.try_into().map_err(|_| overflow("timestamp out of range"))
    }

    /// Seconds since 1970-01-01, floored.
    fn seconds(self) -> i64 {
        self.days * 86_400 + self.nanos.div_euclid(NANOS_PER_SECOND)
    }

    /// The moment some seconds later.
    pub(crate) fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_nanos(i128::from(seconds) * i128::from(NANOS_PER_SECOND))
    }

    /// The moment some nanoseconds later.
    pub(crate) fn plus_nanos(self, nanos: i128) -> Self {
        let total = i128::from(self.nanos) + nanos;
        let per_day = i128::from(NANOS_PER_DAY);
        let days = total.div_euclid(per_day);
        Self {
            days: self.days.saturating_add(i64::try_from(days).unwrap_or(i64::MAX)),
            nanos: i64::try_from(total.rem_euclid(per_day)).unwrap_or_default(),
        }
    }

    /// The civil date.
    pub(crate) fn date(self) -> Civil {
        Civil::of_days(self.days)
    }

    /// Hour, minute, second and nanosecond.
    pub(crate) fn clock(self) -> (i64, i64, i64, i64) {
        let seconds = self.nanos / NANOS_PER_SECOND;
        (seconds / 3600, seconds / 60 % 60, seconds % 60, self.nanos % NANOS_PER_SECOND)
    }

    /// This local time as an instant. In a gap the offset before it counts, in an overlap the earlier instant.
    pub(crate) fn to_instant(self, zone: Tz) -> Result<Self> {
        if zone == Tz::UTC {
            return Ok(self);
        }
        let local = self.naive()?;
        let offset = match zone.offset_from_local_datetime(&local).earliest() {
            Some(offset) => offset,
            None => zone.offset_from_utc_datetime(&(local - TimeDelta::days(1))),
        };
        Ok(self.plus_seconds(-i64::from(offset.fix().local_minus_utc())))
    }

    /// This instant as local time.
    pub(crate) fn to_local(self, zone: Tz) -> Result<Self> {
        Ok(self.plus_seconds(self.offset(zone)?))
    }

    /// Seconds that the zone is ahead of UTC at this instant.
    pub(crate) fn offset(self, zone: Tz) -> Result<i64> {
        if zone == Tz::UTC {
            return Ok(0);
        }
        let offset = zone.offset_from_utc_datetime(&self.naive()?);
        Ok(i64::from(offset.fix().local_minus_utc()))
    }

    fn naive(self) -> Result<NaiveDateTime> {
        DateTime::from_timestamp(self.seconds(), 0)
            .map(|instant| instant.naive_utc())
            .ok_or_else(|| overflow("timestamp out of the range of time zones"))
    }
}

/// `YYYY-MM-DD`.
pub(crate) fn format_date(days: i64) -> String {
    let Civil { year, month, day } = Civil::of_days(days);
    if year < 0 {
        format!("-{:04}-{month:02}-{day:02}", -year)
    } else {
        format!("{year:04}-{month:02}-{day:02}")
    }
}

/// `HH:MM:SS[.f]` without trailing zeros.
pub(crate) fn format_time(nanos: i64) -> String {
    let (hour, minute, second, fraction) = Moment { days: 0, nanos }.clock();
    let mut text = format!("{hour:02}:{minute:02}:{second:02}");
    if fraction != 0 {
        text.push('.');
        text.push_str(format!("{fraction:09}").trim_end_matches('0'));
    }
    text
}

/// `YYYY-MM-DD HH:MM:SS[.f]`.
pub(crate) fn format_moment(moment: Moment) -> String {
    format!("{} {}", format_date(moment.days), format_time(moment.nanos))
}

/// `+HH:MM`, with seconds only where they are not zero.
pub(crate) fn format_offset(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.abs();
    let mut text = format!("{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 {
        text.push_str(&format!(":{:02}", seconds % 60));
    }
    text
}

/// A cursor over the text of a date or time.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    fn take(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn digits(&mut self, at_least: usize, at_most: usize) -> Option<(i64, usize)> {
        let count = self.rest.bytes().take(at_most).take_while(u8::is_ascii_digit).count();
        if count < at_least {
            return None;
        }
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        Some((digits.parse().ok()?, count))
    }

    fn date(&mut self) -> Option<i64> {
        let negative = self.take('-') || {
            self.take('+');
            false
        };
        let (year, _) = self.digits(4, 7)?;
        if !self.take('-') {
            return None;
        }
        let (month, _) = self.digits(1, 2)?;
        if !self.take('-') {
            return None;
        }
        let (day, _) = self.digits(1, 2)?;
        Some(Civil::checked(if negative { -year } else { year }, month, day)?.days())
    }

    fn time(&mut self) -> Option<i64> {
        let (hour, _) = self.digits(1, 2)?;
        if !self.take(':') {
            return None;
        }
        let (minute, _) = self.digits(2, 2)?;
        let mut nanos = 0;
        if self.take(':') {
            let (second, _) = self.digits(2, 2)?;
            nanos = (second < 60).then_some(second * NANOS_PER_SECOND)?;
            if self.take('.') {
                let (fraction, count) = self.digits(1, 9)?;
                nanos += fraction * 10i64.pow(u32::try_from(9 - count).ok()?);
                self.digits(0, 18);
            }
        }
        (hour < 24 && minute < 60).then_some((hour * 3600 + minute * 60) * NANOS_PER_SECOND + nanos)
    }

    fn zone(&mut self) -> Option<Option<Zone>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return Some(None);
        }
        if self.rest.eq_ignore_ascii_case("z") {
            return Some(Some(Zone::Offset(0)));
        }
        let negative = self.take('-');
        if negative || self.take('+') {
            let (hours, _) = self.digits(1, 2)?;
            let mut seconds = hours * 3600;
            for unit in [60, 1] {
                if self.rest.is_empty() {
                    break;
                }
                self.take(':');
                seconds += self.digits(2, 2)?.0 * unit;
            }
            let valid = self.rest.is_empty() && seconds <= 18 * 3600;
            return valid.then_some(Some(Zone::Offset(if negative { -seconds } else { seconds })));
        }
        self.rest.parse().ok().map(|zone| Some(Zone::Named(zone)))
    }
}

/// A zone written behind a timestamp.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Zone {
    Offset(i64),
    Named(Tz),
}

/// Reads a date; a time behind it is dropped.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    parse_moment(text).map(|(moment, _)| moment.days)
}

/// Reads a time of day in nanoseconds.
pub(crate) fn parse_time(text: &str) -> Option<i64> {
    let mut cursor = Cursor { rest: text.trim() };
    let nanos = cursor.time()?;
    cursor.rest.is_empty().then_some(nanos)
}

/// Reads a date with an optional time and zone.
pub(crate) fn parse_moment(text: &str) -> Option<(Moment, Option<Zone>)> {
    let mut cursor = Cursor { rest: text.trim() };
    let days = cursor.date()?;
    if cursor.rest.is_empty() {
        return Some((Moment { days, nanos: 0 }, None));
    }
    if !cursor.take('T') && !cursor.take('t') && !cursor.take(' ') {
        return None;
    }
    cursor.rest = cursor.rest.trim_start();
    let nanos = cursor.time()?;
    let zone = cursor.zone()?;
    Some((Moment { days, nanos }, zone))
}

/// Reads a timestamp as an instant; without a zone of its own it is local to `zone`.
pub(crate) fn parse_instant(text: &str, zone: Tz) -> Option<Result<Moment>> {
    let (moment, own) = parse_moment(text)?;
    Some(match own {
        None => moment.to_instant(zone),
        Some(Zone::Named(named)) => moment.to_instant(named),
        Some(Zone::Offset(seconds)) => Ok(moment.plus_seconds(-seconds)),
    })
}
