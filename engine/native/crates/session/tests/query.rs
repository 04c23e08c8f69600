//! The life of a query, from plan bytes to the folder that is gone.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{
    DataType as ArrowType, Field as ArrowField, Int64Type, Schema, SchemaRef,
};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{
    AggregateCall, AggregateFunction, AggregateRel, BatchRequest, DataType, Expr, Field, HostScanRel,
    JoinKey, JoinRel, JoinType, LimitRel, Plan, PlanVersion, ProjectRel, QuerySettings, Rel, SimpleType,
    SortKey, SortRel, TaskBatch, batch_request, data_type, expr, rel,
};
use fulmar_scan::{Host, HostBatches};
use fulmar_session::{Engine, EngineOptions, Query};
use prost::Message;

const MB: u64 = 1 << 20;

/// A table of `rows` rows: a scattered key, and a text of so many characters. A batch past the end is what `ending` says.
#[derive(Clone, Copy)]
struct Table {
    rows: usize,
    width: usize,
    ending: Ending,
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    End,
    Hang,
    Fail,
    Panic,
}

struct TestHost {
    table: Table,
    open: Arc<AtomicUsize>,
}

impl Host for TestHost {
    fn next_tasks(&self, _scan_id: u32) -> Result<TaskBatch> {
        Err(EngineError::internal("no tasks here"))
    }

    fn open_batches(&self, request: BatchRequest) -> Result<Box<dyn HostBatches>> {
        assert!(matches!(request.source, Some(batch_request::Source::HostScan(_))));
        self.open.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(TestBatches { table: self.table, next: 0, open: Arc::clone(&self.open) }))
    }
}

struct TestBatches {
    table: Table,
    next: usize,
    open: Arc<AtomicUsize>,
}

impl Drop for TestBatches {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl HostBatches for TestBatches {
    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(vec![
            ArrowField::new("k", ArrowType::Int64, true),
            ArrowField::new("t", ArrowType::Utf8, true),
        ]))
    }

    fn next(&mut self) -> Result<Option<RecordBatch>> {
        let rows = self.next..(self.next + 1000).min(self.table.rows);
        if rows.is_empty() {
            return match self.table.ending {
                Ending::End => Ok(None),
                Ending::Fail => Err(EngineError::new(ErrorCode::HostFailed, "host says no")),
                Ending::Panic => panic!("host is broken"),
                Ending::Hang => {
                    std::thread::sleep(Duration::from_secs(3));
                    Ok(None)
                }
            };
        }
        self.next = rows.end;
        let keys: Vec<i64> = rows.map(|row| (row as i64).wrapping_mul(2_654_435_761) % 1_000_003).collect();
        let width = self.table.width;
        let texts: ArrayRef =
            Arc::new(StringArray::from_iter_values(keys.iter().map(|key| format!("{key:0width$}"))));
        let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(keys)), texts];
        Ok(Some(RecordBatch::try_new(self.schema(), columns)?))
    }
}

fn simple(kind: SimpleType) -> Option<DataType> {
    Some(DataType { kind: Some(data_type::Kind::Simple(kind.into())) })
}

