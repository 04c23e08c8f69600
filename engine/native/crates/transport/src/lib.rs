//! Plan bytes to DataFusion's logical plan, with every declared type checked and the unknown refused.
//!
//! Entry: [`build`]. Its plans must run in a session made by [`configure`], whose rules never change a type.

mod aggregates;
mod calendar;
mod casts;
mod comparison;
mod decimals;
mod expressions;
mod functions;
mod json;
mod kernel;
pub mod literals;
mod moments;
mod nesting;
mod relations;
mod rules;
mod session;
mod texts;
pub mod types;
mod windows;

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use fulmar_error::{EngineError, Result};
use fulmar_proto::{HostScanRel, Plan, PlanVersion, QuerySettings, ScanRel};

use crate::casts::Mode;
use crate::expressions::required;
use crate::relations::Relations;
use crate::session::Session;
use crate::types::{arrow_schema, required_type, same_type};

/// The tables of a plan.
///
/// A provider's schema is the scan's columns, in order, in their declared types (field names are free but unique).
/// `ScanRel.filter` reaches `TableProvider::scan` as one of its filters, over the provider's own column names, together with
/// what DataFusion pushes down. Providers answer `Inexact` to `supports_filters_pushdown`: the filter above stays.
pub trait Sources {
    /// A scan of data files.
    fn table(&self, scan: &ScanRel) -> Result<Arc<dyn TableProvider>>;
    /// A table whose rows the host makes.
    fn host_table(&self, scan: &HostScanRel) -> Result<Arc<dyn TableProvider>>;
}

/// The logical plan of a query. Its columns have the types of [`output_schema`] exactly, and internal names: a
/// result may have a name twice, a DataFusion schema may not. Whoever streams the result puts the names on.
pub fn build(plan: &Plan, sources: &dyn Sources) -> Result<LogicalPlan> {
    if plan.version != PlanVersion::Current as u32 {
        return Err(EngineError::plan(format!("plan version {} is not known", plan.version)));
    }
    let default = QuerySettings::default();
    let session = Session::new(plan.settings.as_ref().unwrap_or(&default))?;
    let mut relations = Relations::new(sources, session.clone());
    let root = relations.build(required(plan.root.as_ref(), "a plan")?)?;
    if root.columns.len() != plan.output.len() {
        return Err(EngineError::plan(format!(
            "a plan of {} columns announces {}",
            root.columns.len(),
            plan.output.len()
        )));
    }
    let columns = root
        .columns
        .into_iter()
        .zip(&plan.output)
        .map(|(column, field)| {
            let announced = required_type(field.r#type.as_ref())?;
            if same_type(&column.data_type, &announced) {
                return expressions::exactly(column, &announced);
            }
            // the schema was announced before execution: the last cast is checked
            casts::cast(column, &announced, Mode::Checked, 0, &session)
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(relations.project(root.plan, columns)?.plan)
}

/// The announced schema of a query's batches: `Plan.output`, all fields nullable.
pub fn output_schema(plan: &Plan) -> Result<SchemaRef> {
    arrow_schema(&plan.output)
}

/// Sets the analyzer and optimizer rules that plans of [`build`] need. Call it last: it adds a physical rule that
/// must run after all others.
pub fn configure(builder: SessionStateBuilder) -> SessionStateBuilder {
    rules::configure(builder)
}

/// Runs a step of a recursion over the plan, which may be deep, with enough stack.
pub(crate) fn with_stack<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 4 << 20, step)
}
