//! SINGLE_VALUE: the one value, an error past one row.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::{Accumulator, AggregateUDF};
use fulmar_error::{EngineError, ErrorCode};

use super::own::{Own, Spec};

/// The function for values of a type.
pub(super) fn single_value(data_type: &DataType) -> Arc<AggregateUDF> {
    let spec = Single { data_type: data_type.clone() };
    Own::udaf("single_value", String::new(), data_type.clone(), spec)
}

struct Single {
    data_type: DataType,
}

impl Spec for Single {
    fn state(&self) -> Vec<DataType> {
        vec![self.data_type.clone(), DataType::Int64]
    }

    fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One { value: ScalarValue::try_from(&self.data_type)?, rows: 0 }))
    }
}

/// The value so far and the rows it came from.
#[derive(Debug)]
struct One {
    value: ScalarValue,
    rows: i64,
}

impl One {
    fn add(&mut self, value: ScalarValue, rows: i64) -> Result<()> {
        self.rows += rows;
        if self.rows > 1 {
            let error = EngineError::new(
                ErrorCode::CardinalityViolation,
                "a subquery used as a value returned more than one row",
            );
            return Err(error.into());
        }
        if rows == 1 {
            self.value = value;
        }
        Ok(())
    }
}

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(array) = values.first().filter(|array| !array.is_empty()) else { return Ok(()) };
        let mut value = ScalarValue::try_from_array(array, 0)?;
        value.compact();
        self.add(value, array.len() as i64)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [values, rows] = states else {
            return datafusion::common::internal_err!("SINGLE_VALUE has two state columns");
        };
        for (index, rows) in rows.as_primitive::<Int64Type>().iter().enumerate() {
            self.add(ScalarValue::try_from_array(values, index)?, rows.unwrap_or_default())?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.value.clone(), ScalarValue::from(self.rows)])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(self.value.clone())
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.value.size() - size_of_val(&self.value)
    }
}