fn field(name: &str, kind: SimpleType) -> Field {
    Field { name: name.to_owned(), r#type: simple(kind) }
}

fn rel(kind: rel::Kind) -> Rel {
    Rel { node: 0, kind: Some(kind) }
}

fn boxed(rel: Rel) -> Option<Box<Rel>> {
    Some(Box::new(rel))
}

fn scan(scan_id: u32) -> Rel {
    let columns = vec![field("k", SimpleType::Int64), field("t", SimpleType::String)];
    rel(rel::Kind::HostScan(HostScanRel { scan_id, table: format!("test.t{scan_id}"), columns }))
}

fn column(ordinal: u32, kind: SimpleType) -> Expr {
    Expr { r#type: simple(kind), node: 0, kind: Some(expr::Kind::Column(ordinal)) }
}

fn sorted(input: Rel) -> Rel {
    let keys = vec![
        SortKey { expr: Some(column(0, SimpleType::Int64)), descending: false, nulls_first: false },
        SortKey { expr: Some(column(1, SimpleType::String)), descending: false, nulls_first: false },
    ];
    rel(rel::Kind::Sort(Box::new(SortRel { input: boxed(input), keys, fetch: None, offset: 0 })))
}

fn limited(input: Rel, rows: u64) -> Rel {
    rel(rel::Kind::Limit(Box::new(LimitRel { input: boxed(input), fetch: Some(rows), offset: 0 })))
}

fn joined(left: Rel, right: Rel) -> Rel {
    joined_on(0, left, right)
}

/// On the key (0) or the text (1), which are equally distinct.
fn joined_on(column: u32, left: Rel, right: Rel) -> Rel {
    rel(rel::Kind::Join(Box::new(JoinRel {
        left: boxed(left),
        right: boxed(right),
        r#type: JoinType::Inner.into(),
        keys: vec![JoinKey { left: column, right: column, null_safe: false }],
        residual: None,
    })))
}

/// The first two columns.
fn leading(input: Rel) -> Rel {
    let exprs = vec![column(0, SimpleType::Int64), column(1, SimpleType::String)];
    let names = vec!["k".to_owned(), "t".to_owned()];
    rel(rel::Kind::Project(Box::new(ProjectRel { input: boxed(input), exprs, names })))
}

fn counted(input: Rel) -> Rel {
    let call = AggregateCall {
        function: AggregateFunction::Count.into(),
        r#type: simple(SimpleType::Int64),
        ..Default::default()
    };
    let calls = vec![call];
    rel(rel::Kind::Aggregate(Box::new(AggregateRel { input: boxed(input), calls, ..Default::default() })))
}

fn rows_of(root: Rel) -> Plan {
    let output = vec![field("k", SimpleType::Int64), field("t", SimpleType::String)];
    Plan { version: PlanVersion::Current as u32, root: Some(root), output, settings: None }
}

fn count_of(root: Rel) -> Plan {
    let output = vec![field("c", SimpleType::Int64)];
    Plan { version: PlanVersion::Current as u32, root: Some(counted(root)), output, settings: None }
}

struct World {
    engine: Arc<Engine>,
    root: tempfile::TempDir,
    readers: Arc<AtomicUsize>,
}

impl World {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let options = EngineOptions {
            cpu_threads: 2,
            io_threads: 1,
            memory_limit: 1 << 30,
            spill_directory: root.path().to_path_buf(),
            spill_limit: 10 << 30,
        };
        Self { engine: Engine::open(&options).unwrap(), root, readers: Arc::default() }
    }

    fn prepare(&self, mut plan: Plan, table: Table, memory: u64) -> Query {
        plan.settings = Some(QuerySettings {
            threads: 2,
            memory_limit_bytes: memory,
            spill_limit_bytes: 4 << 30,
            query_id: "q".to_owned(),
            session_zone: "UTC".to_owned(),
            pruning: true,
            delete_form: fulmar_proto::DeleteForm::Auto.into(),
            ..Default::default()
        });
        let host = Arc::new(TestHost { table, open: Arc::clone(&self.readers) });
        self.engine.prepare(&plan.encode_to_vec(), host).unwrap()
    }

    fn folders(&self) -> usize {
        folders(self.root.path())
    }

    /// Nothing of any query is left.
    fn assert_empty(&self) {
        let until = Instant::now() + Duration::from_secs(5);
        while self.readers.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(self.readers.load(Ordering::SeqCst), 0);
        assert_eq!(self.engine.stats().pool_bytes, 0);
        assert_eq!(self.folders(), 0);
    }
}

fn folders(root: &Path) -> usize {
    std::fs::read_dir(root).unwrap().count()
}

fn table(rows: usize, width: usize) -> Table {
    Table { rows, width, ending: Ending::End }
}

fn keys(query: &Query) -> Vec<i64> {
    let mut keys = Vec::new();
    while let Some(batch) = query.next().unwrap() {
        assert_eq!(batch.schema(), query.schema());
        keys.extend_from_slice(batch.column(0).as_primitive::<Int64Type>().values());
    }
    keys
}

/// Starts the query on a thread of its own, cancels it, and returns how long it took to end and how it ended.
fn cancelled_after(query: &Arc<Query>, delay: Duration) -> (Duration, EngineError) {
    let reader = Arc::clone(query);
    let thread = std::thread::spawn(move || {
        loop {
            match reader.next() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the query ended"),
                Err(error) => return error,
            }
        }
    });
    std::thread::sleep(delay);
    let begun = Instant::now();
    query.cancel();
    let error = thread.join().unwrap();
    (begun.elapsed(), error)
}

