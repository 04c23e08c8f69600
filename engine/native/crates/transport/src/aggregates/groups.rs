//! Exact totals of many groups.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Decimal128Array, Float64Array, Int64Array,
    PrimitiveArray,
};
use datafusion::arrow::datatypes::{
    DataType, Decimal128Type, DurationMicrosecondType, Int8Type, Int16Type, Int32Type, Int64Type,
    IntervalYearMonthType,
};
use datafusion::error::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::totals::{Output, Total, for_each, states};

/// Totals by group. Carries are kept only where the type can need them.
pub(super) struct Totals {
    output: Output,
    low: Vec<i128>,
    carry: Vec<i64>,
    count: Vec<i64>,
}

impl Totals {
    /// No groups yet.
    pub(super) fn new(output: Output) -> Self {
        Self { output, low: Vec::new(), carry: Vec::new(), count: Vec::new() }
    }

    fn resize(&mut self, groups: usize) {
        self.low.resize(groups, 0);
        self.count.resize(groups, 0);
        if self.output.carries {
            self.carry.resize(groups, 0);
        }
    }

    fn add(&mut self, group: usize, total: Total) {
        // group indices are below the number of groups
        if let (Some(low), Some(count)) = (self.low.get_mut(group), self.count.get_mut(group)) {
            *count += total.count;
            match self.carry.get_mut(group) {
                None => *low = low.wrapping_add(total.low),
                Some(carry) => {
                    let mut sum = Total { low: *low, carry: *carry, count: 0 };
                    sum.merge(total);
                    (*low, *carry) = (sum.low, sum.carry);
                }
            }
        }
    }

    fn take(&mut self, emit_to: EmitTo) -> Vec<Total> {
        let low = emit_to.take_needed(&mut self.low);
        let count = emit_to.take_needed(&mut self.count);
        let carry = if self.output.carries { emit_to.take_needed(&mut self.carry) } else { Vec::new() };
        low.into_iter()
            .zip(count)
            .enumerate()
            .map(|(group, (low, count))| Total {
                low,
                count,
                carry: carry.get(group).copied().unwrap_or_default(),
            })
            .collect()
    }

    fn results<T: ArrowPrimitiveType>(&self, totals: &[Total]) -> Result<ArrayRef>
    where
        T::Native: TryFrom<i128>,
    {
        let values = totals
            .iter()
            .map(|total| {
                if total.count == 0 {
                    return Ok(None);
                }
                let value = self.output.exact(*total)?;
                Ok(Some(self.output.narrow::<T::Native>(value)?))
            })
            .collect::<Result<PrimitiveArray<T>>>()?;
        Ok(Arc::new(values.with_data_type(self.output.result.clone())))
    }
}

/// The columns of totals.
fn columns(totals: &[Total]) -> Vec<ArrayRef> {
    let low = Decimal128Array::from_iter_values(totals.iter().map(|total| total.low));
    vec![
        Arc::new(low.with_data_type(DataType::Decimal128(38, 0))),
        Arc::new(Int64Array::from_iter_values(totals.iter().map(|total| total.carry))),
        Arc::new(Int64Array::from_iter_values(totals.iter().map(|total| total.count))),
    ]
}

impl GroupsAccumulator for Totals {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        groups: usize,
    ) -> Result<()> {
        self.resize(groups);
        let Some(array) = values.first() else { return Ok(()) };
        let kept = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        for_each(array, |row, value| {
            if let Some(group) = group_indices.get(row).filter(|_| kept(row)) {
                self.add(*group, Total { low: value, carry: 0, count: 1 });
            }
        })
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], groups: usize) -> Result<()> {
        self.resize(groups);
        for (total, group) in states(values)?.zip(group_indices) {
            self.add(*group, total);
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let totals = self.take(emit_to);
        match self.output.result {
            DataType::Int8 => self.results::<Int8Type>(&totals),
            DataType::Int16 => self.results::<Int16Type>(&totals),
            DataType::Int32 => self.results::<Int32Type>(&totals),
            DataType::Int64 => self.results::<Int64Type>(&totals),
            DataType::Interval(_) => self.results::<IntervalYearMonthType>(&totals),
            DataType::Duration(_) => self.results::<DurationMicrosecondType>(&totals),
            DataType::Decimal128(_, _) => self.results::<Decimal128Type>(&totals),
            _ => {
                let doubles: Float64Array = totals
                    .iter()
                    .map(|total| (total.count > 0).then(|| self.output.double(*total)))
                    .collect();
                Ok(Arc::new(doubles))
            }
        }
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(columns(&self.take(emit_to)))
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let Some(array) = values.first() else { return Ok(Vec::new()) };
        let mut totals = vec![Total::default(); array.len()];
        for_each(array, |row, value| {
            let kept = filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
            if let Some(total) = totals.get_mut(row).filter(|_| kept) {
                *total = Total { low: value, carry: 0, count: 1 };
            }
        })?;
        Ok(columns(&totals))
    }

    fn size(&self) -> usize {
        self.low.capacity() * size_of::<i128>()
            + (self.carry.capacity() + self.count.capacity()) * size_of::<i64>()
    }
}
