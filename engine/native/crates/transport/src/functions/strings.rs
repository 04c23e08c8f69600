//! Strings made of strings.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, BinaryBuilder, BooleanArray, StringArray};
use datafusion::arrow::datatypes::DataType;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::Call;
use crate::casts::{self, Mode};
use crate::expressions::Typed;
use crate::kernel::{Arguments, invalid, unexpected};
use crate::texts::{Texts, check_length};

/// The value of a string column, `None` for NULL.
pub(super) fn text_at(strings: &StringArray, row: usize) -> Option<&str> {
    strings.is_valid(row).then(|| strings.value(row))
}

/// SQL `||` of strings or bytes: NULL with NULL.
pub(super) fn concat_operator(mut call: Call) -> Result<Typed> {
    call.arity(2, usize::MAX)?;
    let count = call.args.len();
    if call.declared == DataType::Binary {
        call.widen(0..count, &DataType::Binary)?;
        return Ok(call.kernel("concat_operator", DataType::Binary, concat_bytes));
    }
    if matches!(call.declared, DataType::List(_)) {
        return super::lists::concat(call);
    }
    call.widen(0..count, &DataType::Utf8)?;
    Ok(call.kernel("concat_operator", DataType::Utf8, |args| {
        let columns = columns(args)?;
        let mut texts = Texts::new(args.rows());
        let mut joined = String::new();
        for row in 0..args.rows() {
            joined.clear();
            let complete =
                columns.iter().all(|column| text_at(column, row).map(|text| joined.push_str(text)).is_some());
            texts.push(complete.then_some(&joined))?;
        }
        Ok(texts.finish())
    }))
}

fn concat_bytes(args: &Arguments) -> Result<datafusion::arrow::array::ArrayRef> {
    let arrays = (0..args.len()).map(|index| args.array(index)).collect::<Result<Vec<_>>>()?;
    let mut bytes = BinaryBuilder::new();
    for row in 0..args.rows() {
        if arrays.iter().any(|array| array.is_null(row)) {
            bytes.append_null();
            continue;
        }
        let mut joined = Vec::new();
        for array in &arrays {
            let column = array.as_binary_opt::<i32>().ok_or_else(|| unexpected(array))?;
            joined.extend_from_slice(column.value(row));
        }
        bytes.append_value(joined);
    }
    Ok(Arc::new(bytes.finish()))
}

fn columns(args: &Arguments) -> Result<Vec<StringArray>> {
    (0..args.len()).map(|index| args.strings(index)).collect()
}

/// CONCAT, where NULL counts as empty, and CONCAT_WS, which skips NULL. Values of other types are cast to text.
pub(super) fn concat(mut call: Call) -> Result<Typed> {
    call.arity(1, usize::MAX)?;
    let args = std::mem::take(&mut call.args);
    call.args = args
        .into_iter()
        .map(|arg| casts::cast(arg, &DataType::Utf8, Mode::Checked, call.node, &call.session))
        .collect::<Result<_>>()?;
    if call.function == F::Concat {
        return Ok(call.kernel("concat_texts", DataType::Utf8, |args| {
            let columns = columns(args)?;
            let mut texts = Texts::new(args.rows());
            for row in 0..args.rows() {
                let joined: String = columns.iter().filter_map(|column| text_at(column, row)).collect();
                texts.push(Some(joined))?;
            }
            Ok(texts.finish())
        }));
    }
    Ok(call.kernel("concat_with", DataType::Utf8, |args| {
        let separators = args.strings(0)?;
        let columns = columns(args)?;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let joined = text_at(&separators, row).map(|separator| {
                let parts: Vec<&str> =
                    columns.iter().skip(1).filter_map(|column| text_at(column, row)).collect();
                parts.join(separator)
            });
            texts.push(joined)?;
        }
        Ok(texts.finish())
    }))
}

