//! The last step before the client: the announced schema, batches of a size that one message can carry, few small ones.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayData, ArrayRef, MutableArrayData, RecordBatch, RecordBatchOptions, make_array,
};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use fulmar_error::{EngineError, Result};

/// No batch is larger in memory, unless one row is.
pub const MOST_BYTES: usize = 2 << 20;
/// Batches are joined until they have this size.
const ENOUGH_BYTES: usize = MOST_BYTES / 2;

/// Shapes a query's batches. Batches go in by [`Shaper::push`] and come out by [`Shaper::take`] once they are large
/// enough; the first one at once, so that a client sees rows early.
pub struct Shaper {
    schema: SchemaRef,
    enough_rows: usize,
    held: Vec<RecordBatch>,
    held_rows: usize,
    held_bytes: usize,
    begun: bool,
}

impl Shaper {
    /// For batches of this schema, joined up to so many rows.
    pub fn new(schema: SchemaRef, enough_rows: usize) -> Self {
        Self { schema, enough_rows, held: Vec::new(), held_rows: 0, held_bytes: 0, begun: false }
    }

    /// Adds a batch; fails if its types are not the announced ones.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let batch = self.announced(batch)?;
        self.held_rows += batch.num_rows();
        self.held_bytes += batch_bytes(&batch, 0, batch.num_rows());
        self.held.push(batch);
        Ok(())
    }

    /// What is ready to go.
    pub fn take(&mut self) -> Result<Vec<RecordBatch>> {
        let enough = self.held_rows >= self.enough_rows || self.held_bytes >= ENOUGH_BYTES;
        if enough || !self.begun { self.flush() } else { Ok(Vec::new()) }
    }

    /// Everything that is held.
    pub fn flush(&mut self) -> Result<Vec<RecordBatch>> {
        let held = std::mem::take(&mut self.held);
        (self.held_rows, self.held_bytes) = (0, 0);
        let joined = match held.as_slice() {
            [] => return Ok(Vec::new()),
            [one] => one.clone(),
            several => concat_batches(&self.schema, several)?,
        };
        self.begun = true;
        let mut pieces = Vec::new();
        split(&joined, 0, joined.num_rows(), &mut pieces);
        pieces.into_iter().map(|(offset, rows)| compact(&joined, offset, rows)).collect()
    }

    /// Whether something is held.
    pub fn holds_rows(&self) -> bool {
        self.held_rows > 0
    }

    fn announced(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let found = batch.schema();
        let types = found.fields().iter().map(|field| field.data_type());
        let expected = self.schema.fields().iter().map(|field| field.data_type());
        if !types.eq(expected) {
            return Err(EngineError::internal(format!(
                "A batch has the schema {found}, announced was {}",
                self.schema
            )));
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let columns = batch.columns().to_vec();
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }
}

/// Halves the rows until each piece is small enough.
fn split(batch: &RecordBatch, offset: usize, rows: usize, pieces: &mut Vec<(usize, usize)>) {
    if rows <= 1 || batch_bytes(batch, offset, rows) <= MOST_BYTES {
        pieces.push((offset, rows));
        return;
    }
    let half = rows / 2;
    split(batch, offset, half, pieces);
    split(batch, offset + half, rows - half, pieces);
}

/// A copy of a slice where it is one, so that the exported buffers hold these rows and start at them.
fn compact(batch: &RecordBatch, offset: usize, rows: usize) -> Result<RecordBatch> {
    let whole = offset == 0 && rows == batch.num_rows();
    let columns: Vec<ArrayRef> = batch
        .columns()
        .iter()
        .map(|column| {
            let data = column.to_data();
            if whole && starts_at_zero(&data) {
                return Ok(Arc::clone(column));
            }
            let mut copy = MutableArrayData::new(vec![&data], false, rows);
            copy.try_extend(0, offset, offset + rows)?;
            Ok(make_array(copy.freeze()))
        })
        .collect::<Result<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(batch.schema(), columns, &options)?)
}

fn starts_at_zero(data: &ArrayData) -> bool {
    let nulls = data.nulls().is_none_or(|nulls| nulls.offset() == 0 && nulls.len() == data.len());
    let first_offset = match data.data_type() {
        DataType::Utf8 | DataType::Binary | DataType::List(_) | DataType::Map(_, _) => data
            .buffers()
            .first()
            .filter(|buffer| buffer.len() >= 4)
            .is_none_or(|buffer| buffer.typed_data::<i32>().first() == Some(&0)),
        _ => true,
    };
    data.offset() == 0
        && nulls
        && first_offset
        && children_fit(data)
        && data.child_data().iter().all(starts_at_zero)
}

/// Whether the children hold no rows beyond the parent's.
fn children_fit(data: &ArrayData) -> bool {
    match data.data_type() {
        DataType::Struct(_) => data.child_data().iter().all(|child| child.len() == data.len()),
        _ => true,
    }
}

fn batch_bytes(batch: &RecordBatch, offset: usize, rows: usize) -> usize {
    batch.columns().iter().map(|column| slice_bytes(&column.to_data(), offset, rows)).sum()
}

/// Bytes of some rows of an array, their part of nested arrays alone.
fn slice_bytes(data: &ArrayData, offset: usize, rows: usize) -> usize {
    let start = data.offset() + offset;
    let nulls = if data.nulls().is_some() { rows.div_ceil(8) } else { 0 };
    let values = match data.data_type() {
        DataType::Null => 0,
        DataType::Boolean => rows.div_ceil(8),
        DataType::Utf8 | DataType::Binary => {
            let (first, last) = offsets(data, start, rows);
            (last - first) + 4 * (rows + 1)
        }
        DataType::List(_) | DataType::Map(_, _) => {
            let (first, last) = offsets(data, start, rows);
            let items: usize =
                data.child_data().iter().map(|item| slice_bytes(item, first, last - first)).sum();
            items + 4 * (rows + 1)
        }
        DataType::Struct(_) => data.child_data().iter().map(|child| slice_bytes(child, start, rows)).sum(),
        DataType::FixedSizeBinary(width) => rows * usize::try_from(*width).unwrap_or(0),
        other => match other.primitive_width() {
            Some(width) => rows * width,
            // Types that results do not have: the whole array is an upper bound.
            None => data.get_array_memory_size(),
        },
    };
    nulls + values
}

/// First and last value of a 32-bit offset buffer over some rows.
fn offsets(data: &ArrayData, start: usize, rows: usize) -> (usize, usize) {
    let Some(buffer) = data.buffers().first().filter(|buffer| buffer.len() >= 4) else {
        return (0, 0);
    };
    let values = buffer.typed_data::<i32>();
    let at = |index: usize| values.get(index).and_then(|value| usize::try_from(*value).ok()).unwrap_or(0);
    let first = at(start);
    (first, at(start + rows).max(first))
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
