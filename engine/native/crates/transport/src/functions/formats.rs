//! TO_CHAR, TO_DATE and TO_TIMESTAMP with PostgreSQL's format letters.

use std::collections::HashMap;

use chrono_tz::Tz;
use datafusion::arrow::datatypes::DataType;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::ScalarFunction as F;

use super::strings::text_at;
use super::{Call, number_formats};
use crate::calendar::{Civil, Moment, NANOS_PER_SECOND, format_offset, iso_week, iso_weekday};
use crate::expressions::Typed;
use crate::kernel::{Kernel, invalid};
use crate::moments;
use crate::texts::Texts;
use crate::types::is_number;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// How the letters of a name are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Upper,
    Title,
    Lower,
}

/// A field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Year with its last digits only.
    Year(usize),
    GroupedYear,
    IsoYear(usize),
    Century,
    Quarter,
    Month,
    MonthName(Case),
    MonthShort(Case),
    IsoWeek,
    WeekOfYear,
    WeekOfMonth,
    DayOfYear,
    IsoDayOfYear,
    Day,
    DayName(Case),
    DayShort(Case),
    /// Sunday 1.
    DayOfWeek,
    IsoDayOfWeek,
    Julian,
    Hour12,
    Hour24,
    Minute,
    Second,
    SecondOfDay,
    Fraction(usize),
    Meridiem(Case, bool),
    ZoneName(Case),
    ZoneOffset,
    ZoneHour,
    ZoneMinute,
}

/// An item of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// A field; whether it is written without padding; an ordinal ending.
    Field(Field, bool, Option<Case>),
    Text(String),
}

/// The names of fields, the longest first among those with one beginning.
const FIELDS: &[(&str, Field)] = &[
    ("YYYY", Field::Year(4)),
    ("YYY", Field::Year(3)),
    ("YY", Field::Year(2)),
    ("Y,YYY", Field::GroupedYear),
    ("Y", Field::Year(1)),
    ("IYYY", Field::IsoYear(4)),
    ("IYY", Field::IsoYear(3)),
    ("IY", Field::IsoYear(2)),
    ("IDDD", Field::IsoDayOfYear),
    ("IW", Field::IsoWeek),
    ("ID", Field::IsoDayOfWeek),
    ("I", Field::IsoYear(1)),
    ("CC", Field::Century),
    ("Q", Field::Quarter),
    ("MONTH", Field::MonthName(Case::Upper)),
    ("Month", Field::MonthName(Case::Title)),
    ("month", Field::MonthName(Case::Lower)),
    ("MON", Field::MonthShort(Case::Upper)),
    ("Mon", Field::MonthShort(Case::Title)),
    ("mon", Field::MonthShort(Case::Lower)),
    ("MM", Field::Month),
    ("MI", Field::Minute),
    ("MS", Field::Fraction(3)),
    ("US", Field::Fraction(6)),
    ("FF1", Field::Fraction(1)),
    ("FF2", Field::Fraction(2)),
    ("FF3", Field::Fraction(3)),
    ("FF4", Field::Fraction(4)),
    ("FF5", Field::Fraction(5)),
    ("FF6", Field::Fraction(6)),
    ("FF7", Field::Fraction(7)),
    ("FF8", Field::Fraction(8)),
    ("FF9", Field::Fraction(9)),
    ("WW", Field::WeekOfYear),
    ("W", Field::WeekOfMonth),
    ("DAY", Field::DayName(Case::Upper)),
    ("Day", Field::DayName(Case::Title)),
    ("day", Field::DayName(Case::Lower)),
    ("DY", Field::DayShort(Case::Upper)),
    ("Dy", Field::DayShort(Case::Title)),
    ("dy", Field::DayShort(Case::Lower)),
    ("DDD", Field::DayOfYear),
    ("DD", Field::Day),
    ("D", Field::DayOfWeek),
    ("J", Field::Julian),
    ("HH24", Field::Hour24),
    ("HH12", Field::Hour12),
    ("HH", Field::Hour12),
    ("SSSSS", Field::SecondOfDay),
    ("SSSS", Field::SecondOfDay),
    ("SS", Field::Second),
    ("A.M.", Field::Meridiem(Case::Upper, true)),
    ("P.M.", Field::Meridiem(Case::Upper, true)),
    ("a.m.", Field::Meridiem(Case::Lower, true)),
    ("p.m.", Field::Meridiem(Case::Lower, true)),
    ("AM", Field::Meridiem(Case::Upper, false)),
    ("PM", Field::Meridiem(Case::Upper, false)),
    ("am", Field::Meridiem(Case::Lower, false)),
    ("pm", Field::Meridiem(Case::Lower, false)),
    ("TZH", Field::ZoneHour),
    ("TZM", Field::ZoneMinute),
    ("TZ", Field::ZoneName(Case::Upper)),
    ("tz", Field::ZoneName(Case::Lower)),
    ("OF", Field::ZoneOffset),
];

