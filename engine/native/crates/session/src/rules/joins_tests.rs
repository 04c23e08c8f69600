use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::prelude::{DataFrame, JoinType, SessionContext, col, lit};

use super::*;
use crate::testing::{Sandbox, row_count, table};

fn joined(context: &SessionContext, left: usize, right: usize, how: JoinType) -> DataFrame {
    let left = context.read_batches(table(left, 50_000, 20)).unwrap();
    let right = context.read_batches(table(right, 50_000, 20)).unwrap();
    let right = right.select(vec![col("k").alias("k2"), col("n").alias("n2")]).unwrap();
    left.join(right, how, &["k"], &["k2"], None).unwrap()
}

fn has<T: ExecutionPlan>(plan: &Arc<dyn ExecutionPlan>) -> bool {
    exists(plan, |node| node.is::<T>())
}

#[tokio::test]
async fn small_build_sides_hash_and_large_ones_merge() {
    for threads in [1, 2] {
        let sandbox = Sandbox::new(64 << 20, threads, JoinMethod::ByBound);
        let small = sandbox.plan(joined(&sandbox.context, 100_000, 1000, JoinType::Inner)).await;
        assert!(has::<HashJoinExec>(&small) && !has::<SortMergeJoinExec>(&small));
        let large = joined(&sandbox.context, 300_000, 300_000, JoinType::Inner);
        let large = sandbox.plan(large).await;
        assert!(has::<SortMergeJoinExec>(&large) && !has::<HashJoinExec>(&large));
    }
}

#[tokio::test]
async fn all_build_sides_of_a_query_share_one_slice() {
    let sandbox = Sandbox::new(32 << 20, 1, JoinMethod::ByBound);
    let mut frame = joined(&sandbox.context, 60_000, 40_000, JoinType::Inner);
    for step in 0..6 {
        let right = sandbox.context.read_batches(table(40_000, 50_000, 20)).unwrap();
        let key = format!("key{step}");
        let right = right.select(vec![col("k").alias(&key)]).unwrap();
        frame = frame.join(right, JoinType::Inner, &["k"], &[&key], None).unwrap();
    }
    let plan = sandbox.plan(frame).await;
    assert!(has::<HashJoinExec>(&plan) && has::<SortMergeJoinExec>(&plan));
}

#[tokio::test]
async fn both_methods_give_the_same_rows_for_every_type() {
    let types = [
        JoinType::Inner,
        JoinType::Left,
        JoinType::Right,
        JoinType::Full,
        JoinType::LeftSemi,
        JoinType::RightSemi,
        JoinType::LeftAnti,
        JoinType::RightAnti,
    ];
    for how in types {
        let mut counts = Vec::new();
        for method in [JoinMethod::ByBound, JoinMethod::SortMerge] {
            let sandbox = Sandbox::new(64 << 20, 2, method);
            let frame = joined(&sandbox.context, 3000, 2000, how);
            let plan = sandbox.plan(frame.clone()).await;
            assert_eq!(may_be_refused(&plan), method == JoinMethod::ByBound);
            counts.push(row_count(&sandbox.rows(frame).await.unwrap()));
        }
        assert_eq!(counts[0], counts[1], "{how}");
    }
}

#[tokio::test]
async fn filters_keep_their_sides_when_inputs_are_swapped() {
    let types = [JoinType::Inner, JoinType::Left, JoinType::Right, JoinType::Full, JoinType::LeftAnti];
    for (left, right) in [(3000, 1000), (1000, 3000)] {
        for how in types {
            let mut counts = Vec::new();
            for method in [JoinMethod::ByBound, JoinMethod::SortMerge] {
                let sandbox = Sandbox::new(64 << 20, 1, method);
                let read = |rows| sandbox.context.read_batches(table(rows, 300, 10)).unwrap();
                let right = read(right).select(vec![col("k").alias("k2"), col("n").alias("n2")]).unwrap();
                let earlier = col("n") + lit(100_i64);
                let frame =
                    read(left).join(right, how, &["k"], &["k2"], Some(earlier.lt(col("n2")))).unwrap();
                counts.push(row_count(&sandbox.rows(frame).await.unwrap()));
            }
            assert_eq!(counts[0], counts[1], "{how} {left} {right}");
        }
    }
}

#[tokio::test]
async fn zeros_are_equal_in_both_methods() {
    for method in [JoinMethod::ByBound, JoinMethod::SortMerge] {
        let sandbox = Sandbox::new(64 << 20, 1, method);
        let side = |name: &str, zero: f64| {
            let values: ArrayRef = Arc::new(Float64Array::from(vec![zero, 1.0, f64::NAN]));
            sandbox.context.read_batch(RecordBatch::try_from_iter([(name, values)]).unwrap())
        };
        let left = side("a", -0.0).unwrap();
        let right = side("b", 0.0).unwrap();
        let frame = left.join(right, JoinType::Inner, &["a"], &["b"], None).unwrap();
        assert_eq!(row_count(&sandbox.rows(frame).await.unwrap()), 3, "{method:?}");
    }
}

#[tokio::test]
async fn cross_joins_are_nested_loops() {
    let sandbox = Sandbox::new(64 << 20, 2, JoinMethod::ByBound);
    let side = |name: &str| {
        let values: ArrayRef = Arc::new(Int64Array::from_iter_values(0..100));
        sandbox.context.read_batch(RecordBatch::try_from_iter([(name, values)]).unwrap()).unwrap()
    };
    let frame = side("a").join(side("b"), JoinType::Inner, &[], &[], None).unwrap();
    let plan = sandbox.plan(frame.clone()).await;
    assert!(has::<NestedLoopJoinExec>(&plan));
    assert_eq!(row_count(&sandbox.rows(frame).await.unwrap()), 10_000);
}
