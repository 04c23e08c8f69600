//! Hash joins where their build side fits, sort-merge elsewhere; cross joins as nested loops, which spill.

use std::sync::Arc;

use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinSide, JoinType, ScalarValue};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::PhysicalExprRef;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, Literal};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::projection::{ProjectionExec, ProjectionExpr};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::bounds::build_bytes;
use super::topk::keeps_many_rows;

/// Per cent of the memory limit that one build side may take.
const ONE_BUILD: usize = 20;
/// Per cent that all build sides of a query may take.
const ALL_BUILDS: usize = 40;

/// How joins are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinMethod {
    /// By what build sides need at most.
    ByBound,
    /// Sort-merge wherever it can be, and no large limits inside sorts.
    SortMerge,
}

/// Turns a hash join into a sort-merge join when its build side may not fit its slice of the memory limit.
#[derive(Debug, Clone, Copy)]
pub struct JoinMethods {
    method: JoinMethod,
    memory_limit: usize,
}

impl JoinMethods {
    /// The rule for a query with this limit.
    pub fn new(method: JoinMethod, memory_limit: usize) -> Self {
        Self { method, memory_limit }
    }
}

impl PhysicalOptimizerRule for JoinMethods {
    fn name(&self) -> &str {
        "join_methods"
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut budget = Budget {
            method: self.method,
            one: self.memory_limit / 100 * ONE_BUILD,
            left: self.memory_limit / 100 * ALL_BUILDS,
        };
        plan.transform_up(|node| budget.choose(node)).map(|changed| changed.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

struct Budget {
    method: JoinMethod,
    one: usize,
    left: usize,
}

impl Budget {
    fn choose(&mut self, node: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
        if let Some(cross) = node.downcast_ref::<CrossJoinExec>() {
            let (left, right) = (Arc::clone(cross.left()), Arc::clone(cross.right()));
            let nested = NestedLoopJoinExec::try_new(left, right, None, &JoinType::Inner, None)?;
            return Ok(Transformed::yes(Arc::new(nested)));
        }
        let Some(join) = node.downcast_ref::<HashJoinExec>() else {
            return Ok(Transformed::no(node));
        };
        if !merges(join) || self.admits(join.left()) {
            return Ok(Transformed::no(node));
        }
        if join.join_type().supports_swap() && self.admits(join.right()) {
            return Ok(Transformed::yes(join.swap_inputs(*join.partition_mode())?));
        }
        Ok(Transformed::yes(sort_merge(join)?))
    }

    fn admits(&mut self, build: &Arc<dyn ExecutionPlan>) -> bool {
        if self.method == JoinMethod::SortMerge {
            return false;
        }
        let fits = build_bytes(build).filter(|bytes| *bytes <= self.one.min(self.left));
        self.left -= fits.unwrap_or(0);
        fits.is_some()
    }
}

/// Whether a sort-merge join gives the same rows.
fn merges(join: &HashJoinExec) -> bool {
    let ordered = join.on().iter().all(|(left, right)| {
        has_order(left, &join.left().schema()) && has_order(right, &join.right().schema())
    });
    ordered && !join.null_aware && join.fetch().is_none() && !join.on().is_empty()
}

fn has_order(key: &PhysicalExprRef, schema: &Schema) -> bool {
    key.data_type(schema).is_ok_and(|data_type| {
        data_type.is_primitive()
            || matches!(
                data_type,
                DataType::Boolean
                    | DataType::Utf8
                    | DataType::LargeUtf8
                    | DataType::Binary
                    | DataType::LargeBinary
                    | DataType::FixedSizeBinary(_)
            )
    })
}

fn sort_merge(join: &HashJoinExec) -> Result<Arc<dyn ExecutionPlan>> {
    let mut on = Vec::with_capacity(join.on().len());
    for (left, right) in join.on() {
        on.push((one_zero(left, &join.left().schema())?, one_zero(right, &join.right().schema())?));
    }
    let options = vec![SortOptions::default(); on.len()];
    let merge: Arc<dyn ExecutionPlan> = Arc::new(SortMergeJoinExec::try_new(
        Arc::clone(join.left()),
        Arc::clone(join.right()),
        on,
        join.filter().map(left_first).transpose()?,
        *join.join_type(),
        options,
        join.null_equality(),
    )?);
    let Some(columns) = &join.projection else {
        return Ok(merge);
    };
    let schema = merge.schema();
    let mut projected = Vec::with_capacity(columns.len());
    for column in columns.iter() {
        let name = schema.field(*column).name();
        let expr = Arc::new(Column::new(name, *column));
        projected.push(ProjectionExpr { expr, alias: name.clone() });
    }
    Ok(Arc::new(ProjectionExec::try_new(projected, merge)?))
}

/// The filter with the left side's columns first: `SortMergeJoinExec` hands them over so, whatever order the filter has, and
/// swapped inputs have the other one (`get_filter_columns` in DataFusion's sort_merge_join/filter.rs).
fn left_first(filter: &JoinFilter) -> Result<JoinFilter> {
    let columns = filter.column_indices();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|place| columns.get(*place).map(|column| column.side != JoinSide::Left));
    let indices = order.iter().filter_map(|place| columns.get(*place).cloned()).collect();
    let schema = Arc::new(filter.schema().project(&order)?);
    let expression = Arc::clone(filter.expression()).transform(|expr| {
        let Some(column) = expr.downcast_ref::<Column>() else {
            return Ok(Transformed::no(expr));
        };
        let place = order.iter().position(|place| *place == column.index()).ok_or_else(|| {
            DataFusionError::Internal(format!("A join's filter has no column {}", column.index()))
        })?;
        Ok(Transformed::yes(Arc::new(Column::new(column.name(), place)) as _))
    });
    Ok(JoinFilter::new(expression.data()?, indices, schema))
}

/// Sort-merge orders floats by their bits: adding zero makes both zeros one, as the hash join has it.
fn one_zero(key: &PhysicalExprRef, schema: &Schema) -> Result<PhysicalExprRef> {
    let zero = match key.data_type(schema)? {
        DataType::Float32 => ScalarValue::Float32(Some(0.0)),
        DataType::Float64 => ScalarValue::Float64(Some(0.0)),
        _ => return Ok(Arc::clone(key)),
    };
    let zero = Arc::new(Literal::new(zero));
    Ok(Arc::new(BinaryExpr::new(Arc::clone(key), Operator::Plus, zero)))
}

/// Whether the plan has an operator that cannot spill and that [`JoinMethod::SortMerge`] would replace.
pub fn may_be_refused(plan: &Arc<dyn ExecutionPlan>) -> bool {
    exists(plan, |node| node.downcast_ref::<HashJoinExec>().is_some_and(merges) || keeps_many_rows(node))
}

/// Whether a nested-loop join would give wrong rows if it spilled: its fallback tracks the matches of left rows for
/// each right partition alone (`NestedLoopJoinExec::execute` says so), which is right for one partition only.
pub fn needs_one_partition(plan: &Arc<dyn ExecutionPlan>) -> bool {
    exists(plan, |node| {
        node.downcast_ref::<NestedLoopJoinExec>().is_some_and(|join| {
            let tracks_left = !matches!(
                join.join_type(),
                JoinType::Inner
                    | JoinType::Right
                    | JoinType::RightSemi
                    | JoinType::RightAnti
                    | JoinType::RightMark
            );
            tracks_left && join.right().output_partitioning().partition_count() > 1
        })
    })
}

fn exists(plan: &Arc<dyn ExecutionPlan>, test: impl Fn(&dyn ExecutionPlan) -> bool) -> bool {
    let mut found = false;
    let walked = plan.apply(|node| {
        found = found || test(node.as_ref());
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    walked.is_ok() && found
}

#[cfg(test)]
#[path = "joins_tests.rs"]
mod tests;