/// Fields whose letters count in either case.
fn is_caseless(field: Field) -> bool {
    !matches!(
        field,
        Field::MonthName(_)
            | Field::MonthShort(_)
            | Field::DayName(_)
            | Field::DayShort(_)
            | Field::Meridiem(_, _)
            | Field::ZoneName(_)
    )
}

fn items(format: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let (quoted, tail) = rest[1..].split_once('"').unwrap_or((&rest[1..], ""));
            items.push(Item::Text(quoted.to_owned()));
            rest = tail;
            continue;
        }
        let (plain, after) = match rest.get(..2) {
            Some("FM" | "fm") => (true, &rest[2..]),
            _ => (false, rest),
        };
        let found = FIELDS.iter().find(|(name, field)| {
            after.starts_with(name)
                || is_caseless(*field)
                    && after.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
        });
        if let Some((name, field)) = found {
            rest = &after[name.len()..];
            let ending = match rest.get(..2) {
                Some("TH") => Some(Case::Upper),
                Some("th") => Some(Case::Lower),
                _ => None,
            };
            if ending.is_some() {
                rest = &rest[2..];
            }
            items.push(Item::Field(*field, plain, ending));
        } else if plain {
            rest = after;
        } else {
            let text = &rest[..first.len_utf8()];
            match items.last_mut() {
                Some(Item::Text(before)) => before.push_str(text),
                _ => items.push(Item::Text(text.to_owned())),
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    items
}

/// TO_CHAR (date, time, timestamp or number, format); instants in the session's zone.
pub(super) fn to_char(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &DataType::Utf8)?;
    let data_type = call.type_of(0)?.clone();
    if is_number(&data_type) {
        return number_formats::to_char(call);
    }
    if !moments::is_dated(&data_type) && !matches!(data_type, DataType::Time64(_)) {
        return Err(EngineError::new(
            ErrorCode::Unsupported,
            format!("TO_CHAR of {}", crate::types::sql_name(&data_type)),
        ));
    }
    let zone = if moments::is_instant(&data_type) { call.session.zone } else { Tz::UTC };
    let kernel = Kernel::new("to_char_text", DataType::Utf8, move |args| {
        let (values, formats) = (moments::read(&args.array(0)?)?, args.strings(1)?);
        let mut known: HashMap<String, Vec<Item>> = HashMap::new();
        let mut texts = Texts::new(args.rows());
        for (row, moment) in values.into_iter().enumerate() {
            let text = match moment.zip(text_at(&formats, row)) {
                None => None,
                Some((moment, format)) => {
                    let items = known.entry(format.to_owned()).or_insert_with(|| items(format));
                    let offset = moment.offset(zone)?;
                    Some(write(moment.to_local(zone)?, items, zone, offset))
                }
            };
            texts.push(text)?;
        }
        Ok(texts.finish())
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), DataType::Utf8))
}

fn write(moment: Moment, items: &[Item], zone: Tz, offset: i64) -> String {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Text(literal) => text.push_str(literal),
            Item::Field(field, plain, ending) => {
                let written = write_field(moment, *field, *plain, zone, offset);
                text.push_str(&written);
                if let Some(case) = ending {
                    let ending = ordinal(&written);
                    text.push_str(&cased(ending, *case));
                }
            }
        }
    }
    text
}

pub(super) fn ordinal(digits: &str) -> &'static str {
    let tens = digits.len() >= 2 && digits.as_bytes().get(digits.len() - 2) == Some(&b'1');
    match digits.as_bytes().last() {
        Some(b'1') if !tens => "st",
        Some(b'2') if !tens => "nd",
        Some(b'3') if !tens => "rd",
        _ => "th",
    }
}

