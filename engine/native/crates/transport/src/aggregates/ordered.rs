//! Aggregates that need the values in order: percentiles, MODE, MIN_BY and MAX_BY.

use std::cmp::Ordering;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, make_comparator};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::{SortOptions, concat, filter as keep, is_not_null, sort};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::{Accumulator, AggregateUDF};

use super::own::{Own, Spec};
use crate::casts::{Context, Mode, cast_array};
use crate::decimals;
use crate::types::{is_float, is_integer, is_number};

/// What is taken from the sorted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Between two values.
    Continuous,
    /// A value.
    Discrete,
    /// The value that comes most often; the first of several in order.
    Mode,
}

/// The type of a percentile: decimals interpolate in the declared decimal, other numbers in doubles.
pub(super) fn result_type(kind: Kind, value: &DataType, declared: &DataType) -> Option<DataType> {
    if kind != Kind::Continuous {
        return (!value.is_nested()).then(|| value.clone());
    }
    match (value, declared) {
        (DataType::Decimal128(_, _), DataType::Decimal128(_, _)) => Some(declared.clone()),
        (value, _) if is_number(value) => Some(DataType::Float64),
        (DataType::Date32 | DataType::Timestamp(_, _) | DataType::Time64(_) | DataType::Duration(_), _) => {
            Some(value.clone())
        }
        _ => None,
    }
}

/// The percentile of values of a type.
pub(super) fn percentile(
    kind: Kind,
    fraction: f64,
    descending: bool,
    value: &DataType,
    result: &DataType,
) -> Arc<AggregateUDF> {
    let spec = Percentile { kind, fraction, descending, value: value.clone(), result: result.clone() };
    let name = match kind {
        Kind::Continuous => "percentile_continuous",
        Kind::Discrete => "percentile_discrete",
        Kind::Mode => "most_frequent",
    };
    Own::udaf(name, format!("{fraction},{descending},{value}"), result.clone(), spec)
}

#[derive(Clone, Debug)]
struct Percentile {
    kind: Kind,
    fraction: f64,
    descending: bool,
    value: DataType,
    result: DataType,
}

impl Spec for Percentile {
    fn state(&self) -> Vec<DataType> {
        vec![DataType::List(list_field(&self.value))]
    }

    fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Collected { spec: self.clone(), chunks: Vec::new(), bytes: 0 }))
    }
}

fn list_field(element: &DataType) -> FieldRef {
    Arc::new(Field::new_list_field(element.clone(), true))
}

/// The values of a group that are not NULL.
#[derive(Debug)]
struct Collected {
    spec: Percentile,
    chunks: Vec<ArrayRef>,
    bytes: usize,
}

impl Collected {
    fn values(&self) -> Result<ArrayRef> {
        let parts: Vec<&dyn Array> = self.chunks.iter().map(|chunk| chunk.as_ref()).collect();
        if parts.is_empty() {
            return Ok(datafusion::arrow::array::new_empty_array(&self.spec.value));
        }
        Ok(concat(&parts)?)
    }
}

