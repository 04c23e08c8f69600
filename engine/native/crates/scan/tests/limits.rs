//! Bounded memory, cancellation, laziness and repeated execution.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use common::*;
use datafusion::arrow::array::{Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::functions_aggregate::expr_fn::{count, sum};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{col, lit};
use fulmar_error::{EngineError, ErrorCode};
use fulmar_proto as pb;
use fulmar_scan::{IcebergScanExec, scan_metrics};
use futures::StreamExt;

const ROWS: i64 = 60_000;
const FILES: i64 = 4;
const MEGABYTE: usize = 1 << 20;

fn key(number: i64) -> String {
    format!("a key that is some forty bytes long {number:012}")
}

/// Rows of about 600 bytes.
fn wide(numbers: std::ops::Range<i64>) -> RecordBatch {
    let filler = "x".repeat(540);
    let schema = Schema::new(vec![
        with_id("id", DataType::Int64, 1),
        with_id("key", DataType::Utf8, 2),
        with_id("wide", DataType::Utf8, 3),
    ]);
    RecordBatch::try_new(
        Arc::new(schema),
        vec![
            Arc::new(Int64Array::from_iter_values(numbers.clone())),
            Arc::new(StringArray::from_iter_values(numbers.clone().map(key))),
            Arc::new(StringArray::from_iter_values(numbers.map(|number| format!("{number}{filler}")))),
        ],
    )
    .unwrap()
}

struct Table {
    _files: Files,
    batches: Vec<pb::TaskBatch>,
}

/// A table whose delete keys are every third row, and as many more that match nothing.
fn table() -> Table {
    let files = Files::new();
    let mut tasks = Vec::new();
    for file in 0..FILES {
        let range = file * ROWS / FILES..(file + 1) * ROWS / FILES;
        let rows = (range.end - range.start) as u64;
        let path = files.parquet(&wide(range), 5_000);
        let mut task = task(&path, rows, 1);
        task.delete_groups = vec![1];
        tasks.push(task);
    }
    let keys: Vec<i64> = (0..ROWS).filter(|number| number % 3 == 0).chain(ROWS..8 * ROWS).collect();
    let mut deletes = Vec::new();
    for (index, part) in keys.chunks(60_000).enumerate() {
        let schema = Schema::new(vec![with_id("key", DataType::Utf8, 2)]);
        let text = StringArray::from_iter_values(part.iter().map(|number| key(*number)));
        let batch = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(text)]).unwrap();
        let path = files.parquet(&batch, 50_000);
        deletes.push(delete_file(index as u32, &path, part.len() as u64, 2));
    }
    let group = pb::DeleteGroup {
        id: 1,
        field_ids: vec![2],
        delete_files: deletes.iter().map(|file| file.id).collect(),
        scope: "global".to_owned(),
    };
    let first = pb::TaskBatch { delete_files: deletes, delete_groups: vec![group], tasks, end: true };
    Table { _files: files, batches: vec![first] }
}

fn scan() -> pb::ScanRel {
    pb::ScanRel {
        scan_id: 1,
        table: "wide".to_owned(),
        columns: vec![column("id", pb::SimpleType::Int64, 1), column("wide", pb::SimpleType::String, 3)],
        schema: vec![
            field(1, "id", pb::PrimitiveType::IcebergLong),
            field(2, "key", pb::PrimitiveType::IcebergString),
            field(3, "wide", pb::PrimitiveType::IcebergString),
        ],
        ..pb::ScanRel::default()
    }
}

fn left() -> impl Iterator<Item = i64> {
    (0..ROWS).filter(|number| number % 3 != 0)
}

fn with_limit(form: pb::DeleteForm, memory: usize) -> pb::QuerySettings {
    pb::QuerySettings { memory_limit_bytes: memory as u64, ..settings(form, true) }
}

