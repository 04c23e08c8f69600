//! LIKE and regular expressions.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, BooleanArray, Int64Array, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::expr::Like;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;
use regex::{Regex, RegexBuilder};

use super::strings::text_at;
use super::{Call, declared_integer};
use crate::expressions::Typed;
use crate::kernel::{Arguments, invalid};
use crate::texts::Texts;

/// LIKE and ILIKE, as DataFusion's own, so that scans can prune by a prefix. The escape is a backslash.
pub(super) fn like(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen(0..2, &DataType::Utf8)?;
    let insensitive = call.function == F::Ilike;
    let [value, pattern] =
        <[Typed; 2]>::try_from(call.args).map_err(|_| invalid("LIKE takes two arguments"))?;
    let like = Like::new(false, Box::new(value.expr), Box::new(pattern.expr), None, insensitive);
    Ok(Typed::new(Expr::Like(like), DataType::Boolean))
}

/// SIMILAR TO and REGEXP_LIKE (value, regex[, flags]).
pub(super) fn matches(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    call.widen(0..call.args.len(), &DataType::Utf8)?;
    Ok(call.fallible("regexp_like", DataType::Boolean, |args| {
        let strings = args.strings(0)?;
        let mut patterns = Patterns::new(args, 1, 2)?;
        let mut truth = Vec::with_capacity(args.rows());
        for row in 0..args.rows() {
            let pair = text_at(&strings, row).zip(patterns.at(row)?);
            truth.push(pair.map(|(text, regex)| regex.is_match(text)));
        }
        Ok(Arc::new(BooleanArray::from(truth)))
    }))
}

/// REGEXP_REPLACE (value, regex, replacement[, flags]): the first match, all with flag `g`; `\1` and `\&` refer to groups.
pub(super) fn replace(mut call: Call) -> Result<Typed> {
    call.arity(3, 4)?;
    call.widen(0..call.args.len(), &DataType::Utf8)?;
    Ok(call.fallible("regexp_replace", DataType::Utf8, |args| {
        let (strings, replacements) = (args.strings(0)?, args.strings(2)?);
        let flags = if args.len() == 4 { Some(args.strings(3)?) } else { None };
        let mut patterns = Patterns::new(args, 1, 3)?;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let all = flags.as_ref().and_then(|f| text_at(f, row)).is_some_and(|f| f.contains('g'));
            let pieces = text_at(&strings, row).zip(text_at(&replacements, row)).zip(patterns.at(row)?);
            texts.push(pieces.map(|((text, replacement), regex)| {
                let limit = usize::from(!all);
                regex.replacen(text, limit, group_references(replacement)).into_owned()
            }))?;
        }
        Ok(texts.finish())
    }))
}

/// `\1` as `${1}`, `\&` as `${0}`, `\\` as a backslash.
fn group_references(replacement: &str) -> String {
    let mut result = String::with_capacity(replacement.len());
    let mut letters = replacement.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '$' => result.push_str("$$"),
            '\\' => match letters.next() {
                Some('&') => result.push_str("${0}"),
                Some(digit) if digit.is_ascii_digit() => {
                    result.push_str("${");
                    result.push(digit);
                    result.push('}');
                }
                Some(other) => result.push(other),
                None => result.push('\\'),
            },
            other => result.push(other),
        }
    }
    result
}

/// REGEXP_COUNT (value, regex[, start[, flags]]), in the declared integer type.
pub(super) fn count(mut call: Call) -> Result<Typed> {
    call.arity(2, 4)?;
    call.widen(0..2, &DataType::Utf8)?;
    if call.args.len() > 2 {
        call.widen([2], &DataType::Int64)?;
    }
    if call.args.len() > 3 {
        call.widen([3], &DataType::Utf8)?;
    }
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let natural = call.fallible("regexp_count", DataType::Int64, |args| {
        let strings = args.strings(0)?;
        let starts = if args.len() > 2 { Some(args.integers(2)?) } else { None };
        let mut patterns = Patterns::new(args, 1, 3)?;
        let mut counts = Vec::with_capacity(args.rows());
        for row in 0..args.rows() {
            let start = match &starts {
                None => Some(1),
                Some(starts) => starts.is_valid(row).then(|| starts.value(row)),
            };
            let found = text_at(&strings, row).zip(start).zip(patterns.at(row)?);
            counts.push(found.map(|((text, start), regex)| count_from(text, start, regex)).transpose()?);
        }
        Ok(Arc::new(Int64Array::from(counts)))
    });
    declared_integer(natural, &declared, node, &session)
}