impl Accumulator for Collected {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(array) = values.first() else { return Ok(()) };
        // the filter copies, so that a slice does not hold a whole batch
        let kept = keep(array, &is_not_null(array)?)?;
        if !kept.is_empty() {
            self.bytes += kept.get_array_memory_size();
            self.chunks.push(kept);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let Some(lists) = states.first() else { return Ok(()) };
        let lists = lists.as_list::<i32>();
        for row in 0..lists.len() {
            if lists.is_valid(row) {
                self.update_batch(&[lists.value(row)])?;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = self.values()?;
        let offsets = OffsetBuffer::from_lengths([values.len()]);
        let list = ListArray::try_new(list_field(&self.spec.value), offsets, values, None)?;
        Ok(vec![ScalarValue::List(Arc::new(list))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let values = self.values()?;
        if values.is_empty() {
            return ScalarValue::try_from(&self.spec.result);
        }
        let ascending = self.spec.kind == Kind::Continuous || !self.spec.descending;
        let options = SortOptions { descending: !ascending, nulls_first: false };
        let sorted = sort(&values, Some(options))?;
        match self.spec.kind {
            Kind::Continuous => between(&sorted, self.spec.fraction, &self.spec.result),
            Kind::Discrete => {
                let rank = (self.spec.fraction * sorted.len() as f64).ceil() as usize;
                ScalarValue::try_from_array(&sorted, rank.clamp(1, sorted.len()) - 1)
            }
            Kind::Mode => most_frequent(&sorted),
        }
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.bytes + self.chunks.capacity() * size_of::<ArrayRef>()
    }
}

fn most_frequent(sorted: &ArrayRef) -> Result<ScalarValue> {
    let compare = make_comparator(sorted, sorted, SortOptions::default())?;
    let (mut best, mut best_length) = (0, 0);
    let mut start = 0;
    for end in 1..=sorted.len() {
        if end == sorted.len() || compare(start, end) != Ordering::Equal {
            if end - start > best_length {
                (best, best_length) = (start, end - start);
            }
            start = end;
        }
    }
    ScalarValue::try_from_array(sorted, best)
}

/// The value at a fraction of the way through sorted values, between two of them in proportion.
fn between(sorted: &ArrayRef, fraction: f64, result: &DataType) -> Result<ScalarValue> {
    let position = fraction * (sorted.len() - 1) as f64;
    let (low, high) = (position.floor() as usize, position.ceil() as usize);
    let part = position - position.floor();
    let pair = concat(&[&sorted.slice(low, 1), &sorted.slice(high, 1)])?;
    if is_integer(pair.data_type()) || is_float(pair.data_type()) || *result == DataType::Float64 {
        let context = Context { mode: Mode::Checked, zone: chrono_tz::Tz::UTC };
        let pair = cast_array(&pair, &DataType::Float64, context)?;
        let pair = pair.as_primitive::<datafusion::arrow::datatypes::Float64Type>();
        let (low, high) = (pair.value(0), pair.value(1));
        let value = if low == high || part == 0.0 { low } else { low + (high - low) * part };
        return Ok(ScalarValue::from(value));
    }
    if let DataType::Decimal128(_, from) = pair.data_type() {
        let pair = pair.as_primitive::<datafusion::arrow::datatypes::Decimal128Type>();
        return decimal_between(pair.value(0), pair.value(1), part, *from, result);
    }
    // dates and times: between their numbers, in their own unit
    let width = if pair.data_type().primitive_width() == Some(4) { DataType::Int32 } else { DataType::Int64 };
    let numbers = datafusion::arrow::compute::cast(&pair, &width)?;
    let numbers = datafusion::arrow::compute::cast(&numbers, &DataType::Int64)?;
    let numbers = numbers.as_primitive::<datafusion::arrow::datatypes::Int64Type>();
    let (low, high) = (i128::from(numbers.value(0)), i128::from(numbers.value(1)));
    let value = low + ((high - low) as f64 * part).round() as i128;
    let number = ScalarValue::from(i64::try_from(value).unwrap_or_default()).cast_to(&width)?;
    number.cast_to(result)
}

fn decimal_between(low: i128, high: i128, part: f64, from: i8, result: &DataType) -> Result<ScalarValue> {
    let DataType::Decimal128(precision, scale) = *result else {
        return datafusion::common::internal_err!("a decimal percentile as {result}");
    };
    // a little more room than the result has, rounded once
    let fine = from.max(scale).saturating_add(6).min(37);
    let rescaled = |value: i128| decimals::rescale(value, from, fine, 38);
    let value = match rescaled(low).and_then(|low| Ok((low, rescaled(high)?))) {
        Ok((low, high)) => {
            let gap = high - low;
            let share = if part == 0.5 {
                decimals::divide_rounded(gap, 2)
            } else {
                (gap as f64 * part).round() as i128
            };
            decimals::rescale(low + share, fine, scale, precision)?
        }
        Err(_) => {
            let share = ((high - low) as f64 * part).round() as i128;
            decimals::rescale(low + share, from, scale, precision)?
        }
    };
    Ok(ScalarValue::Decimal128(Some(value), precision, scale))
}

/// MIN_BY or MAX_BY of values of a type by keys of another.
pub(super) fn extreme_by(least: bool, value: &DataType, key: &DataType) -> Arc<AggregateUDF> {
    let name = if least { "value_of_least" } else { "value_of_greatest" };
    let spec = ExtremeBy { least, value: value.clone(), key: key.clone() };
    Own::udaf(name, key.to_string(), value.clone(), spec)
}

struct ExtremeBy {
    least: bool,
    value: DataType,
    key: DataType,
}

impl Spec for ExtremeBy {
    fn state(&self) -> Vec<DataType> {
        vec![self.value.clone(), self.key.clone()]
    }

    fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Best {
            wanted: if self.least { Ordering::Less } else { Ordering::Greater },
            value: ScalarValue::try_from(&self.value)?,
            key: ScalarValue::try_from(&self.key)?,
        }))
    }
}

/// The best key so far and its value; the first of equal ones.
#[derive(Debug)]
struct Best {
    wanted: Ordering,
    value: ScalarValue,
    key: ScalarValue,
}

impl Accumulator for Best {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [values, keys] = values else {
            return datafusion::common::internal_err!("MIN_BY and MAX_BY take two columns");
        };
        let compare = make_comparator(keys, keys, SortOptions::default())?;
        let best = (0..keys.len())
            .filter(|row| keys.is_valid(*row))
            .reduce(|best, row| if compare(row, best) == self.wanted { row } else { best });
        let Some(row) = best else { return Ok(()) };
        let current = self.key.to_array()?;
        let better = self.key.is_null()
            || make_comparator(keys, &current, SortOptions::default())?(row, 0) == self.wanted;
        if better {
            self.value = ScalarValue::try_from_array(values, row)?;
            self.key = ScalarValue::try_from_array(keys, row)?;
            self.value.compact();
            self.key.compact();
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.value.clone(), self.key.clone()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(self.value.clone())
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.value.size() + self.key.size()
    }
}
