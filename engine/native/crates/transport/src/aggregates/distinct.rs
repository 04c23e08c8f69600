//! An accumulator over the distinct rows of its arguments.

use std::collections::HashSet;
use std::fmt;
use std::mem::size_of_val;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::row::{OwnedRow, RowConverter, SortField};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::Accumulator;

use super::sliding::Maker;

/// Collects distinct rows, then lets a fresh accumulator see each once.
pub(super) struct Distinct {
    types: Vec<DataType>,
    converter: RowConverter,
    rows: HashSet<OwnedRow>,
    bytes: usize,
    make: Maker,
}

impl fmt::Debug for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Distinct({} rows)", self.rows.len())
    }
}

impl Distinct {
    /// Distinct rows of these types for accumulators that have seen nothing.
    pub(super) fn new(types: Vec<DataType>, make: Maker) -> Result<Self> {
        let fields = types.iter().cloned().map(SortField::new).collect();
        Ok(Self { types, converter: RowConverter::new(fields)?, rows: HashSet::new(), bytes: 0, make })
    }

    /// The state: a list of values for each argument.
    pub(super) fn state(fields: &[FieldRef]) -> Vec<DataType> {
        fields.iter().map(|field| list_type(field.data_type())).collect()
    }

    fn columns(&self) -> Result<Vec<ArrayRef>> {
        Ok(self.converter.convert_rows(self.rows.iter().map(OwnedRow::row))?)
    }
}

fn list_field(element: &DataType) -> FieldRef {
    Arc::new(Field::new_list_field(element.clone(), true))
}

fn list_type(element: &DataType) -> DataType {
    DataType::List(list_field(element))
}

impl Accumulator for Distinct {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let rows = self.converter.convert_columns(values)?;
        for row in &rows {
            let owned = row.owned();
            let bytes = size_of_val(row.as_ref()) + size_of::<OwnedRow>();
            if self.rows.insert(owned) {
                self.bytes += bytes;
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let Some(first) = states.first() else { return Ok(()) };
        for row in 0..first.len() {
            if first.is_null(row) {
                continue;
            }
            let values: Vec<ArrayRef> =
                states.iter().map(|state| state.as_list::<i32>().value(row)).collect();
            self.update_batch(&values)?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let columns = self.columns()?;
        self.types
            .iter()
            .zip(columns)
            .map(|(data_type, values)| {
                let offsets = OffsetBuffer::from_lengths([values.len()]);
                let list = ListArray::try_new(list_field(data_type), offsets, values, None)?;
                Ok(ScalarValue::List(Arc::new(list)))
            })
            .collect()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let columns = self.columns()?;
        let mut inner = (self.make)()?;
        inner.update_batch(&columns)?;
        inner.evaluate()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.bytes + self.rows.capacity() * size_of::<OwnedRow>()
    }
}
