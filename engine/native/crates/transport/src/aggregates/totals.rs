//! SUM and AVG of integers, decimals and intervals: exact totals in 128 bits with a carry, checked at the end.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray};
use datafusion::arrow::datatypes::{
    DataType, Decimal128Type, DurationMicrosecondType, Int8Type, Int16Type, Int32Type, Int64Type,
    IntervalUnit, IntervalYearMonthType, TimeUnit, i256,
};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Accumulator, AggregateUDF, GroupsAccumulator};
use fulmar_error::Result;

use super::groups::Totals;
use super::own::{Own, Spec};
use crate::decimals;
use crate::kernel::overflow;
use crate::types::{is_integer, sql_name};

/// What is made of a total.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) scale: i8,
    pub(super) average: bool,
    pub(super) result: DataType,
    /// Whether totals may pass 128 bits: decimals so wide that some billions of rows could.
    pub(super) carries: bool,
}

/// The sum of a type as another, where there is one.
pub(super) fn sum(input: &DataType, result: &DataType) -> Option<Arc<AggregateUDF>> {
    function("exact_sum", input, result, false)
}

/// The average of a type as another, where there is one.
pub(super) fn average(input: &DataType, result: &DataType) -> Option<Arc<AggregateUDF>> {
    function("exact_average", input, result, true)
}

fn function(
    name: &'static str,
    input: &DataType,
    result: &DataType,
    average: bool,
) -> Option<Arc<AggregateUDF>> {
    const MONTHS: DataType = DataType::Interval(IntervalUnit::YearMonth);
    const MICROS: DataType = DataType::Duration(TimeUnit::Microsecond);
    let numeric = is_integer(result)
        || matches!(result, DataType::Decimal128(_, _))
        || average && *result == DataType::Float64;
    let (scale, precision) = match input {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 if numeric => (0, 19),
        DataType::Decimal128(precision, scale) if numeric => (*scale, *precision),
        same if same == result && (*same == MONTHS || *same == MICROS) => (0, 19),
        _ => return None,
    };
    let output = Output { scale, average, result: result.clone(), carries: precision > 27 };
    Some(Own::udaf(name, format!("{scale},{precision}"), result.clone(), output))
}

impl Spec for Output {
    fn state(&self) -> Vec<DataType> {
        vec![DataType::Decimal128(38, 0), DataType::Int64, DataType::Int64]
    }

    fn accumulator(&self) -> datafusion::error::Result<Box<dyn Accumulator>> {
        Ok(Box::new(Running { total: Total::default(), output: self.clone() }))
    }

    fn groups(&self) -> Option<Box<dyn GroupsAccumulator>> {
        Some(Box::new(Totals::new(self.clone())))
    }

    fn sliding(&self) -> Option<Box<dyn Accumulator>> {
        Some(Box::new(Running { total: Total::default(), output: self.clone() }))
    }
}

/// A total of 192 bits and how many values it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) low: i128,
    pub(super) carry: i64,
    pub(super) count: i64,
}

impl Total {
    /// Adds a value.
    pub(super) fn add(&mut self, value: i128) {
        let (low, carried) = self.low.overflowing_add(value);
        self.low = low;
        if carried {
            self.carry += if value < 0 { -1 } else { 1 };
        }
    }

    /// Adds another total.
    pub(super) fn merge(&mut self, other: Self) {
        self.add(other.low);
        self.carry += other.carry;
        self.count += other.count;
    }

    /// The whole value.
    fn wide(self) -> i256 {
        i256::from_i128(self.low).wrapping_add(i256::from_parts(0, i128::from(self.carry)))
    }
}

impl Output {
    /// The unscaled result of a total with values, for results that are no floats.
    pub(super) fn exact(&self, total: Total) -> Result<i128> {
        let (precision, scale) = match self.result {
            DataType::Decimal128(precision, scale) => (precision, scale),
            _ => (38, 0),
        };
        let gap = decimals::scale_gap(scale, self.scale);
        let out = || overflow(format!("sum out of the range of {}", sql_name(&self.result)));
        let scaled = total.wide().checked_mul(decimals::wide_pow10(gap)).ok_or_else(out)?;
        let divisor = decimals::wide_pow10(decimals::scale_gap(self.scale, scale));
        let count = if self.average { total.count } else { 1 };
        let divisor = divisor.wrapping_mul(i256::from_i128(i128::from(count)));
        decimals::fit_wide(decimals::divide_wide(scaled, divisor), precision, scale).map_err(|_| out())
    }

    /// The average of a total with values, as a double.
    pub(super) fn double(&self, total: Total) -> f64 {
        let sum = if total.carry == 0 {
            decimals::to_f64(total.low, self.scale)
        } else {
            total.wide().to_string().parse::<f64>().unwrap_or(f64::NAN) / 10f64.powi(i32::from(self.scale))
        };
        sum / total.count as f64
    }

