//! Tables whose rows the host makes: metadata tables and the like.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result as DataFusionResult, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet, RecordOutput,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::batch_request::Source;
use fulmar_proto::{BatchRequest, HostScan, HostScanRel, QuerySettings};
use fulmar_transport::types::arrow_schema;
use futures::StreamExt;

use crate::host::{Host, host_stream};

/// A table that the host reads.
pub struct HostTable {
    scan_id: u32,
    table: Arc<str>,
    schema: SchemaRef,
    host: Arc<dyn Host>,
}

impl HostTable {
    /// A table for one host scan of a plan.
    pub fn try_new(scan: HostScanRel, host: Arc<dyn Host>, _settings: &QuerySettings) -> Result<Self> {
        Ok(Self {
            scan_id: scan.scan_id,
            table: scan.table.into(),
            schema: arrow_schema(&scan.columns)?,
            host,
        })
    }
}

impl fmt::Debug for HostTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostTable").field("table", &self.table).finish_non_exhaustive()
    }
}

#[async_trait]
impl TableProvider for HostTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        let projection = match projection {
            Some(projection) => projection.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        let projected = Arc::new(self.schema.project(&projection)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&projected)),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Arc::new(HostScanExec {
            scan_id: self.scan_id,
            table: Arc::clone(&self.table),
            schema: Arc::clone(&self.schema),
            projection: projection.into(),
            host: Arc::clone(&self.host),
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        }))
    }
}

/// Reads a table of the host.
pub struct HostScanExec {
    scan_id: u32,
    table: Arc<str>,
    schema: SchemaRef,
    projection: Arc<[usize]>,
    host: Arc<dyn Host>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl fmt::Debug for HostScanExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostScanExec").field("table", &self.table).finish_non_exhaustive()
    }
}

impl DisplayAs for HostScanExec {
    fn fmt_as(&self, display: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        if display != DisplayFormatType::TreeRender {
            write!(f, "HostScanExec: ")?;
        }
        write!(f, "table={}", self.table)
    }
}

impl ExecutionPlan for HostScanExec {
    fn name(&self) -> &str {
        "HostScanExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> DataFusionResult<TreeNodeRecursion>,
    ) -> DataFusionResult<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("HostScanExec has no children") }
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> DataFusionResult<SendableRecordBatchStream> {
        let baseline = BaselineMetrics::new(&self.metrics, partition);
        let request = BatchRequest {
            batch_rows: u32::try_from(context.session_config().batch_size()).unwrap_or(u32::MAX),
            source: Some(Source::HostScan(HostScan { scan_id: self.scan_id })),
        };
        let (table, schema, projection) =
            (Arc::clone(&self.table), Arc::clone(&self.schema), Arc::clone(&self.projection));
        let batches = host_stream(Arc::clone(&self.host), request).map(move |batch| {
            let batch = conforming(&batch?, &table, &schema, &projection)?;
            Ok(batch.record_output(&baseline))
        });
        let projected = Arc::clone(self.properties.equivalence_properties().schema());
        Ok(Box::pin(RecordBatchStreamAdapter::new(projected, batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

/// The projected columns of a batch, in the declared types. Names of fields inside types are labels only.
fn conforming(
    batch: &RecordBatch,
    table: &str,
    schema: &SchemaRef,
    projection: &[usize],
) -> Result<RecordBatch> {
    if batch.num_columns() != schema.fields().len() {
        return Err(EngineError::new(
            ErrorCode::HostFailed,
            format!(
                "Table {table} gave {} columns instead of {}",
                batch.num_columns(),
                schema.fields().len()
            ),
        ));
    }
    let projected = schema.project(projection)?;
    let columns = projection
        .iter()
        .zip(projected.fields())
        .map(|(index, field)| {
            let column = batch.column(*index);
            if column.data_type() == field.data_type() {
                return Ok(Arc::clone(column));
            }
            if column.data_type().equals_datatype(field.data_type()) {
                return Ok(cast(column, field.data_type())?);
            }
            Err(EngineError::new(
                ErrorCode::HostFailed,
                format!(
                    "Column '{}' of table {table} has the type {} instead of {}",
                    field.name(),
                    column.data_type(),
                    field.data_type()
                ),
            ))
        })
        .collect::<Result<Vec<_>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(Arc::new(projected), columns, &options)?)
}
