//! Lengths, positions and slices. They count code points, from 1.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryBuilder, Int64Array, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::strings::text_at;
use super::{Call, declared_integer};
use crate::expressions::Typed;
use crate::kernel::{Arguments, invalid, unexpected};
use crate::texts::Texts;

/// CHAR_LENGTH, OCTET_LENGTH, BIT_LENGTH, POSITION, ASCII, LEVENSHTEIN, in the declared integer type.
pub(super) fn measure(mut call: Call) -> Result<Typed> {
    let two = matches!(call.function, F::Position | F::Levenshtein);
    let count = if two { 2 } else { 1 };
    call.arity(count, count)?;
    let bytes = matches!(call.function, F::CharLength | F::OctetLength | F::BitLength)
        && *call.type_of(0)? == DataType::Binary;
    if !bytes {
        call.widen(0..count, &DataType::Utf8)?;
    }
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let factor = if call.function == F::BitLength { 8 } else { 1 };
    let natural = match call.function {
        _ if bytes => call.kernel("byte_length", DataType::Int64, move |args| {
            let array = args.array(0)?;
            let column = array.as_binary_opt::<i32>().ok_or_else(|| unexpected(&array))?;
            let lengths: Int64Array =
                column.iter().map(|value| value.map(|v| v.len() as i64 * factor)).collect();
            Ok(Arc::new(lengths))
        }),
        F::CharLength => one(call, "char_length", |text| text.chars().count() as i64),
        F::OctetLength => one(call, "octet_length", |text| text.len() as i64),
        F::BitLength => one(call, "bit_length", |text| text.len() as i64 * 8),
        F::Ascii => one(call, "ascii", |text| text.chars().next().map_or(0, |c| i64::from(u32::from(c)))),
        F::Position => pair(call, "position", position),
        _ => pair(call, "levenshtein", levenshtein),
    };
    declared_integer(natural, &declared, node, &session)
}

fn one(call: Call, name: &'static str, measure: fn(&str) -> i64) -> Typed {
    call.kernel(name, DataType::Int64, move |args| {
        let lengths: Int64Array = args.strings(0)?.iter().map(|text| text.map(measure)).collect();
        Ok(Arc::new(lengths))
    })
}

fn pair(call: Call, name: &'static str, measure: fn(&str, &str) -> i64) -> Typed {
    call.kernel(name, DataType::Int64, move |args| {
        let (left, right) = (args.strings(0)?, args.strings(1)?);
        let results: Int64Array = (0..args.rows())
            .map(|row| text_at(&left, row).zip(text_at(&right, row)).map(|(a, b)| measure(a, b)))
            .collect();
        Ok(Arc::new(results))
    })
}

fn position(needle: &str, haystack: &str) -> i64 {
    let before = haystack.find(needle).and_then(|at| haystack.get(..at));
    before.map_or(0, |before| before.chars().count() as i64 + 1)
}

fn levenshtein(left: &str, right: &str) -> i64 {
    let right: Vec<char> = right.chars().collect();
    let mut costs: Vec<i64> = (0..=right.len() as i64).collect();
    for (row, a) in left.chars().enumerate() {
        let mut diagonal = row as i64;
        let mut before = diagonal + 1;
        for (cost, b) in costs.iter_mut().skip(1).zip(&right) {
            let substituted = diagonal + i64::from(a != *b);
            diagonal = *cost;
            before = substituted.min(before + 1).min(*cost + 1);
            *cost = before;
        }
        if let Some(first) = costs.first_mut() {
            *first = row as i64 + 1;
        }
    }
    costs.last().copied().unwrap_or_default()
}

/// SUBSTRING, LEFT, RIGHT, OVERLAY.
pub(super) fn slice(mut call: Call) -> Result<Typed> {
    match call.function {
        F::Substring => {
            call.arity(2, 3)?;
            let count = call.args.len();
            call.widen(1..count, &DataType::Int64)?;
            // only a negative length fails
            let fallible = match call.args.get(2).map(Typed::as_literal) {
                None => false,
                Some(Some(ScalarValue::Int64(Some(length)))) => *length < 0,
                Some(_) => true,
            };
            if *call.type_of(0)? == DataType::Binary {
                let name = "substring_bytes";
                return Ok(call.perhaps_fallible(fallible, name, DataType::Binary, substring_bytes));
            }
            call.widen([0], &DataType::Utf8)?;
            Ok(call.perhaps_fallible(fallible, "substring", DataType::Utf8, substring))
        }
        F::Overlay => overlay(call),
        function => {
            call.arity(2, 2)?;
            call.widen([0], &DataType::Utf8)?;
            call.widen([1], &DataType::Int64)?;
            let left = function == F::LeftString;
            let name = if left { "left" } else { "right" };
            Ok(call.kernel(name, DataType::Utf8, move |args| ends(args, left)))
        }
    }
}