    /// A result narrowed to the type it has.
    pub(super) fn narrow<T: TryFrom<i128>>(&self, value: i128) -> Result<T> {
        T::try_from(value)
            .map_err(|_| overflow(format!("sum out of the range of {}", sql_name(&self.result))))
    }

    fn scalar(&self, total: Total) -> Result<ScalarValue> {
        if total.count == 0 {
            return Ok(ScalarValue::try_from(&self.result)?);
        }
        if self.result == DataType::Float64 {
            return Ok(ScalarValue::from(self.double(total)));
        }
        let value = self.exact(total)?;
        Ok(match &self.result {
            DataType::Int8 => ScalarValue::from(self.narrow::<i8>(value)?),
            DataType::Int16 => ScalarValue::from(self.narrow::<i16>(value)?),
            DataType::Int32 => ScalarValue::from(self.narrow::<i32>(value)?),
            DataType::Int64 => ScalarValue::from(self.narrow::<i64>(value)?),
            DataType::Interval(_) => ScalarValue::IntervalYearMonth(Some(self.narrow(value)?)),
            DataType::Duration(_) => ScalarValue::DurationMicrosecond(Some(self.narrow(value)?)),
            DataType::Decimal128(precision, scale) => {
                ScalarValue::Decimal128(Some(value), *precision, *scale)
            }
            other => {
                return Err(fulmar_error::EngineError::internal(format!("a total as {other}")));
            }
        })
    }
}

/// Calls a function with each value that is not NULL, and its row.
pub(super) fn for_each(
    array: &ArrayRef,
    mut visit: impl FnMut(usize, i128),
) -> datafusion::error::Result<()> {
    fn visit_all<T: ArrowPrimitiveType>(array: &ArrayRef, mut visit: impl FnMut(usize, i128))
    where
        T::Native: Into<i128>,
    {
        let array = array.as_primitive::<T>();
        if array.null_count() == 0 {
            for (row, value) in array.values().iter().enumerate() {
                visit(row, (*value).into());
            }
        } else {
            for (row, value) in array.iter().enumerate() {
                if let Some(value) = value {
                    visit(row, value.into());
                }
            }
        }
    }
    match array.data_type() {
        DataType::Int8 => visit_all::<Int8Type>(array, &mut visit),
        DataType::Int16 => visit_all::<Int16Type>(array, &mut visit),
        DataType::Int32 => visit_all::<Int32Type>(array, &mut visit),
        DataType::Int64 => visit_all::<Int64Type>(array, &mut visit),
        DataType::Decimal128(_, _) => visit_all::<Decimal128Type>(array, &mut visit),
        DataType::Interval(_) => visit_all::<IntervalYearMonthType>(array, &mut visit),
        DataType::Duration(_) => visit_all::<DurationMicrosecondType>(array, &mut visit),
        other => return datafusion::common::internal_err!("a total of {other}"),
    }
    Ok(())
}

/// The totals of state columns.
pub(super) fn states(columns: &[ArrayRef]) -> datafusion::error::Result<impl Iterator<Item = Total> + '_> {
    let [low, carry, count] = columns else {
        return datafusion::common::internal_err!("a total has three state columns");
    };
    let (low, carry) = (low.as_primitive::<Decimal128Type>(), carry.as_primitive::<Int64Type>());
    let count = count.as_primitive::<Int64Type>();
    Ok(low.values().iter().zip(carry.values()).zip(count.values()).map(|((low, carry), count)| Total {
        low: *low,
        carry: *carry,
        count: *count,
    }))
}

#[derive(Debug)]
struct Running {
    total: Total,
    output: Output,
}

impl Accumulator for Running {
    fn update_batch(&mut self, values: &[ArrayRef]) -> datafusion::error::Result<()> {
        let Some(array) = values.first() else { return Ok(()) };
        for_each(array, |_, value| {
            self.total.add(value);
            self.total.count += 1;
        })
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> datafusion::error::Result<()> {
        let Some(array) = values.first() else { return Ok(()) };
        for_each(array, |_, value| {
            self.total.add(-value);
            self.total.count -= 1;
        })
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, columns: &[ArrayRef]) -> datafusion::error::Result<()> {
        states(columns)?.for_each(|total| self.total.merge(total));
        Ok(())
    }

    fn state(&mut self) -> datafusion::error::Result<Vec<ScalarValue>> {
        let Total { low, carry, count } = self.total;
        Ok(vec![
            ScalarValue::Decimal128(Some(low), 38, 0),
            ScalarValue::from(carry),
            ScalarValue::from(count),
        ])
    }

    fn evaluate(&mut self) -> datafusion::error::Result<ScalarValue> {
        Ok(self.output.scalar(self.total)?)
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}
