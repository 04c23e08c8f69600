//! Batches small enough for what each spilling operator of a plan is promised.

use std::sync::Arc;

use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use crate::config::QuerySizes;
use crate::memory::promise;
use crate::rules::row_bytes;

/// A promise holds so many batches: a sorter counts each twice and needs two at least.
const BATCHES: usize = 4;
const LEAST_ROWS: usize = 128;

/// Rows of a batch such that every spilling operator can work within its promise, and not more than asked.
pub fn batch_rows(plan: &Arc<dyn ExecutionPlan>, sizes: &QuerySizes) -> usize {
    let promised = promise(sizes.memory_limit, spillers(plan));
    let fitting = promised / BATCHES / widest_row(plan).max(1);
    fitting.clamp(LEAST_ROWS.min(sizes.batch_rows), sizes.batch_rows)
}

fn widest_row(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = match spilling_partitions(plan) {
        0 => 0,
        _ => plan.children().iter().map(|input| row_bytes(&input.schema())).max().unwrap_or(0),
    };
    plan.children().into_iter().map(widest_row).fold(own, usize::max)
}

/// How many spilling consumers of memory the plan registers.
pub fn spillers(plan: &Arc<dyn ExecutionPlan>) -> usize {
    spilling_partitions(plan) + plan.children().into_iter().map(spillers).sum::<usize>()
}

fn spilling_partitions(plan: &Arc<dyn ExecutionPlan>) -> usize {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        match sort.fetch() {
            Some(_) => 0,
            None => sort.input().output_partitioning().partition_count(),
        }
    } else if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        match aggregate.group_expr().expr().is_empty() {
            true => 0,
            false => aggregate.input().output_partitioning().partition_count(),
        }
    } else if plan.is::<RepartitionExec>() {
        plan.output_partitioning().partition_count()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::col;
    use fulmar_proto::QuerySettings;

    use super::*;
    use crate::rules::JoinMethod;
    use crate::testing::{Sandbox, table};

    #[tokio::test]
    async fn batches_shrink_with_the_number_of_spilling_operators() {
        let limit = 2 << 20;
        let settings = QuerySettings { memory_limit_bytes: limit, ..Default::default() };
        let sizes = QuerySizes { batch_rows: 8192, ..QuerySizes::of(&settings).unwrap() };
        let sandbox = Sandbox::new(limit as usize, 1, JoinMethod::SortMerge);
        let read = || sandbox.context.read_batches(table(1000, 1000, 10)).unwrap();
        let sorted = read().sort(vec![col("k").sort(true, true)]).unwrap();
        let one = batch_rows(&sandbox.plan(sorted.clone()).await, &sizes);
        assert!((128..8192).contains(&one), "{one}");
        let twice = sorted.union(read().sort(vec![col("n").sort(true, true)]).unwrap()).unwrap();
        let groups = twice.aggregate(vec![col("t")], vec![]).unwrap();
        let several = batch_rows(&sandbox.plan(groups).await, &sizes);
        assert!(several < one, "{several}");
        let scan = batch_rows(&sandbox.plan(read()).await, &sizes);
        assert_eq!(scan, 8192);
    }
}