fn count_from(text: &str, start: i64, regex: &Regex) -> Result<i64> {
    let skip = usize::try_from(start - 1)
        .map_err(|_| invalid(format!("REGEXP_COUNT from position {start}; positions count from 1")))?;
    let at = text.char_indices().nth(skip).map_or(text.len(), |(at, _)| at);
    Ok(regex.find_iter(text.get(at..).unwrap_or("")).count() as i64)
}

/// REGEXP_EXTRACT (value, regex, group): NULL without a match.
pub(super) fn extract(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    if call.args.len() == 2 {
        call.args.push(Typed::literal(0i64.into()));
    }
    call.widen(0..2, &DataType::Utf8)?;
    call.widen([2], &DataType::Int64)?;
    Ok(call.fallible("regexp_extract", DataType::Utf8, |args| {
        let (strings, groups) = (args.strings(0)?, args.integers(2)?);
        let mut patterns = Patterns::new(args, 1, usize::MAX)?;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let found = match text_at(&strings, row).zip(patterns.at(row)?) {
                Some((text, regex)) if groups.is_valid(row) => group(text, regex, groups.value(row))?,
                _ => None,
            };
            texts.push(found)?;
        }
        Ok(texts.finish())
    }))
}

fn group<'a>(text: &'a str, regex: &Regex, group: i64) -> Result<Option<&'a str>> {
    let index = usize::try_from(group)
        .ok()
        .filter(|index| *index < regex.captures_len())
        .ok_or_else(|| invalid(format!("the regular expression has no group {group}")))?;
    Ok(regex.captures(text).and_then(|captures| captures.get(index)).map(|found| found.as_str()))
}

/// The compiled patterns of a batch.
struct Patterns {
    patterns: StringArray,
    flags: Option<StringArray>,
    compiled: HashMap<(String, String), Regex>,
}

impl Patterns {
    fn new(args: &Arguments, pattern: usize, flags: usize) -> Result<Self> {
        let flags = if args.len() > flags { Some(args.strings(flags)?) } else { None };
        Ok(Self { patterns: args.strings(pattern)?, flags, compiled: HashMap::new() })
    }

    /// The pattern of a row, `None` where it or its flags are NULL.
    fn at(&mut self, row: usize) -> Result<Option<&Regex>> {
        let Some(pattern) = text_at(&self.patterns, row) else { return Ok(None) };
        let flags = match &self.flags {
            None => "",
            Some(flags) => match text_at(flags, row) {
                Some(flags) => flags,
                None => return Ok(None),
            },
        };
        let key = (pattern.to_owned(), flags.to_owned());
        if !self.compiled.contains_key(&key) {
            if self.compiled.len() >= 1024 {
                self.compiled.clear();
            }
            self.compiled.insert(key.clone(), compile(pattern, flags)?);
        }
        Ok(self.compiled.get(&key))
    }
}

fn compile(pattern: &str, flags: &str) -> Result<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    for flag in flags.chars() {
        match flag {
            'g' => {}
            'i' => {
                builder.case_insensitive(true);
            }
            'c' => {
                builder.case_insensitive(false);
            }
            'm' | 'n' => {
                builder.multi_line(true);
            }
            's' => {
                builder.dot_matches_new_line(true);
            }
            'x' => {
                builder.ignore_whitespace(true);
            }
            other => return Err(invalid(format!("unknown regular expression flag '{other}'"))),
        }
    }
    builder.build().map_err(|error| invalid(format!("invalid regular expression '{pattern}': {error}")))
}
