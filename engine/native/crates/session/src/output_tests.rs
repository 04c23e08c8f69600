use datafusion::arrow::array::{BooleanArray, Int64Array, ListArray, StringArray};
use datafusion::arrow::datatypes::{Field, Int32Type, Schema};

use super::*;

fn strings(rows: usize, width: usize) -> RecordBatch {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows as i64));
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| row.to_string() + &"x".repeat(width))));
    let flags: ArrayRef =
        Arc::new(BooleanArray::from_iter((0..rows).map(|row| (row % 3 != 0).then_some(row % 2 == 0))));
    RecordBatch::try_from_iter([("n", numbers), ("s", texts), ("b", flags)]).unwrap()
}

fn shaper(batch: &RecordBatch) -> Shaper {
    Shaper::new(batch.schema(), 8192)
}

fn rejoined(batches: &[RecordBatch]) -> RecordBatch {
    concat_batches(&batches[0].schema(), batches).unwrap()
}

#[test]
fn large_batches_are_split_and_their_buffers_hold_their_rows_only() {
    let batch = strings(10_000, 1000);
    let mut shaper = shaper(&batch);
    shaper.push(&batch).unwrap();
    let pieces = shaper.take().unwrap();
    assert!(pieces.len() >= 5);
    for piece in &pieces {
        assert!(batch_bytes(piece, 0, piece.num_rows()) <= MOST_BYTES);
        assert!(piece.get_array_memory_size() <= 2 * MOST_BYTES);
        assert!(piece.columns().iter().all(|column| starts_at_zero(&column.to_data())));
    }
    assert_eq!(rejoined(&pieces), batch);
}

#[test]
fn one_row_larger_than_the_limit_goes_alone() {
    let batch = strings(2, MOST_BYTES);
    let mut shaper = shaper(&batch);
    shaper.push(&batch).unwrap();
    let rows: Vec<_> = shaper.take().unwrap().iter().map(RecordBatch::num_rows).collect();
    assert_eq!(rows, [1, 1]);
}

#[test]
fn the_first_batch_goes_at_once_and_small_ones_are_joined_later() {
    let batch = strings(1000, 10);
    let mut shaper = shaper(&batch);
    shaper.push(&batch).unwrap();
    assert_eq!(shaper.take().unwrap().len(), 1);
    for _ in 0..8 {
        shaper.push(&batch).unwrap();
        assert!(shaper.take().unwrap().is_empty());
    }
    shaper.push(&batch).unwrap();
    let joined = shaper.take().unwrap();
    assert_eq!(joined.len(), 1);
    assert_eq!(joined[0].num_rows(), 9000);
    assert!(!shaper.holds_rows());
}

#[test]
fn slices_of_lists_count_their_part_alone() {
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(
        (0..100_000).map(|row| Some((0..20).map(move |item| Some(row + item)))),
    );
    let lists: ArrayRef = Arc::new(lists);
    let batch = RecordBatch::try_from_iter([("l", lists)]).unwrap();
    let slice = batch.slice(500, 99_000);
    let mut shaper = Shaper::new(batch.schema(), 8192);
    shaper.push(&slice).unwrap();
    let pieces = shaper.flush().unwrap();
    assert!(pieces.len() >= 4 && pieces.len() <= 10, "{}", pieces.len());
    assert!(pieces.iter().all(|piece| piece.get_array_memory_size() < 2 * MOST_BYTES));
    assert_eq!(rejoined(&pieces), slice);
}

#[test]
fn another_type_than_announced_is_an_error() {
    let announced = Arc::new(Schema::new(vec![Field::new("n", DataType::Int32, true)]));
    let values: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let batch = RecordBatch::try_from_iter([("n", values)]).unwrap();
    let error = Shaper::new(announced, 10).push(&batch).unwrap_err();
    assert_eq!(error.code(), fulmar_error::ErrorCode::Internal);
}
