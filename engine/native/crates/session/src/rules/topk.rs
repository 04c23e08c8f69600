//! A sort with a large limit keeps that many rows and cannot spill: a sort that spills, and the limit above it.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::error::Result;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::bounds::row_bytes;
use super::joins::JoinMethod;

/// Rows that are always kept in memory.
const FEW_ROWS: usize = 1000;
/// Per cent of the memory limit that the rows of one sort may take.
const ONE_HEAP: usize = 10;

/// Takes the limit out of sorts whose kept rows may not fit their slice of the memory limit.
#[derive(Debug, Clone, Copy)]
pub struct LargeLimits {
    method: JoinMethod,
    memory_limit: usize,
}

impl LargeLimits {
    /// The rule for a query with this limit.
    pub fn new(method: JoinMethod, memory_limit: usize) -> Self {
        Self { method, memory_limit }
    }

    fn keeps(&self, sort: &SortExec, rows: usize) -> bool {
        let bytes = rows.saturating_mul(row_bytes(&sort.schema()));
        let fits = self.method == JoinMethod::ByBound && bytes <= self.memory_limit / 100 * ONE_HEAP;
        rows <= FEW_ROWS || fits
    }
}

impl PhysicalOptimizerRule for LargeLimits {
    fn name(&self) -> &str {
        "large_limits"
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| {
            let Some(sort) = node.downcast_ref::<SortExec>() else {
                return Ok(Transformed::no(node));
            };
            let Some(rows) = sort.fetch().filter(|rows| !self.keeps(sort, *rows)) else {
                return Ok(Transformed::no(node));
            };
            let whole: Arc<dyn ExecutionPlan> = Arc::new(sort.with_fetch(None));
            let limited: Arc<dyn ExecutionPlan> = if whole.output_partitioning().partition_count() == 1 {
                Arc::new(GlobalLimitExec::new(whole, 0, Some(rows)))
            } else {
                Arc::new(LocalLimitExec::new(whole, rows))
            };
            Ok(Transformed::yes(limited))
        })
        .data()
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a sort keeps more rows than a few in memory.
pub fn keeps_many_rows(node: &dyn ExecutionPlan) -> bool {
    let fetch = node.downcast_ref::<SortExec>().and_then(SortExec::fetch);
    fetch.is_some_and(|rows| rows > FEW_ROWS)
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::col;

    use super::*;
    use crate::testing::{Sandbox, row_count, table};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_large_limit_spills_and_a_small_one_keeps_its_rows() {
        for (rows, heap) in [(500, true), (90_000, false)] {
            let sandbox = Sandbox::new(8 << 20, 1, JoinMethod::ByBound);
            let frame = sandbox.context.read_batches(table(100_000, 1 << 40, 200)).unwrap();
            let sorted = frame.sort(vec![col("t").sort(true, true)]).unwrap().limit(10, Some(rows)).unwrap();
            let plan = sandbox.plan(sorted.clone()).await;
            let text = displayable(plan.as_ref()).indent(false).to_string();
            assert_eq!(text.contains("TopK"), heap, "{text}");
            assert_eq!(row_count(&sandbox.rows(sorted).await.unwrap()), rows);
            assert_eq!(sandbox.spill.written() > 0, !heap);
        }
    }
}