/// The half-open range of positions, from 0, that a start from 1 and a length name.
fn range(start: i64, length: Option<i64>) -> Result<(usize, usize)> {
    let end = match length {
        Some(length) if length < 0 => {
            return Err(invalid(format!("negative substring length {length}")));
        }
        Some(length) => start.saturating_add(length).max(1),
        None => i64::MAX,
    };
    let from = usize::try_from(start.max(1) - 1).unwrap_or_default();
    let to = usize::try_from(end - 1).unwrap_or(usize::MAX);
    Ok((from, to.max(from)))
}

/// The characters of a range of positions.
fn characters(text: &str, from: usize, to: usize) -> &str {
    if text.is_ascii() {
        return text.get(from.min(text.len())..to.min(text.len())).unwrap_or("");
    }
    let at = |position: usize| text.char_indices().nth(position).map_or(text.len(), |(at, _)| at);
    let start = at(from);
    let end = if to == usize::MAX { text.len() } else { at(to) };
    text.get(start..end.max(start)).unwrap_or("")
}

fn bounds(
    args: &Arguments,
    row: usize,
    starts: &Int64Array,
    lengths: Option<&Int64Array>,
) -> Result<Option<(usize, usize)>> {
    let missing = lengths.is_some_and(|lengths| lengths.is_null(row));
    if starts.is_null(row) || missing || args.rows() <= row {
        return Ok(None);
    }
    range(starts.value(row), lengths.map(|lengths| lengths.value(row))).map(Some)
}

fn length_column(args: &Arguments) -> Result<Option<Int64Array>> {
    if args.len() == 3 { args.integers(2).map(Some) } else { Ok(None) }
}

fn substring(args: &Arguments) -> Result<ArrayRef> {
    let (strings, starts, lengths) = (args.strings(0)?, args.integers(1)?, length_column(args)?);
    let mut texts = Texts::new(args.rows());
    for row in 0..args.rows() {
        let cut = match text_at(&strings, row) {
            Some(text) => {
                bounds(args, row, &starts, lengths.as_ref())?.map(|(from, to)| characters(text, from, to))
            }
            None => None,
        };
        texts.push(cut)?;
    }
    Ok(texts.finish())
}

fn substring_bytes(args: &Arguments) -> Result<ArrayRef> {
    let array = args.array(0)?;
    let column = array.as_binary_opt::<i32>().ok_or_else(|| unexpected(&array))?;
    let (starts, lengths) = (args.integers(1)?, length_column(args)?);
    let mut bytes = BinaryBuilder::new();
    for row in 0..args.rows() {
        match bounds(args, row, &starts, lengths.as_ref())? {
            Some((from, to)) if column.is_valid(row) => {
                let value = column.value(row);
                let (from, to) = (from.min(value.len()), to.min(value.len()));
                bytes.append_value(value.get(from..to).unwrap_or_default());
            }
            _ => bytes.append_null(),
        }
    }
    Ok(Arc::new(bytes.finish()))
}

/// LEFT and RIGHT; a negative count leaves that many out at the other end.
fn ends(args: &Arguments, left: bool) -> Result<ArrayRef> {
    let (strings, counts) = (args.strings(0)?, args.integers(1)?);
    let mut texts = Texts::new(args.rows());
    for row in 0..args.rows() {
        let cut = text_at(&strings, row).filter(|_| counts.is_valid(row)).map(|text| {
            let total = text.chars().count();
            let wanted = counts.value(row);
            let size = usize::try_from(wanted.unsigned_abs()).unwrap_or(usize::MAX);
            let kept = if wanted < 0 { total.saturating_sub(size) } else { size.min(total) };
            if left { characters(text, 0, kept) } else { characters(text, total - kept, usize::MAX) }
        });
        texts.push(cut)?;
    }
    Ok(texts.finish())
}

/// Without a length, as many characters go as the replacement has.
fn overlay(mut call: Call) -> Result<Typed> {
    call.arity(3, 4)?;
    let count = call.args.len();
    call.widen(0..2, &DataType::Utf8)?;
    call.widen(2..count, &DataType::Int64)?;
    Ok(call.fallible("overlay", DataType::Utf8, |args| {
        let (strings, replacements): (StringArray, StringArray) = (args.strings(0)?, args.strings(1)?);
        let starts = args.integers(2)?;
        let lengths = if args.len() == 4 { Some(args.integers(3)?) } else { None };
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let missing = starts.is_null(row) || lengths.as_ref().is_some_and(|l| l.is_null(row));
            let laid = match text_at(&strings, row).zip(text_at(&replacements, row)) {
                Some((text, replacement)) if !missing => {
                    let length = lengths
                        .as_ref()
                        .map_or(replacement.chars().count() as i64, |lengths| lengths.value(row));
                    Some(laid_over(text, replacement, starts.value(row), length)?)
                }
                _ => None,
            };
            texts.push(laid)?;
        }
        Ok(texts.finish())
    }))
}

fn laid_over(text: &str, replacement: &str, start: i64, length: i64) -> Result<String> {
    if start < 1 {
        return Err(invalid(format!("OVERLAY at position {start}; positions count from 1")));
    }
    let (from, to) = range(start, Some(length))?;
    let (head, tail) = (characters(text, 0, from), characters(text, to, usize::MAX));
    Ok(format!("{head}{replacement}{tail}"))
}