/// UPPER, LOWER, INITCAP, REVERSE.
pub(super) fn unary(mut call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    call.widen([0], &DataType::Utf8)?;
    let (name, change): (_, fn(&str) -> String) = match call.function {
        F::Upper => ("upper", str::to_uppercase),
        F::Lower => ("lower", str::to_lowercase),
        F::Initcap => ("initcap", capitalised),
        _ => ("reverse", |text| text.chars().rev().collect()),
    };
    Ok(call.kernel(name, DataType::Utf8, move |args| {
        let mut texts = Texts::new(args.rows());
        for text in &args.strings(0)? {
            texts.push(text.map(change))?;
        }
        Ok(texts.finish())
    }))
}

fn capitalised(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut inside = false;
    for letter in text.chars() {
        if inside {
            result.extend(letter.to_lowercase());
        } else {
            result.extend(letter.to_uppercase());
        }
        inside = letter.is_alphanumeric();
    }
    result
}

/// REPLACE, REPEAT, LPAD, RPAD, the TRIM family, TRANSLATE, SPLIT_PART.
pub(super) fn edit(mut call: Call) -> Result<Typed> {
    match call.function {
        F::Replace => three_texts(call, "replace", |text, from, to| {
            Ok(if from.is_empty() { text.to_owned() } else { text.replace(from, to) })
        }),
        F::Translate => three_texts(call, "translate", |text, from, to| Ok(translated(text, from, to))),
        F::Repeat => {
            call.arity(2, 2)?;
            call.widen([0], &DataType::Utf8)?;
            call.widen([1], &DataType::Int64)?;
            Ok(call.fallible("repeat", DataType::Utf8, repeat))
        }
        F::Lpad | F::Rpad => pad(call),
        F::SplitPart => {
            call.arity(3, 3)?;
            call.widen(0..2, &DataType::Utf8)?;
            call.widen([2], &DataType::Int64)?;
            Ok(call.fallible("split_part", DataType::Utf8, split_part))
        }
        _ => trim(call),
    }
}

fn three_texts(
    mut call: Call,
    name: &'static str,
    change: fn(&str, &str, &str) -> Result<String>,
) -> Result<Typed> {
    call.arity(3, 3)?;
    call.widen(0..3, &DataType::Utf8)?;
    Ok(call.kernel(name, DataType::Utf8, move |args| {
        let (first, second, third) = (args.strings(0)?, args.strings(1)?, args.strings(2)?);
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let all = text_at(&first, row).zip(text_at(&second, row)).zip(text_at(&third, row));
            texts.push(all.map(|((a, b), c)| change(a, b, c)).transpose()?)?;
        }
        Ok(texts.finish())
    }))
}

fn translated(text: &str, from: &str, to: &str) -> String {
    let to: Vec<char> = to.chars().collect();
    let mut table: HashMap<char, Option<char>> = HashMap::new();
    for (index, letter) in from.chars().enumerate() {
        table.entry(letter).or_insert_with(|| to.get(index).copied());
    }
    text.chars().filter_map(|letter| table.get(&letter).copied().unwrap_or(Some(letter))).collect()
}

fn repeat(args: &Arguments) -> Result<datafusion::arrow::array::ArrayRef> {
    let (strings, counts) = (args.strings(0)?, args.integers(1)?);
    let mut texts = Texts::new(args.rows());
    for row in 0..args.rows() {
        let repeated = match text_at(&strings, row) {
            Some(text) if counts.is_valid(row) => {
                let count = usize::try_from(counts.value(row)).unwrap_or(0);
                check_length(text.len().saturating_mul(count))?;
                Some(text.repeat(count))
            }
            _ => None,
        };
        texts.push(repeated)?;
    }
    Ok(texts.finish())
}