fn cased(text: &str, case: Case) -> String {
    match case {
        Case::Upper => text.to_uppercase(),
        Case::Title => text.to_owned(),
        Case::Lower => text.to_lowercase(),
    }
}

fn name_of<'a>(names: &'a [&'a str], number: i64) -> &'a str {
    usize::try_from(number - 1).ok().and_then(|index| names.get(index)).copied().unwrap_or("")
}

/// A number with leading zeros, unless it is to be plain.
fn padded(value: i64, width: usize, plain: bool) -> String {
    if plain { value.to_string() } else { format!("{value:0width$}") }
}

/// The last digits of a year; all of it for four.
fn year_digits(year: i64, digits: usize, plain: bool) -> String {
    let kept = match u32::try_from(digits) {
        Ok(fewer @ 1..=3) => year.rem_euclid(10i64.pow(fewer)),
        _ => year,
    };
    padded(kept, digits, plain)
}

/// A name in its case, to nine characters unless it is to be plain.
fn written_name(name: &str, case: Case, plain: bool) -> String {
    let name = cased(name, case);
    if plain { name } else { format!("{name:9}") }
}

fn short_name(name: &str, case: Case) -> String {
    cased(name.get(..3).unwrap_or(name), case)
}

fn write_field(moment: Moment, field: Field, plain: bool, zone: Tz, offset: i64) -> String {
    let (hour, minute, second, fraction) = moment.clock();
    match field {
        Field::Hour12 => padded((hour + 11) % 12 + 1, 2, plain),
        Field::Hour24 => padded(hour, 2, plain),
        Field::Minute => padded(minute, 2, plain),
        Field::Second => padded(second, 2, plain),
        Field::SecondOfDay => (moment.nanos / NANOS_PER_SECOND).to_string(),
        Field::Fraction(digits) => format!("{fraction:09}").chars().take(digits).collect(),
        Field::Meridiem(case, dotted) => {
            let text = match (hour >= 12, dotted) {
                (false, false) => "AM",
                (true, false) => "PM",
                (false, true) => "A.M.",
                (true, true) => "P.M.",
            };
            cased(text, case)
        }
        Field::ZoneName(case) => cased(zone.name(), case),
        Field::ZoneOffset => format_offset(offset).trim_end_matches(":00").to_owned(),
        Field::ZoneHour => format_offset(offset).chars().take(3).collect(),
        Field::ZoneMinute => format!("{:02}", offset.abs() / 60 % 60),
        _ => write_date_field(moment.days, field, plain),
    }
}

/// A field of the date.
fn write_date_field(days: i64, field: Field, plain: bool) -> String {
    let date = Civil::of_days(days);
    let day_of_year = date.day_of_year();
    let weekday = iso_weekday(days);
    match field {
        Field::Year(digits) => year_digits(date.year, digits, plain),
        Field::GroupedYear => format!("{},{:03}", date.year / 1000, date.year % 1000),
        Field::IsoYear(digits) => year_digits(iso_week(days).0, digits, plain),
        Field::Century => padded((date.year + 99).div_euclid(100), 2, plain),
        Field::Quarter => ((date.month - 1) / 3 + 1).to_string(),
        Field::Month => padded(date.month, 2, plain),
        Field::MonthName(case) => written_name(name_of(&MONTHS, date.month), case, plain),
        Field::MonthShort(case) => short_name(name_of(&MONTHS, date.month), case),
        Field::IsoWeek => padded(iso_week(days).1, 2, plain),
        Field::WeekOfYear => padded((day_of_year - 1) / 7 + 1, 2, plain),
        Field::WeekOfMonth => ((date.day - 1) / 7 + 1).to_string(),
        Field::DayOfYear => padded(day_of_year, 3, plain),
        Field::IsoDayOfYear => padded((iso_week(days).1 - 1) * 7 + weekday, 3, plain),
        Field::Day => padded(date.day, 2, plain),
        Field::DayName(case) => written_name(name_of(&DAYS, weekday), case, plain),
        Field::DayShort(case) => short_name(name_of(&DAYS, weekday), case),
        Field::DayOfWeek => (weekday % 7 + 1).to_string(),
        Field::IsoDayOfWeek => weekday.to_string(),
        Field::Julian => (days + 2_440_588).to_string(),
        // the fields of the clock are written above
        _ => String::new(),
    }
}

/// TO_DATE and TO_TIMESTAMP (text, format), in the declared type.
pub(super) fn parse(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen(0..2, &DataType::Utf8)?;
    let result = match (call.function, &call.declared) {
        (F::ToDate, _) => DataType::Date32,
        (_, timestamp @ DataType::Timestamp(_, _)) => timestamp.clone(),
        _ => return Err(call.reject("is declared no timestamp")),
    };
    let zone = if moments::is_instant(&result) { call.session.zone } else { Tz::UTC };
    let wanted = result.clone();
    let kernel = Kernel::new("parse_moment", result.clone(), move |args| {
        let (strings, formats) = (args.strings(0)?, args.strings(1)?);
        let mut known: HashMap<String, Vec<Item>> = HashMap::new();
        let moments = (0..args.rows()).map(|row| {
            let Some((text, format)) = text_at(&strings, row).zip(text_at(&formats, row)) else {
                return Ok(None);
            };
            let items = known.entry(format.to_owned()).or_insert_with(|| items(format));
            let read = Reading::of(text, items).ok_or_else(|| {
                EngineError::new(
                    ErrorCode::InvalidCast,
                    format!("'{text}' does not have the format '{format}'"),
                )
            })?;
            read.moment(text, zone).map(Some)
        });
        moments::write(moments, &wanted)
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), result))
}

