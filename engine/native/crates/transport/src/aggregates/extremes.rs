//! MIN and MAX of floats. DataFusion's start from the greatest finite value, which is wrong for infinities.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float32Array, Float64Array};
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::{Accumulator, AggregateUDF, EmitTo, GroupsAccumulator};

use super::own::{Own, Spec};

/// Which end is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Least,
    Greatest,
}

/// The function for values of a float type, NaN in one form and above infinity.
pub(super) fn extreme(end: End, data_type: &DataType) -> Arc<AggregateUDF> {
    let name = match end {
        End::Least => "min_float",
        End::Greatest => "max_float",
    };
    let spec = Extreme { end, data_type: data_type.clone() };
    Own::udaf(name, String::new(), data_type.clone(), spec)
}

#[derive(Clone, Debug)]
struct Extreme {
    end: End,
    data_type: DataType,
}

impl Extreme {
    fn better(&self, best: Option<f64>, value: f64) -> Option<f64> {
        let wins = best.is_none_or(|best| {
            let order = value.total_cmp(&best);
            if self.end == End::Least { order.is_lt() } else { order.is_gt() }
        });
        if wins { Some(value) } else { best }
    }

    /// The values of an array of the type; a REAL is exact as a double.
    fn values<'a>(&self, array: &'a ArrayRef) -> Box<dyn Iterator<Item = Option<f64>> + 'a> {
        match self.data_type {
            DataType::Float32 => {
                Box::new(array.as_primitive::<Float32Type>().iter().map(|v| v.map(f64::from)))
            }
            _ => Box::new(array.as_primitive::<Float64Type>().iter()),
        }
    }

    fn array(&self, values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
        match self.data_type {
            DataType::Float32 => Arc::new(values.map(|v| v.map(|v| v as f32)).collect::<Float32Array>()),
            _ => Arc::new(values.collect::<Float64Array>()),
        }
    }
}

impl Spec for Extreme {
    fn state(&self) -> Vec<DataType> {
        vec![self.data_type.clone()]
    }

    fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One { extreme: self.clone(), best: None }))
    }

    fn groups(&self) -> Option<Box<dyn GroupsAccumulator>> {
        Some(Box::new(Many { extreme: self.clone(), best: Vec::new() }))
    }
}

/// The best value of one group.
#[derive(Debug)]
struct One {
    extreme: Extreme,
    best: Option<f64>,
}

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(array) = values.first() else { return Ok(()) };
        self.best =
            self.extreme.values(array).flatten().fold(self.best, |best, v| self.extreme.better(best, v));
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(match self.extreme.data_type {
            DataType::Float32 => ScalarValue::Float32(self.best.map(|v| v as f32)),
            _ => ScalarValue::Float64(self.best),
        })
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The best values of many groups.
struct Many {
    extreme: Extreme,
    best: Vec<Option<f64>>,
}

impl GroupsAccumulator for Many {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        groups: usize,
    ) -> Result<()> {
        self.best.resize(groups, None);
        let Some(array) = values.first() else { return Ok(()) };
        let kept = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        for (row, (value, group)) in self.extreme.values(array).zip(group_indices).enumerate() {
            if let Some(value) = value.filter(|_| kept(row))
                && let Some(best) = self.best.get_mut(*group)
            {
                *best = self.extreme.better(*best, value);
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], groups: usize) -> Result<()> {
        self.update_batch(values, group_indices, None, groups)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let best = emit_to.take_needed(&mut self.best);
        Ok(self.extreme.array(best.into_iter()))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate(emit_to)?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let Some(array) = values.first() else { return Ok(Vec::new()) };
        let kept = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        let states = self.extreme.values(array).enumerate().map(|(row, v)| v.filter(|_| kept(row)));
        Ok(vec![self.extreme.array(states)])
    }

    fn size(&self) -> usize {
        self.best.capacity() * size_of::<Option<f64>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(end: End, values: Vec<Option<f64>>) -> ArrayRef {
        let extreme = Extreme { end, data_type: DataType::Float64 };
        let mut many = extreme.groups().unwrap();
        let indices: Vec<usize> = (0..values.len()).collect();
        let array: ArrayRef = Arc::new(Float64Array::from(values));
        many.update_batch(&[array], &indices, None, indices.len()).unwrap();
        many.evaluate(EmitTo::All).unwrap()
    }

    #[test]
    fn infinities_nan_and_null_are_their_own_extremes() {
        let values = vec![Some(f64::INFINITY), Some(f64::NEG_INFINITY), Some(f64::NAN), None, Some(-1.5)];
        for end in [End::Least, End::Greatest] {
            let result = groups(end, values.clone());
            let result: Vec<Option<f64>> = result.as_primitive::<Float64Type>().iter().collect();
            assert_eq!(format!("{result:?}"), format!("{values:?}"));
        }
    }

    #[test]
    fn nan_is_greatest() {
        let extreme = Extreme { end: End::Greatest, data_type: DataType::Float64 };
        let mut one = One { extreme, best: None };
        let array: ArrayRef = Arc::new(Float64Array::from(vec![f64::NAN, f64::INFINITY]));
        one.update_batch(&[array]).unwrap();
        assert!(one.best.unwrap().is_nan());
    }
}
