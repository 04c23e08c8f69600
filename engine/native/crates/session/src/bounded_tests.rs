//! Operators on more data than their limit allows: they spill and give the same rows.

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::functions_aggregate::expr_fn::{count, sum};
use datafusion::prelude::{JoinType, col};

use crate::rules::JoinMethod;
use crate::testing::{Sandbox, row_count, table};

fn numbers(batches: &[RecordBatch], name: &str) -> Vec<i64> {
    let columns = batches.iter().map(|batch| batch.column_by_name(name).unwrap());
    columns.flat_map(|column| column.as_primitive::<Int64Type>().values().to_vec()).collect()
}

/// Everything reserved is returned, and what was reserved stayed within the limit.
fn assert_released(sandbox: &Sandbox, limit: usize) {
    assert_eq!(sandbox.memory.reserved(), 0);
    assert!(sandbox.memory.peak() <= limit, "{}", sandbox.memory.peak());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sorts_of_many_times_the_limit() {
    for (limit, threads, width) in [(8 << 20, 1, 100), (8 << 20, 1, 2000), (64 << 20, 1, 1000)] {
        let rows = (limit * 5) / (width + 24);
        let sandbox = Sandbox::new(limit, threads, JoinMethod::ByBound);
        let frame = sandbox.context.read_batches(table(rows, 1 << 40, width)).unwrap();
        let sorted = frame.sort(vec![col("t").sort(true, true), col("k").sort(true, true)]).unwrap();
        let keys = numbers(&sandbox.rows(sorted).await.unwrap(), "k");
        assert_eq!(keys.len(), rows);
        assert!(keys.is_sorted());
        assert!(sandbox.spill.written() > 0);
        assert_released(&sandbox, limit);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aggregates_of_more_groups_than_fit() {
    for (limit, threads) in [(8 << 20, 1), (64 << 20, 1)] {
        let rows = limit / 10;
        let sandbox = Sandbox::new(limit, threads, JoinMethod::ByBound);
        let frame = sandbox.context.read_batches(table(rows, 1 << 40, 30)).unwrap();
        let calls = vec![sum(col("n")).alias("s"), count(col("n")).alias("c")];
        let groups = frame.aggregate(vec![col("t"), col("k")], calls).unwrap();
        let batches = sandbox.rows(groups).await.unwrap();
        let total = rows as i64;
        assert_eq!(numbers(&batches, "c").iter().sum::<i64>(), total);
        assert_eq!(numbers(&batches, "s").iter().sum::<i64>(), total * (total - 1) / 2);
        assert!(sandbox.spill.written() > 0);
        assert_released(&sandbox, limit);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn joins_of_joins_of_more_than_fits() {
    for (limit, threads) in [(16 << 20, 1), (64 << 20, 1)] {
        let rows = limit / 100;
        let sandbox = Sandbox::new(limit, threads, JoinMethod::ByBound);
        let read = |name: &str| {
            let frame = sandbox.context.read_batches(table(rows, 1 << 40, 100)).unwrap();
            let columns = vec![col("k").alias(format!("k{name}")), col("t").alias(format!("t{name}"))];
            frame.select(columns).unwrap()
        };
        let mut frame = read("");
        for side in ["1", "2", "3", "4"] {
            let key = format!("k{side}");
            frame = frame.join(read(side), JoinType::Inner, &["k"], &[&key], None).unwrap();
        }
        let plan = sandbox.plan(frame.clone()).await;
        assert!(!crate::rules::may_be_refused(&plan));
        let counted = frame.aggregate(vec![], vec![count(col("t4")).alias("c")]).unwrap();
        let batches = sandbox.rows(counted).await.unwrap();
        assert_eq!(row_count(&batches), 1);
        assert_eq!(numbers(&batches, "c"), [rows as i64]);
        assert!(sandbox.spill.written() > 0);
        assert_released(&sandbox, limit);
    }
}
