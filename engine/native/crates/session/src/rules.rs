//! Physical choices of our own: which joins hash, what replaces a cross join, and memory that windows hold.

mod bounds;
mod joins;
mod windows;

use std::sync::Arc;

use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;

pub use joins::{JoinMethod, JoinMethods, needs_one_partition, uses_hash_join};
pub use windows::guard_windows;

/// DataFusion's rules with the join methods decided right after it has chosen build sides, before
/// it adds the exchanges and sorts that each method needs.
pub fn physical_rules(methods: JoinMethods) -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    let selected = rules.iter().position(|rule| rule.name() == "join_selection");
    let place = selected.map_or(0, |place| place + 1);
    rules.insert(place, Arc::new(methods));
    rules
}
