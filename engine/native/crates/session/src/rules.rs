//! Physical choices of our own: which joins hash, what replaces a cross join, sorts with large limits, and the memory
//! that windows hold.

mod bounds;
mod joins;
mod topk;
mod windows;

use std::sync::Arc;

use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;

pub use bounds::row_bytes;
pub use joins::{JoinMethod, may_be_refused, needs_one_partition};
pub use windows::guard_windows;

use joins::JoinMethods;
use topk::LargeLimits;

/// DataFusion's rules with ours: join methods right after it has chosen build sides, before it adds the exchanges and
/// sorts that each method needs; large limits once it has pushed limits into sorts.
pub fn physical_rules(
    method: JoinMethod,
    memory_limit: usize,
) -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    let place = |rules: &[Arc<dyn PhysicalOptimizerRule + Send + Sync>], name: &str| {
        rules.iter().position(|rule| rule.name().eq_ignore_ascii_case(name))
    };
    let joins = place(&rules, "join_selection").map_or(0, |place| place + 1);
    rules.insert(joins, Arc::new(JoinMethods::new(method, memory_limit)));
    let limits = place(&rules, "EnsureCooperative").unwrap_or(rules.len());
    rules.insert(limits, Arc::new(LargeLimits::new(method, memory_limit)));
    rules
}