async fn plan(engine: &Engine, table: &Table, settings: &pb::QuerySettings) -> Arc<dyn ExecutionPlan> {
    let host = TestHost::new(table.batches.clone());
    let provider = engine.table(scan(), host, settings);
    let frame = engine.context.read_table(provider).unwrap();
    frame.create_physical_plan().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_do_not_fit_go_through_the_disk() {
    let table = table();
    for memory in [32 * MEGABYTE, 8 * MEGABYTE, 3 * MEGABYTE] {
        let engine = engine(memory, 2, 1024);
        let host = TestHost::new(table.batches.clone());
        let provider = engine.table(scan(), host, &with_limit(pb::DeleteForm::Auto, memory));
        let frame = engine.context.read_table(provider).unwrap();
        let total = frame.aggregate(vec![], vec![count(col("wide")), sum(col("id"))]).unwrap();
        let plan = total.create_physical_plan().await.unwrap();
        let batches = datafusion::physical_plan::collect(Arc::clone(&plan), engine.context.task_ctx())
            .await
            .unwrap_or_else(|error| panic!("{memory}: {error}"));
        assert_eq!(longs(&batches, 0), vec![Some(left().count() as i64)], "{memory}");
        assert_eq!(longs(&batches, 1), vec![Some(left().sum::<i64>())], "{memory}");
        let scan = find_scan(&plan);
        let metrics = scan_metrics(scan.as_ref()).unwrap();
        assert_eq!(metrics.delete_forms, vec!["merge (fallback)".to_owned()], "{memory}");
        assert!(scan.metrics().unwrap().spilled_bytes().unwrap() > 0);
        drop((plan, scan));
        assert_eq!(engine.pool.reserved(), 0);
        assert_eq!(engine.spill_files(), 0);
    }
}

fn find_scan(plan: &Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    if plan.downcast_ref::<IcebergScanExec>().is_some() {
        return Arc::clone(plan);
    }
    find_scan(plan.children().first().expect("the plan has a scan"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forced_set_names_the_setting_to_raise() {
    let table = table();
    let memory = 16 * MEGABYTE;
    let engine = engine(memory, 2, 1024);
    let host = TestHost::new(table.batches.clone());
    let provider = engine.table(scan(), host, &with_limit(pb::DeleteForm::Set, memory));
    let error = engine.context.read_table(provider).unwrap().collect().await.unwrap_err();
    let error = EngineError::from(error);
    assert_eq!(error.code(), ErrorCode::MemoryLimitExceeded);
    assert_eq!(error.to_detail().setting, "memory.query-limit");
    drop(error);
    freed(&engine).await;
}

/// Waits until the tasks of a cancelled query have ended and given everything back.
async fn freed(engine: &Engine) {
    for _ in 0..250 {
        if engine.pool.reserved() == 0 && engine.spill_files() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} bytes and {} files are left", engine.pool.reserved(), engine.spill_files());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_the_streams_frees_memory_and_files() {
    let table = table();
    for form in [pb::DeleteForm::Set, pb::DeleteForm::Merge] {
        for taken in [0, 1, 3] {
            let engine = engine(256 * MEGABYTE, 2, 256);
            let plan = plan(&engine, &table, &with_limit(form, 256 * MEGABYTE)).await;
            let mut streams: Vec<SendableRecordBatchStream> =
                (0..2).map(|partition| plan.execute(partition, engine.context.task_ctx()).unwrap()).collect();
            for _ in 0..taken {
                streams[0].next().await.unwrap().unwrap();
            }
            drop(streams);
            freed(&engine).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_may_be_polled_in_any_order() {
    let table = table();
    for form in [pb::DeleteForm::Set, pb::DeleteForm::Merge] {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let engine = engine(256 * MEGABYTE, 3, 512);
            let plan = plan(&engine, &table, &with_limit(form, 256 * MEGABYTE)).await;
            let mut streams: Vec<SendableRecordBatchStream> =
                (0..3).map(|partition| plan.execute(partition, engine.context.task_ctx()).unwrap()).collect();
            let mut batches = Vec::new();
            // Each is begun, then one after the other is emptied while the rest stand still.
            for stream in &mut streams {
                let begun = tokio::time::timeout(Duration::from_millis(5), stream.next()).await;
                batches.extend(begun.ok().flatten().map(|batch| batch.unwrap()));
            }
            for index in order {
                while let Some(batch) = streams[index].next().await {
                    batches.push(batch.unwrap());
                }
            }
            let expected: Vec<Option<i64>> = left().map(Some).collect();
            assert_eq!(longs(&batches, 0), expected, "{form:?} {order:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_may_be_executed_one_after_the_other_and_again() {
    let table = table();
    for form in [pb::DeleteForm::Set, pb::DeleteForm::Merge] {
        let engine = engine(256 * MEGABYTE, 2, 512);
        let plan = plan(&engine, &table, &with_limit(form, 256 * MEGABYTE)).await;
        for _ in 0..3 {
            let mut batches = Vec::new();
            for partition in 0..2 {
                let mut stream = plan.execute(partition, engine.context.task_ctx()).unwrap();
                while let Some(batch) = stream.next().await {
                    batches.push(batch.unwrap());
                }
            }
            let expected: Vec<Option<i64>> = left().map(Some).collect();
            assert_eq!(longs(&batches, 0), expected, "{form:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_asks_for_few_tasks() {
    let files = Files::new();
    let path = files.parquet(&wide(0..100), 50);
    let mut batches: Vec<pb::TaskBatch> = (0..500)
        .map(|_| pb::TaskBatch { tasks: vec![task(&path, 100, 1)], ..pb::TaskBatch::default() })
        .collect();
    batches.last_mut().unwrap().end = true;
    let engine = engine(MEGABYTE, 2, 64);
    let host = TestHost::new(batches);
    let provider = engine.table(scan(), host.clone(), &settings(pb::DeleteForm::Auto, true));
    let frame = engine.context.read_table(provider).unwrap().limit(0, Some(10)).unwrap();
    let limited = frame.collect().await.unwrap();
    assert_eq!(rows(&limited), 10);
    assert!(host.pulls.load(Ordering::SeqCst) <= 4, "{}", host.pulls.load(Ordering::SeqCst));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filters_leave_row_groups_out() {
    let table = table();
    for (pruning, expected) in [(true, 1), (false, 12)] {
        let engine = engine(256 * MEGABYTE, 2, 512);
        let host = TestHost::new(table.batches.clone());
        let provider = engine.table(scan(), host, &settings(pb::DeleteForm::Auto, pruning));
        let frame = engine.context.read_table(provider).unwrap();
        let filter = col("id").gt(lit(21_000_i64)).and(col("id").lt(lit(21_500_i64)));
        let plan = frame.filter(filter).unwrap().create_physical_plan().await.unwrap();
        let batches =
            datafusion::physical_plan::collect(Arc::clone(&plan), engine.context.task_ctx()).await.unwrap();
        let expected_rows: Vec<Option<i64>> =
            left().filter(|id| *id > 21_000 && *id < 21_500).map(Some).collect();
        assert_eq!(longs(&batches, 0), expected_rows);
        let metrics = scan_metrics(find_scan(&plan).as_ref()).unwrap();
        assert_eq!(metrics.row_groups_total, 12);
        assert_eq!(metrics.row_groups_read, expected);
        assert!(!pruning || metrics.rows_read < 600, "pages are left out: {}", metrics.rows_read);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_rows_of_an_order_leave_row_groups_out() {
    let table = table();
    let engine = engine(256 * MEGABYTE, 1, 512);
    let host = TestHost::new(table.batches.clone());
    let provider = engine.table(scan(), host, &settings(pb::DeleteForm::Auto, true));
    let frame = engine.context.read_table(provider).unwrap();
    let top = frame.sort(vec![col("id").sort(true, false)]).unwrap().limit(0, Some(5)).unwrap();
    let plan = top.create_physical_plan().await.unwrap();
    let batches =
        datafusion::physical_plan::collect(Arc::clone(&plan), engine.context.task_ctx()).await.unwrap();
    let ids: BTreeSet<Option<i64>> = longs(&batches, 0).into_iter().collect();
    assert_eq!(ids, left().take(5).map(Some).collect());
    let metrics = scan_metrics(find_scan(&plan).as_ref()).unwrap();
    assert!(metrics.row_groups_read < 4, "{}", metrics.row_groups_read);
}