#[test]
fn a_sort_of_eight_times_the_limit_spills_and_leaves_nothing() {
    let world = World::new();
    let query = world.prepare(rows_of(sorted(scan(1))), table(130_000, 1000), 16 * MB);
    assert!(query.explain().contains("SortExec"), "{}", query.explain());
    let keys = keys(&query);
    assert_eq!(keys.len(), 130_000);
    assert!(keys.is_sorted());
    let metrics = query.metrics();
    assert!(metrics.spilled_bytes > 0 && metrics.spill_files > 0);
    assert!(metrics.peak_memory_bytes <= 16 * MB);
    assert_eq!((metrics.rows, metrics.progress), (130_000, 1.0));
    assert!(metrics.operators.iter().any(|operator| operator.name == "SortExec"));
    world.assert_empty();
    query.close();
    assert!(query.metrics().spilled_bytes > 0);
}

#[test]
fn cancelling_a_sort_that_spills_frees_everything_within_a_second() {
    let world = World::new();
    let query = Arc::new(world.prepare(rows_of(sorted(scan(1))), table(5_000_000, 200), 16 * MB));
    let (took, error) = cancelled_after(&query, Duration::from_millis(700));
    assert!(query.metrics().spilled_bytes > 0);
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert!(took < Duration::from_secs(1), "{took:?}");
    query.close();
    world.assert_empty();
}

#[test]
fn cancelling_a_join_that_builds_frees_everything_within_a_second() {
    let world = World::new();
    let query = Arc::new(world.prepare(count_of(joined(scan(1), scan(2))), table(3_000_000, 100), 512 * MB));
    let (took, error) = cancelled_after(&query, Duration::from_millis(400));
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert!(took < Duration::from_secs(1), "{took:?}");
    query.close();
    world.assert_empty();
}

#[test]
fn cancelling_a_scan_that_hangs_returns_within_a_second() {
    let world = World::new();
    let hanging = Table { rows: 2000, width: 10, ending: Ending::Hang };
    let query = Arc::new(world.prepare(rows_of(scan(1)), hanging, 64 * MB));
    let (took, error) = cancelled_after(&query, Duration::from_millis(300));
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert!(took < Duration::from_secs(1), "{took:?}");
    query.close();
    world.assert_empty();
}

#[test]
fn a_failing_host_is_a_typed_error_and_stays_one() {
    let world = World::new();
    let failing = Table { rows: 5000, width: 10, ending: Ending::Fail };
    let query = world.prepare(count_of(scan(1)), failing, 64 * MB);
    for _ in 0..2 {
        let error = query.next().unwrap_err();
        assert_eq!((error.code(), error.message()), (ErrorCode::HostFailed, "host says no"));
    }
    query.close();
    world.assert_empty();
}

#[test]
fn a_panic_ends_its_query_and_not_the_process() {
    let world = World::new();
    let broken = Table { rows: 5000, width: 10, ending: Ending::Panic };
    let query = world.prepare(rows_of(sorted(scan(1))), broken, 64 * MB);
    assert_eq!(query.next().unwrap_err().code(), ErrorCode::Panic);
    query.close();
    world.assert_empty();
    let next = world.prepare(count_of(scan(1)), table(5000, 10), 64 * MB);
    assert_eq!(keys(&next), [5000]);
    next.close();
    world.assert_empty();
}

