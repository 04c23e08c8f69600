//! Scans of the tables that the session supplies.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::catalog::default_table_source::provider_as_source;
use datafusion::common::{Column, TableReference};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations, conjunction};
use crate::expressions::{Typed, exactly};
use crate::types::required_type;

impl Relations<'_> {
    pub(super) fn scan(&mut self, scan: &pb::ScanRel) -> Result<Node> {
        let provider = self.sources.table(scan)?;
        let types = scan.columns.iter().map(|column| column.r#type.as_ref());
        self.table(&scan.table, provider, types, scan.filter.as_ref())
    }

    pub(super) fn host_scan(&mut self, scan: &pb::HostScanRel) -> Result<Node> {
        let provider = self.sources.host_table(scan)?;
        let types = scan.columns.iter().map(|column| column.r#type.as_ref());
        self.table(&scan.table, provider, types, None)
    }

    /// A name for EXPLAIN that no other scan of the plan has.
    fn table_name(&mut self, table: &str) -> TableReference {
        let seen = self.tables.entry(table.to_owned()).or_insert(0);
        *seen += 1;
        match *seen {
            1 => TableReference::bare(table),
            n => TableReference::bare(format!("{table}#{n}")),
        }
    }

    fn table<'b>(
        &mut self,
        table: &str,
        provider: Arc<dyn TableProvider>,
        types: impl Iterator<Item = Option<&'b pb::DataType>>,
        filter: Option<&pb::Expr>,
    ) -> Result<Node> {
        let name = self.table_name(table);
        let schema = provider.schema();
        let declared = types.map(required_type).collect::<Result<Vec<_>>>()?;
        if schema.fields().len() != declared.len() {
            return Err(EngineError::internal(format!(
                "table {table} has {} columns for {} of the scan",
                schema.fields().len(),
                declared.len()
            )));
        }
        let columns = schema
            .fields()
            .iter()
            .zip(&declared)
            .map(|(field, declared)| {
                let column = Column::new(Some(name.clone()), field.name());
                let typed = Typed::new(Expr::Column(column), field.data_type().clone());
                exactly(typed, declared).map_err(|error| error.with_field(field.name().clone()))
            })
            .collect::<Result<Vec<_>>>()?;
        let filters = match filter {
            Some(filter) => vec![conjunction(filter, &self.expressions(&columns))?],
            None => Vec::new(),
        };
        let source = provider_as_source(provider);
        let plan: LogicalPlan =
            LogicalPlanBuilder::scan_with_filters(name, source, None, filters)?.build()?;
        self.project(plan, columns)
    }
}