fn pad(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    if call.args.len() == 2 {
        call.args.push(Typed::literal(" ".into()));
    }
    call.widen([0, 2], &DataType::Utf8)?;
    call.widen([1], &DataType::Int64)?;
    let left = call.function == F::Lpad;
    let name = if left { "lpad" } else { "rpad" };
    Ok(call.fallible(name, DataType::Utf8, move |args| {
        let (strings, lengths, fills) = (args.strings(0)?, args.integers(1)?, args.strings(2)?);
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let padded = match text_at(&strings, row).zip(text_at(&fills, row)) {
                Some((text, fill)) if lengths.is_valid(row) => {
                    let length = usize::try_from(lengths.value(row)).unwrap_or(0);
                    check_length(length)?;
                    Some(padded(text, length, fill, left))
                }
                _ => None,
            };
            texts.push(padded)?;
        }
        Ok(texts.finish())
    }))
}

fn padded(text: &str, length: usize, fill: &str, left: bool) -> String {
    let count = text.chars().count();
    if count >= length {
        return text.chars().take(length).collect();
    }
    let filling: String = fill.chars().cycle().take(length - count).collect();
    if left { filling + text } else { text.to_owned() + &filling }
}

fn split_part(args: &Arguments) -> Result<datafusion::arrow::array::ArrayRef> {
    let (strings, separators, indexes) = (args.strings(0)?, args.strings(1)?, args.integers(2)?);
    let mut texts = Texts::new(args.rows());
    for row in 0..args.rows() {
        let part = match text_at(&strings, row).zip(text_at(&separators, row)) {
            Some((text, separator)) if indexes.is_valid(row) => {
                Some(part(text, separator, indexes.value(row))?)
            }
            _ => None,
        };
        texts.push(part)?;
    }
    Ok(texts.finish())
}

fn part<'a>(text: &'a str, separator: &str, index: i64) -> Result<&'a str> {
    if index == 0 {
        return Err(invalid("SPLIT_PART counts from 1"));
    }
    let nth = usize::try_from(index.unsigned_abs() - 1).unwrap_or(usize::MAX);
    let found = if separator.is_empty() {
        (nth == 0).then_some(text)
    } else if index > 0 {
        text.split(separator).nth(nth)
    } else {
        let parts: Vec<&str> = text.split(separator).collect();
        parts.into_iter().rev().nth(nth)
    };
    Ok(found.unwrap_or(""))
}

fn trim(mut call: Call) -> Result<Typed> {
    call.arity(1, 2)?;
    if call.args.len() == 1 {
        call.args.push(Typed::literal(" ".into()));
    }
    call.widen(0..2, &DataType::Utf8)?;
    let function = call.function;
    let name = match function {
        F::Ltrim => "ltrim",
        F::Rtrim => "rtrim",
        _ => "trim",
    };
    Ok(call.kernel(name, DataType::Utf8, move |args| {
        let (strings, sets) = (args.strings(0)?, args.strings(1)?);
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let trimmed = text_at(&strings, row).zip(text_at(&sets, row)).map(|(text, set)| {
                let inside = |letter: char| set.contains(letter);
                match function {
                    F::Ltrim => text.trim_start_matches(inside),
                    F::Rtrim => text.trim_end_matches(inside),
                    _ => text.trim_matches(inside),
                }
            });
            texts.push(trimmed)?;
        }
        Ok(texts.finish())
    }))
}

/// STARTS_WITH, ENDS_WITH, CONTAINS.
pub(super) fn test(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen(0..2, &DataType::Utf8)?;
    let (name, holds): (_, fn(&str, &str) -> bool) = match call.function {
        F::StartsWith => ("starts_with", |text, part| text.starts_with(part)),
        F::EndsWith => ("ends_with", |text, part| text.ends_with(part)),
        _ => ("contains", |text, part| text.contains(part)),
    };
    Ok(call.kernel(name, DataType::Boolean, move |args| {
        let (strings, parts) = (args.strings(0)?, args.strings(1)?);
        let truth: BooleanArray = (0..args.rows())
            .map(|row| text_at(&strings, row).zip(text_at(&parts, row)).map(|(a, b)| holds(a, b)))
            .collect();
        Ok(Arc::new(truth))
    }))
}
