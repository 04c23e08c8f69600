//! The rules of sessions that run plans of this crate.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::error::Result;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::optimizer::Optimizer;
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr, conjunction, split_conjunction};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};

use crate::kernel::Kernel;

/// Rules for plans with subqueries, of which there are none, and for DataFusion's own field access.
const LEFT_OUT: &[&str] = &[
    "rewrite_set_comparison",
    "decorrelate_predicate_subquery",
    "scalar_subquery_to_join",
    "decorrelate_lateral_join",
    "extract_leaf_expressions",
    "push_down_leaf_projections",
];

/// No analyzer rule runs: they coerce types, and every type is already the declared one. The optimizer keeps all
/// rules that concern such plans. Filters that can fail run after those that cannot.
pub(crate) fn configure(builder: SessionStateBuilder) -> SessionStateBuilder {
    let rules = Optimizer::new().rules.into_iter().filter(|rule| !LEFT_OUT.contains(&rule.name())).collect();
    builder
        .with_analyzer_rules(Vec::new())
        .with_optimizer_rules(rules)
        .with_physical_optimizer_rule(Arc::new(FallibleFiltersLast))
}

/// Splits a filter whose parts can fail in two, so that those parts see only rows that the others let pass.
///
/// DataFusion evaluates both sides of an AND over all rows, which would divide by zero in `b <> 0 AND a / b > 1`.
#[derive(Debug)]
struct FallibleFiltersLast;

impl PhysicalOptimizerRule for FallibleFiltersLast {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| match node.downcast_ref::<FilterExec>() {
            Some(filter) => split(filter).map(|split| match split {
                Some(split) => Transformed::yes(split),
                None => Transformed::no(Arc::clone(&node)),
            }),
            None => Ok(Transformed::no(node)),
        })
        .data()
    }

    fn name(&self) -> &str {
        "fallible_filters_last"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn split(filter: &FilterExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let (fallible, safe): (Vec<_>, Vec<_>) =
        split_conjunction(filter.predicate()).into_iter().cloned().partition(is_fallible);
    if fallible.is_empty() || safe.is_empty() {
        return Ok(None);
    }
    let below = FilterExecBuilder::new(conjunction(safe), Arc::clone(filter.input()))
        .with_default_selectivity(filter.default_selectivity())
        .with_batch_size(filter.batch_size())
        .build()?;
    let above = FilterExecBuilder::new(conjunction(fallible), Arc::new(below))
        .with_default_selectivity(filter.default_selectivity())
        .with_batch_size(filter.batch_size())
        .with_fetch(filter.fetch())
        .apply_projection_by_ref(filter.projection().as_ref())?
        .build()?;
    Ok(Some(Arc::new(above)))
}

/// Whether evaluating the expression can fail for some row.
fn is_fallible(expr: &Arc<dyn PhysicalExpr>) -> bool {
    let own = expr
        .downcast_ref::<ScalarFunctionExpr>()
        .and_then(|call| call.fun().inner().downcast_ref::<Kernel>())
        .is_some_and(Kernel::is_fallible);
    own || expr.children().into_iter().any(is_fallible)
}