#[test]
fn dropping_a_running_query_closes_it() {
    let world = World::new();
    let query = world.prepare(rows_of(scan(1)), table(5_000_000, 100), 64 * MB);
    assert!(query.next().unwrap().is_some());
    drop(query);
    world.assert_empty();
}

#[test]
fn a_slow_client_pauses_the_plan() {
    let world = World::new();
    let query = world.prepare(rows_of(scan(1)), table(5_000_000, 100), 64 * MB);
    assert!(query.next().unwrap().is_some());
    std::thread::sleep(Duration::from_millis(500));
    let produced = query.metrics().rows;
    assert!(produced < 200_000, "{produced}");
    query.close();
    world.assert_empty();
}

#[test]
fn joins_of_unknown_size_merge_and_give_all_rows() {
    let world = World::new();
    let query = world.prepare(count_of(joined(scan(1), scan(2))), table(1_000_000, 10), 32 * MB);
    assert!(query.explain().contains("SortMergeJoin"), "{}", query.explain());
    assert_eq!(keys(&query), [1_000_000]);
    assert!(query.metrics().spilled_bytes > 0);
    query.close();
    world.assert_empty();
}

#[test]
fn many_joins_and_sorts_share_a_small_pool() {
    let world = World::new();
    let mut root = scan(1);
    for scan_id in 2..10 {
        // Another key each time, so that every join sorts both sides.
        root = joined_on(scan_id % 2, root, scan(scan_id));
    }
    let query = world.prepare(rows_of(leading(sorted(root))), table(100_000, 200), 32 * MB);
    let keys = keys(&query);
    assert_eq!(keys.len(), 100_000);
    assert!(keys.is_sorted());
    assert!(query.metrics().peak_memory_bytes <= 32 * MB);
    query.close();
    world.assert_empty();
}

#[test]
fn a_build_side_that_was_larger_than_thought_is_planned_again() {
    let world = World::new();
    // 20,000 rows look small; their texts are 20 MB.
    let plan = rows_of(leading(joined(limited(scan(1), 20_000), scan(2))));
    let query = world.prepare(plan, table(20_000, 1000), 16 * MB);
    assert!(query.explain().contains("HashJoinExec"), "{}", query.explain());
    let mut keys = keys(&query);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 20_000);
    let metrics = query.metrics();
    assert!(metrics.operators.iter().any(|operator| operator.name == "SortMergeJoinExec"));
    assert!(metrics.spilled_bytes > 0);
    query.close();
    world.assert_empty();
}

#[test]
fn engines_close_their_queries_and_refuse_new_ones() {
    let world = World::new();
    let query = Arc::new(world.prepare(rows_of(sorted(scan(1))), table(5_000_000, 100), 64 * MB));
    let reader = Arc::clone(&query);
    let thread = std::thread::spawn(move || reader.next().map(|batch| batch.is_some()));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(world.engine.stats().queries, 1);
    world.engine.close(Duration::from_secs(5));
    assert_eq!(thread.join().unwrap().unwrap_err().code(), ErrorCode::Cancelled);
    world.assert_empty();
    let host = Arc::new(TestHost { table: table(1, 1), open: Arc::default() });
    assert!(world.engine.prepare(&rows_of(scan(1)).encode_to_vec(), host).is_err());
}

#[test]
fn broken_plan_bytes_are_refused() {
    let world = World::new();
    let host = || Arc::new(TestHost { table: table(1, 1), open: Arc::default() });
    for bytes in [&b"\xff\xff\xff"[..], &Plan::default().encode_to_vec()] {
        let error = world.engine.prepare(bytes, host()).err().unwrap();
        assert_eq!(error.code(), ErrorCode::PlanRejected);
    }
}
