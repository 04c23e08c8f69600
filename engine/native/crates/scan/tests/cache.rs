//! Keys that are kept between queries, and row groups that no key concerns.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use common::*;
use datafusion::arrow::array::{Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::physical_plan::collect;
use fulmar_proto as pb;
use fulmar_scan::scan_metrics;

const ROWS: i64 = 20_000;
const KEYS: i64 = 4_000;

/// Ids from `first` on, each with a text.
fn data(first: i64) -> RecordBatch {
    let schema = Schema::new(vec![with_id("id", DataType::Int64, 1), with_id("text", DataType::Utf8, 2)]);
    let ids = Int64Array::from_iter_values(first..first + ROWS);
    let texts = StringArray::from_iter_values((first..first + ROWS).map(|id| format!("text {id}")));
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(ids), Arc::new(texts)]).unwrap()
}

fn keys(first: i64, step: i64) -> RecordBatch {
    let schema = Schema::new(vec![with_id("id", DataType::Int64, 1)]);
    let ids = Int64Array::from_iter_values((0..KEYS).map(|key| first + key * step));
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(ids)]).unwrap()
}

struct Table {
    files: Files,
    data: Vec<PathBuf>,
    deletes: Vec<PathBuf>,
}

impl Table {
    /// Two data files; each delete file holds every third id of one.
    fn new() -> Self {
        let files = Files::new();
        let data = [0, ROWS].map(|first| files.parquet(&data(first), 5_000)).to_vec();
        let deletes = [0, ROWS].map(|first| files.parquet(&keys(first, 3), 1_000)).to_vec();
        Self { files, data, deletes }
    }

    fn tasks(&self) -> pb::TaskBatch {
        let mut batch = pb::TaskBatch { end: true, ..pb::TaskBatch::default() };
        for path in &self.data {
            let mut task = task(path, ROWS as u64, 1);
            task.delete_groups = vec![7];
            batch.tasks.push(task);
        }
        for (id, path) in self.deletes.iter().enumerate() {
            batch.delete_files.push(delete_file(id as u32, path, KEYS as u64, 2 + id as i64));
        }
        let delete_files = (0..self.deletes.len() as u32).collect();
        let group = pb::DeleteGroup { id: 7, field_ids: vec![1], delete_files, scope: "global".to_owned() };
        batch.delete_groups.push(group);
        batch
    }
}

/// Rows and counters of a query over some of the columns.
async fn ask(
    engine: &Engine,
    tasks: pb::TaskBatch,
    columns: &[&str],
    cached: bool,
) -> (usize, pb::ScanMetrics) {
    let scan = pb::ScanRel {
        scan_id: 1,
        table: "t".to_owned(),
        schema: vec![
            field(1, "id", pb::PrimitiveType::IcebergLong),
            field(2, "text", pb::PrimitiveType::IcebergString),
        ],
        columns: vec![column("id", pb::SimpleType::Int64, 1), column("text", pb::SimpleType::String, 2)],
        ..pb::ScanRel::default()
    };
    let settings = pb::QuerySettings { delete_cache: cached, ..settings(pb::DeleteForm::Auto, true) };
    let table = engine.table(scan, TestHost::new(vec![tasks]), &settings);
    let frame = engine.context.read_table(table).unwrap().select_columns(columns).unwrap();
    let plan = frame.create_physical_plan().await.unwrap();
    let batches = collect(Arc::clone(&plan), engine.context.task_ctx()).await.unwrap();
    (rows(&batches), scan_metrics(plan.as_ref()).unwrap())
}

const LEFT: usize = (2 * ROWS - 2 * KEYS) as usize;

