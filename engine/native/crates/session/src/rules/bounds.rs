//! How many rows and bytes an operator gives at most, as far as is known.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::{JoinType, stats::Precision};
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

/// Bytes assumed for a value whose length only the data tells.
const VARIABLE_WIDTH: usize = 40;
/// Bytes of the hash table for each row: hash, index, chain, and the slack of a power of two.
const HASH_ROW: usize = 32;

/// Bytes that a hash join reserves for this build side at most; `None` if nothing is known.
///
/// A join is taken to keep the rows of its larger side, as joins over keys do: a build side that turns out
/// larger is refused by the pool, and the query is planned again.
pub fn build_bytes(plan: &Arc<dyn ExecutionPlan>) -> Option<usize> {
    let row = row_bytes(&plan.schema()) + HASH_ROW;
    rows(plan.as_ref()).map(|rows| rows.saturating_mul(row))
}

fn rows(plan: &dyn ExecutionPlan) -> Option<usize> {
    let known = unlimited_rows(plan);
    match plan.fetch() {
        Some(fetch) => {
            let partitions = plan.output_partitioning().partition_count().max(1);
            let limit = fetch.saturating_mul(partitions);
            Some(known.map_or(limit, |rows| rows.min(limit)))
        }
        None => known,
    }
}

fn unlimited_rows(plan: &dyn ExecutionPlan) -> Option<usize> {
    let inputs = plan.children();
    if inputs.is_empty() {
        return stated_rows(plan);
    }
    if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        let sets = aggregate.group_expr().groups().len().max(1);
        if aggregate.group_expr().expr().is_empty() {
            return Some(plan.output_partitioning().partition_count().max(1) * sets);
        }
        return rows(inputs.first()?.as_ref()).map(|rows| rows.saturating_mul(sets));
    }
    if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        return joined_rows(*join.join_type(), join.left(), join.right());
    }
    if let Some(join) = plan.downcast_ref::<SortMergeJoinExec>() {
        return joined_rows(join.join_type(), join.left(), join.right());
    }
    if plan.is::<CrossJoinExec>() || plan.is::<NestedLoopJoinExec>() {
        let sides: Option<Vec<_>> = inputs.iter().map(|input| rows(input.as_ref())).collect();
        return sides.map(|sides| sides.iter().fold(1, |all, side| side.saturating_mul(all)));
    }
    if plan.is::<UnionExec>() {
        let parts: Option<Vec<_>> = inputs.iter().map(|input| rows(input.as_ref())).collect();
        return parts.map(|parts| parts.iter().fold(0, |all, part| part.saturating_add(all)));
    }
    if keeps_or_drops_rows(plan) {
        return rows(inputs.first()?.as_ref());
    }
    None
}

fn keeps_or_drops_rows(plan: &dyn ExecutionPlan) -> bool {
    const PASSING: [&str; 8] = [
        "CoalesceBatchesExec",
        "CoalescePartitionsExec",
        "CooperativeExec",
        "GlobalLimitExec",
        "LocalLimitExec",
        "OutputRequirementExec",
        "RepartitionExec",
        "SortPreservingMergeExec",
    ];
    plan.is::<FilterExec>()
        || plan.is::<ProjectionExec>()
        || plan.is::<SortExec>()
        || plan.is::<WindowAggExec>()
        || plan.is::<BoundedWindowAggExec>()
        || PASSING.contains(&plan.name())
}

fn joined_rows(
    join_type: JoinType,
    left: &Arc<dyn ExecutionPlan>,
    right: &Arc<dyn ExecutionPlan>,
) -> Option<usize> {
    let (left, right) = (rows(left.as_ref()), rows(right.as_ref()));
    match join_type {
        JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => left,
        JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => right,
        JoinType::Full => left?.checked_add(right?),
        JoinType::Inner | JoinType::Left | JoinType::Right => Some(left?.max(right?)),
    }
}

fn stated_rows(plan: &dyn ExecutionPlan) -> Option<usize> {
    let statistics = StatisticsContext::new().compute(plan, &StatisticsArgs::new()).ok()?;
    match statistics.num_rows {
        Precision::Exact(rows) | Precision::Inexact(rows) => Some(rows),
        Precision::Absent => None,
    }
}

/// Bytes of a row, where the length of texts and lists is assumed.
pub fn row_bytes(schema: &Schema) -> usize {
    schema.fields().iter().map(|field| value_bytes(field.data_type())).sum()
}

fn value_bytes(data_type: &DataType) -> usize {
    match data_type {
        DataType::Null => 0,
        DataType::Boolean => 1,
        DataType::Struct(fields) => fields.iter().map(|f| value_bytes(f.data_type())).sum(),
        DataType::List(item) | DataType::LargeList(item) => {
            VARIABLE_WIDTH + 4 * value_bytes(item.data_type())
        }
        DataType::Map(entry, _) => VARIABLE_WIDTH + 4 * value_bytes(entry.data_type()),
        DataType::FixedSizeBinary(width) => usize::try_from(*width).unwrap_or(VARIABLE_WIDTH),
        other => other.primitive_width().unwrap_or(VARIABLE_WIDTH),
    }
}
