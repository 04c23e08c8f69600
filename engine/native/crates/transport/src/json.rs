//! JSON text of values, and scalars out of JSON text.

use chrono_tz::Tz;
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type};
use fulmar_error::Result;
use serde_json::Value;

use crate::casts::{hex, value_text};
use crate::kernel::{invalid, unexpected};

/// The JSON text of a value: objects for structs and maps, `null` for NULL, strings for what JSON has no form of.
pub(crate) fn value_to_json(array: &ArrayRef, row: usize, zone: Tz) -> Result<String> {
    let mut text = String::new();
    write_json(array, row, zone, &mut text)?;
    Ok(text)
}

fn write_json(array: &ArrayRef, row: usize, zone: Tz, out: &mut String) -> Result<()> {
    if array.is_null(row) || *array.data_type() == DataType::Null {
        out.push_str("null");
        return Ok(());
    }
    match array.data_type() {
        DataType::List(_) => {
            let values = array.as_list_opt::<i32>().ok_or_else(|| unexpected(array))?.value(row);
            write_items(out, ['[', ']'], values.len(), |index, out| write_json(&values, index, zone, out))
        }
        DataType::Struct(fields) => {
            let structs = array.as_struct_opt().ok_or_else(|| unexpected(array))?;
            let pairs: Vec<_> = fields.iter().zip(structs.columns()).collect();
            write_items(out, ['{', '}'], pairs.len(), |index, out| {
                let Some((field, column)) = pairs.get(index) else { return Ok(()) };
                write_string(field.name(), out);
                out.push(':');
                write_json(column, row, zone, out)
            })
        }
        DataType::Map(_, _) => {
            let entries = array.as_map_opt().ok_or_else(|| unexpected(array))?.value(row);
            let [keys, values] = entries.columns() else { return Err(unexpected(array)) };
            write_items(out, ['{', '}'], entries.len(), |index, out| {
                write_string(&value_text(keys, index, zone)?, out);
                out.push(':');
                write_json(values, index, zone, out)
            })
        }
        DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Decimal128(_, _) => {
            out.push_str(&value_text(array, row, zone)?);
            Ok(())
        }
        DataType::Float64 | DataType::Float32 => {
            let text = value_text(array, row, zone)?;
            if is_finite(array, row) {
                out.push_str(&text)
            } else {
                write_string(&text, out)
            }
            Ok(())
        }
        DataType::Binary => {
            write_string(&hex(array.as_binary::<i32>().value(row)), out);
            Ok(())
        }
        _ => {
            write_string(&value_text(array, row, zone)?, out);
            Ok(())
        }
    }
}

fn is_finite(array: &ArrayRef, row: usize) -> bool {
    match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).is_finite(),
        _ => array.as_primitive::<Float32Type>().value(row).is_finite(),
    }
}

fn write_items(
    out: &mut String,
    [open, close]: [char; 2],
    count: usize,
    mut item: impl FnMut(usize, &mut String) -> Result<()>,
) -> Result<()> {
    out.push(open);
    for index in 0..count {
        if index > 0 {
            out.push(',');
        }
        item(index, out)?;
    }
    out.push(close);
    Ok(())
}

fn write_string(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

/// One step of a path.
enum Step {
    Member(String),
    Element(usize),
}

/// A SQL/JSON path of members and elements: `$.name`, `$."a name"`, `$[0]`, with or without `lax`.
pub(crate) struct Path(Vec<Step>);

impl Path {
    /// Reads a path; a form that is not understood is an invalid argument.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let bad = || invalid(format!("JSON path '{text}' is not supported"));
        let trimmed = text.trim();
        let trimmed = trimmed.strip_prefix("lax ").unwrap_or(trimmed).trim_start();
        let mut rest = trimmed.strip_prefix('$').ok_or_else(bad)?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, tail) = next_step(rest).ok_or_else(bad)?;
            steps.push(step);
            rest = tail;
        }
        Ok(Self(steps))
    }

    /// The scalar at the path as text; `None` where it is absent, null, an object or an array.
    pub(crate) fn scalar(&self, document: &str) -> Option<String> {
        let document: Value = serde_json::from_str(document).ok()?;
        let mut at = &document;
        for step in &self.0 {
            at = match (step, at) {
                (Step::Member(name), Value::Object(members)) => members.get(name)?,
                (Step::Element(index), Value::Array(elements)) => elements.get(*index)?,
                (Step::Element(0), scalar) => scalar,
                _ => return None,
            };
        }
        match at {
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(at.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

fn next_step(rest: &str) -> Option<(Step, &str)> {
    if let Some(tail) = rest.strip_prefix(".\"") {
        let end = tail.find('"')?;
        return Some((Step::Member(tail[..end].to_owned()), &tail[end + 1..]));
    }
    if let Some(tail) = rest.strip_prefix('.') {
        let end = tail.find(['.', '[']).unwrap_or(tail.len());
        let name = tail.get(..end).filter(|name| !name.is_empty() && !name.contains(['*', '?', '(']))?;
        return Some((Step::Member(name.to_owned()), &tail[end..]));
    }
    let tail = rest.strip_prefix('[')?;
    let end = tail.find(']')?;
    let inner = tail[..end].trim();
    let step = match inner.strip_prefix(['"', '\'']) {
        Some(name) => Step::Member(name.strip_suffix(['"', '\''])?.to_owned()),
        None => Step::Element(inner.parse().ok()?),
    };
    Some((step, &tail[end + 1..]))
}