#[tokio::test(flavor = "multi_thread")]
async fn the_second_query_reads_no_delete_file() {
    let (engine, table) = (engine(64 << 20, 2, 1024), Table::new());
    let (left, metrics) = ask(&engine, table.tasks(), &["id"], true).await;
    assert_eq!((left, metrics.delete_files_read, metrics.delete_keys), (LEFT, 2, 2 * KEYS as u64));
    assert_eq!((metrics.delete_keys_cached, metrics.delete_forms), (0, vec!["set".to_owned()]));
    assert!(engine.kept.reserved() > 0);
    assert_eq!(engine.pool.reserved(), 0);
    let (left, metrics) = ask(&engine, table.tasks(), &["text"], true).await;
    assert_eq!((left, metrics.delete_files_read, metrics.delete_keys), (LEFT, 0, 0));
    assert_eq!(
        (metrics.delete_keys_cached, metrics.delete_forms),
        (2 * KEYS as u64, vec!["set (cached)".to_owned()])
    );
    let (left, metrics) = ask(&engine, table.tasks(), &["text"], false).await;
    assert_eq!((left, metrics.delete_files_read, metrics.delete_keys_cached), (LEFT, 2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_kept_where_the_setting_is_off() {
    let (engine, table) = (engine(64 << 20, 2, 1024), Table::new());
    ask(&engine, table.tasks(), &["id"], false).await;
    assert_eq!(engine.kept.reserved(), 0);
    let (_, metrics) = ask(&engine, table.tasks(), &["id"], true).await;
    assert_eq!(metrics.delete_files_read, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_files_and_other_sequence_numbers_are_other_keys() {
    let (engine, mut table) = (engine(64 << 20, 2, 1024), Table::new());
    ask(&engine, table.tasks(), &["id"], true).await;
    let mut tasks = table.tasks();
    tasks.delete_files[1].data_sequence_number = 1;
    let (left, metrics) = ask(&engine, tasks, &["id"], true).await;
    assert_eq!((left, metrics.delete_files_read), (LEFT + KEYS as usize, 2));
    // Another file in the place of one that was read.
    let other = table.files.parquet(&keys(1, 3), 999);
    std::fs::rename(&other, &table.deletes[0]).unwrap();
    let (left, metrics) = ask(&engine, table.tasks(), &["id"], true).await;
    assert_eq!((left, metrics.delete_files_read), (LEFT, 2));
    table.deletes.pop();
    let (left, metrics) = ask(&engine, table.tasks(), &["id"], true).await;
    assert_eq!((left, metrics.delete_files_read), (LEFT + KEYS as usize, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_at_the_same_time_share_one_reading() {
    let (engine, table) = (engine(64 << 20, 2, 1024), Table::new());
    let asked =
        ["id", "text", "id", "text"].map(|column| ask(&engine, table.tasks(), vec![column].leak(), true));
    let answers = futures::future::join_all(asked).await;
    assert!(answers.iter().all(|(left, _)| *left == LEFT));
    assert_eq!(answers.iter().map(|(_, metrics)| metrics.delete_files_read).sum::<u64>(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn kept_keys_stay_within_their_bound() {
    let (engine, mut table) = (engine(64 << 20, 2, 1024), Table::new());
    let mut all = Vec::new();
    // Keys so far apart that each set takes a hash table.
    for number in 0..24 {
        table.deletes = vec![table.files.parquet(&keys(number, 1 << 40), 1_000)];
        all.push(table.tasks());
        ask(&engine, table.tasks(), &["id"], true).await;
        assert!(engine.kept.reserved() <= KEPT_BYTES);
    }
    assert!(engine.kept.reserved() > KEPT_BYTES / 2);
    let (_, last) = ask(&engine, all.pop().unwrap(), &["id"], true).await;
    assert_eq!(last.delete_files_read, 0);
    let (_, first) = ask(&engine, all.swap_remove(0), &["id"], true).await;
    assert_eq!(first.delete_files_read, 1);
    engine.resources.give_back(usize::MAX);
    assert_eq!(engine.kept.reserved(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn row_groups_without_deleted_keys_are_read_without_their_keys() {
    let (engine, mut table) = (engine(64 << 20, 2, 1024), Table::new());
    let (_, before) = ask(&engine, table.tasks(), &["text"], false).await;
    // Ids 1,000 to 4,999 of the first file alone: one of its four row groups.
    table.deletes = vec![table.files.parquet(&keys(1_000, 1), 1_000)];
    let (left, after) = ask(&engine, table.tasks(), &["text"], false).await;
    assert_eq!(left, (2 * ROWS - KEYS) as usize);
    assert_eq!((before.row_groups_without_deleted_keys, after.row_groups_without_deleted_keys), (2, 7));
    assert!(after.bytes_read < before.bytes_read, "{} {}", after.bytes_read, before.bytes_read);
}