/// What a text told by a format.
#[derive(Default)]
struct Reading {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    hour: i64,
    afternoon: Option<bool>,
    minute: i64,
    second: i64,
    nanos: i64,
    julian: Option<i64>,
    second_of_day: Option<i64>,
    offset: Option<i64>,
}

impl Reading {
    fn of(text: &str, items: &[Item]) -> Option<Self> {
        let mut reading = Self::default();
        let mut rest = text.trim_start();
        for (index, item) in items.iter().enumerate() {
            rest = match item {
                Item::Text(literal) => skip(rest, literal),
                Item::Field(field, plain, ending) => {
                    let followed = matches!(items.get(index + 1), Some(Item::Field(_, _, _)));
                    let rest = reading.field(*field, rest.trim_start(), followed && !plain)?;
                    if ending.is_some() { rest.get(2..)? } else { rest }
                }
            };
        }
        rest.trim().is_empty().then_some(reading)
    }

    /// Reads a field; another field right behind it bounds the digits.
    fn field<'a>(&mut self, field: Field, text: &'a str, bounded: bool) -> Option<&'a str> {
        match field {
            Field::Year(width) => {
                let (value, digits, rest) = digits(text, if bounded { width } else { 7 })?;
                self.year = Some(match width {
                    // two digits: 1970 to 2069
                    2 if digits <= 2 => value + if value < 70 { 2000 } else { 1900 },
                    1 | 3 if digits <= width => 2000 + value,
                    _ => value,
                });
                Some(rest)
            }
            Field::MonthName(_) | Field::MonthShort(_) => {
                let (index, rest) = named(text, &MONTHS)?;
                self.month = Some(index);
                Some(rest)
            }
            Field::DayName(_) | Field::DayShort(_) => Some(named(text, &DAYS)?.1),
            Field::Fraction(width) => {
                let (value, count, rest) = digits(text, if bounded { width } else { 9 })?;
                self.nanos = value * 10i64.pow(u32::try_from(9 - count).ok()?);
                Some(rest)
            }
            Field::Meridiem(_, dotted) => {
                let length = if dotted { 4 } else { 2 };
                self.afternoon = Some(match text.get(..length)?.to_ascii_lowercase().as_str() {
                    "pm" | "p.m." => true,
                    "am" | "a.m." => false,
                    _ => return None,
                });
                text.get(length..)
            }
            Field::ZoneHour | Field::ZoneOffset | Field::ZoneMinute => self.zone(field, text),
            _ => self.number(field, text),
        }
    }

    /// Reads a field that is a number.
    fn number<'a>(&mut self, field: Field, text: &'a str) -> Option<&'a str> {
        let width = match field {
            Field::DayOfYear => 3,
            Field::Julian => 8,
            Field::SecondOfDay => 5,
            _ => 2,
        };
        let (value, _, rest) = digits(text, width)?;
        match field {
            Field::Month => self.month = Some(value),
            Field::Day => self.day = Some(value),
            Field::DayOfYear => self.day_of_year = Some(value),
            Field::Julian => self.julian = Some(value),
            Field::SecondOfDay => self.second_of_day = Some(value),
            Field::Hour12 | Field::Hour24 => self.hour = value,
            Field::Minute => self.minute = value,
            Field::Second => self.second = value,
            _ => return None,
        }
        Some(rest)
    }

    /// Reads hours or minutes of an offset from UTC.
    fn zone<'a>(&mut self, field: Field, text: &'a str) -> Option<&'a str> {
        if field == Field::ZoneMinute {
            let (minutes, _, rest) = digits(text, 2)?;
            let offset = self.offset.unwrap_or_default();
            self.offset = Some(offset + if offset < 0 { -minutes * 60 } else { minutes * 60 });
            return Some(rest);
        }
        let sign = match text.chars().next()? {
            '-' => -1,
            '+' => 1,
            _ => return None,
        };
        let (hours, _, mut rest) = digits(text.get(1..)?, 2)?;
        let mut seconds = hours * 3600;
        if field == Field::ZoneOffset
            && let Some(tail) = rest.strip_prefix(':')
        {
            let (minutes, _, tail) = digits(tail, 2)?;
            seconds += minutes * 60;
            rest = tail;
        }
        self.offset = Some(sign * seconds);
        Some(rest)
    }

    fn moment(&self, text: &str, zone: Tz) -> Result<Moment> {
        let bad = || invalid(format!("'{text}' is no date or time"));
        let hour = match self.afternoon {
            None => self.hour,
            Some(afternoon) if (1..=12).contains(&self.hour) => {
                self.hour % 12 + if afternoon { 12 } else { 0 }
            }
            Some(_) => return Err(bad()),
        };
        if !(0..24).contains(&hour) || self.minute > 59 || self.second > 59 {
            return Err(bad());
        }
        let year = self.year.unwrap_or(1);
        let date = Civil::checked(year, self.month.unwrap_or(1), self.day.unwrap_or(1)).ok_or_else(bad)?;
        let days = match (self.julian, self.day_of_year) {
            (Some(julian), _) => julian - 2_440_588,
            (None, Some(day)) if (1..=366).contains(&day) => {
                Civil { month: 1, day: 1, ..date }.days() + day - 1
            }
            (None, Some(_)) => return Err(bad()),
            (None, None) => date.days(),
        };
        let seconds = self.second_of_day.unwrap_or(hour * 3600 + self.minute * 60 + self.second);
        let moment = Moment { days, nanos: seconds * NANOS_PER_SECOND + self.nanos };
        match self.offset {
            Some(offset) if zone != Tz::UTC => Ok(moment.plus_seconds(-offset)),
            _ => moment.to_instant(zone),
        }
    }
}

/// Drops as many characters as a literal has; blanks in the format match any blanks.
fn skip<'a>(text: &'a str, literal: &str) -> &'a str {
    let mut rest = text;
    for wanted in literal.chars() {
        if wanted.is_whitespace() {
            rest = rest.trim_start();
        } else if let Some(first) = rest.chars().next()
            && (first == wanted || !first.is_alphanumeric())
        {
            rest = &rest[first.len_utf8()..];
        }
    }
    rest
}

fn digits(text: &str, most: usize) -> Option<(i64, usize, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(count);
    Some((digits.parse().ok()?, count, rest))
}

/// A name in full or by its first three letters, and its number from 1.
fn named<'a>(text: &'a str, names: &[&str]) -> Option<(i64, &'a str)> {
    let head = text.get(..3)?;
    let index = names.iter().position(|name| name.get(..3).is_some_and(|n| n.eq_ignore_ascii_case(head)))?;
    let name = names.get(index)?;
    let full = text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    let length = if full { name.len() } else { 3 };
    Some((i64::try_from(index).ok()? + 1, text.get(length..)?))
}
