//! The tables that plans scan.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, Result as DataFusionResult};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use fulmar_error::Result;
use fulmar_proto::{DeleteForm, QuerySettings, ScanRel};

use crate::columns::parse_mapping;
use crate::context::{ScanContext, ScanResources};
use crate::exec::{DeletesShown, IcebergScanExec, ScanPlan};
use crate::field::TableSchema;
use crate::host::Host;
use crate::layout::TableColumns;
use crate::metrics::Counters;
use crate::puffin::PuffinFooters;
use crate::tasks::TaskSource;

/// A scan of an Iceberg snapshot as a table.
pub struct IcebergTable {
    context: Arc<ScanContext>,
    source: Arc<TaskSource>,
    columns: Arc<TableColumns>,
    deletes: DeletesShown,
    form: DeleteForm,
    settings: QuerySettings,
    row_count: u64,
    byte_count: u64,
    filter: Option<Expr>,
}

impl IcebergTable {
    /// A table for one scan of a plan. `ScanRel.filter` is not read here: it comes as a filter of the table scan, or by
    /// [`Self::with_filter`].
    pub fn try_new(
        scan: ScanRel,
        host: Arc<dyn Host>,
        settings: &QuerySettings,
        resources: Arc<ScanResources>,
    ) -> Result<Self> {
        let schema = TableSchema::try_new(&scan.schema)?;
        let columns = Arc::new(TableColumns::new(&scan.columns, &schema)?);
        let form = match settings.delete_form() {
            DeleteForm::Unspecified => DeleteForm::Auto,
            form => form,
        };
        let deletes = deletes_shown(&scan, &schema);
        let context = Arc::new(ScanContext {
            scan_id: scan.scan_id,
            table: scan.table,
            mapping: parse_mapping(&scan.name_mapping)?,
            name_mapping: scan.name_mapping,
            schema,
            properties: scan.storage.into_iter().collect::<HashMap<_, _>>(),
            host,
            resources,
            counters: Counters::default(),
            puffins: PuffinFooters::default(),
        });
        Ok(Self {
            source: Arc::new(TaskSource::new(Arc::clone(&context))),
            context,
            columns,
            deletes,
            form,
            settings: settings.clone(),
            row_count: scan.row_count,
            byte_count: scan.byte_count,
            filter: None,
        })
    }

    /// Adds a filter over the table's columns. It may skip data, and need not be exact.
    #[must_use]
    pub fn with_filter(mut self, filter: Expr) -> Self {
        self.filter = Some(filter);
        self
    }
}

fn deletes_shown(scan: &ScanRel, schema: &TableSchema) -> DeletesShown {
    let name = |id: &i32| {
        let path = schema.path(*id).unwrap_or_default();
        let names: Vec<&str> = path.iter().map(|field| field.name.as_str()).collect();
        names.join(".")
    };
    DeletesShown {
        positions: scan.position_deletes,
        key_sets: scan.equality_deletes.iter().map(|set| set.field_ids.iter().map(name).collect()).collect(),
    }
}

impl fmt::Debug for IcebergTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IcebergTable")
            .field("table", &self.context.table)
            .field("schema", &self.columns.schema)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl TableProvider for IcebergTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.columns.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.columns.schema.fields().len()).collect();
        let layout = self.columns.project(projection.unwrap_or(&all))?;
        let filter = conjunction(filters.iter().chain(&self.filter).cloned());
        let filters = match filter {
            Some(filter) => {
                let schema = DFSchema::try_from(self.columns.schema.as_ref().clone())?;
                vec![state.create_physical_expr(filter, &schema)?]
            }
            None => Vec::new(),
        };
        let plan = ScanPlan {
            context: Arc::clone(&self.context),
            source: Arc::clone(&self.source),
            columns: Arc::clone(&self.columns),
            layout: Arc::new(layout),
            deletes: self.deletes.clone(),
            form: self.form,
            pruning: self.settings.pruning,
            delete_cache: self.settings.delete_cache,
            query_limit: self.settings.memory_limit_bytes,
            row_count: self.row_count,
            byte_count: self.byte_count,
        };
        let partitions = state.config().target_partitions();
        Ok(Arc::new(IcebergScanExec::new(plan, filters, limit, partitions)))
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> DataFusionResult<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }
}
