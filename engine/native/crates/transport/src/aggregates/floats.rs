//! SUM and AVG of doubles over windows, without taking values back: a subtraction would keep what NaN, infinities
//! and rounding left behind.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::{Accumulator, AggregateUDF};

use super::own::{Own, Spec};

/// The sum of doubles in a window.
pub(super) fn sum() -> Arc<AggregateUDF> {
    Own::udaf("float_sum", String::new(), DataType::Float64, Floats { average: false })
}

/// The average of doubles in a window.
pub(super) fn average() -> Arc<AggregateUDF> {
    Own::udaf("float_average", String::new(), DataType::Float64, Floats { average: true })
}

struct Floats {
    average: bool,
}

impl Spec for Floats {
    fn state(&self) -> Vec<DataType> {
        vec![DataType::Float64, DataType::Int64]
    }

    fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Running { total: Total::default(), average: self.average }))
    }

    fn sliding(&self) -> Option<Box<dyn Accumulator>> {
        Some(Box::new(Stacks {
            front: Vec::new(),
            back: Vec::new(),
            back_total: Total::default(),
            average: self.average,
        }))
    }
}

/// A sum and how many values it has.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    sum: f64,
    count: i64,
}

impl Total {
    fn plus(self, value: Option<f64>) -> Self {
        match value {
            Some(value) => Self { sum: self.sum + value, count: self.count + 1 },
            None => self,
        }
    }

    fn joined(self, other: Self) -> Self {
        match (self.count, other.count) {
            (0, _) => other,
            (_, 0) => self,
            _ => Self { sum: self.sum + other.sum, count: self.count + other.count },
        }
    }

    fn result(self, average: bool) -> ScalarValue {
        let value = if average { self.sum / self.count as f64 } else { self.sum };
        ScalarValue::Float64((self.count > 0).then_some(value))
    }
}

fn doubles(values: &[ArrayRef]) -> Result<impl Iterator<Item = Option<f64>> + '_> {
    let array = values.first().and_then(|array| array.as_primitive_opt::<Float64Type>());
    match array {
        Some(array) => Ok(array.iter()),
        None => datafusion::common::internal_err!("a sum of floats met another type"),
    }
}

/// A frame that only grows.
#[derive(Debug)]
struct Running {
    total: Total,
    average: bool,
}

impl Accumulator for Running {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.total = doubles(values)?.fold(self.total, Total::plus);
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(self.total.result(self.average))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::from(self.total.sum), ScalarValue::from(self.total.count)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [sums, counts] = states else {
            return datafusion::common::internal_err!("a sum of floats has two state columns");
        };
        let counts = counts.as_primitive::<datafusion::arrow::datatypes::Int64Type>();
        for (sum, count) in sums.as_primitive::<Float64Type>().iter().zip(counts) {
            if let Some((sum, count)) = sum.zip(count) {
                self.total = self.total.joined(Total { sum, count });
            }
        }
        Ok(())
    }
}

/// A frame as two stacks: totals of what is left for each row of the front, and one total of the back.
#[derive(Debug)]
struct Stacks {
    front: Vec<Total>,
    back: Vec<Option<f64>>,
    back_total: Total,
    average: bool,
}

impl Accumulator for Stacks {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for value in doubles(values)? {
            self.back.push(value);
            self.back_total = self.back_total.plus(value);
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for _ in 0..values.first().map_or(0, |array| array.len()) {
            if self.front.is_empty() {
                let mut total = Total::default();
                for value in self.back.drain(..).rev() {
                    total = Total::default().plus(value).joined(total);
                    self.front.push(total);
                }
                self.back_total = Total::default();
            }
            if self.front.pop().is_none() {
                return datafusion::common::internal_err!("a frame takes back more rows than it gave");
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let front = self.front.last().copied().unwrap_or_default();
        Ok(front.joined(self.back_total).result(self.average))
    }

    fn size(&self) -> usize {
        size_of_val(self)
            + self.front.capacity() * size_of::<Total>()
            + self.back.capacity() * size_of::<Option<f64>>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        datafusion::common::internal_err!("a window has no partial state")
    }

    fn merge_batch(&mut self, _: &[ArrayRef]) -> Result<()> {
        datafusion::common::internal_err!("a window has no partial state")
    }
}
