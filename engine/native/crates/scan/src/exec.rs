//! The scan as an operator.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result as DataFusionResult, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation, PushedDown,
};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet, RecordOutput, SpillMetrics,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, StatisticsArgs,
};
use fulmar_proto::{DeleteForm, ScanMetrics};
use parking_lot::Mutex;

use crate::context::ScanContext;
use crate::layout::{Layout, TableColumns};
use crate::pruning::Pruner;
use crate::run::{Execution, Partition, RunParts};
use crate::tasks::TaskSource;

/// What a scan is planned from; filters and limits are added later.
#[derive(Clone)]
pub(crate) struct ScanPlan {
    pub(crate) context: Arc<ScanContext>,
    pub(crate) source: Arc<TaskSource>,
    pub(crate) columns: Arc<TableColumns>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) deletes: DeletesShown,
    pub(crate) form: DeleteForm,
    pub(crate) pruning: bool,
    pub(crate) delete_cache: bool,
    pub(crate) query_limit: u64,
    pub(crate) row_count: u64,
    pub(crate) byte_count: u64,
}

/// The deletes that EXPLAIN shows.
#[derive(Debug, Clone)]
pub(crate) struct DeletesShown {
    pub(crate) positions: bool,
    pub(crate) key_sets: Vec<Vec<String>>,
}

/// Reads the data files of an Iceberg snapshot and applies all of its deletes.
pub struct IcebergScanExec {
    plan: ScanPlan,
    /// Filters over the table's columns, which need not be exact.
    filters: Vec<Arc<dyn PhysicalExpr>>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
    running: Mutex<Running>,
}

/// The execution whose partitions are being handed out.
#[derive(Default)]
struct Running {
    execution: Option<Arc<Execution>>,
    started: HashSet<usize>,
}

impl IcebergScanExec {
    pub(crate) fn new(
        plan: ScanPlan,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        limit: Option<usize>,
        partitions: usize,
    ) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&plan.layout.schema)),
            Partitioning::UnknownPartitioning(partitions.max(1)),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        Self {
            plan,
            filters,
            limit,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
            running: Mutex::default(),
        }
    }

    /// The counters as they stand.
    pub fn metrics_snapshot(&self) -> ScanMetrics {
        self.plan.context.counters.snapshot(self.plan.context.scan_id)
    }

    fn changed(&self, filters: Vec<Arc<dyn PhysicalExpr>>, limit: Option<usize>) -> Self {
        Self {
            plan: self.plan.clone(),
            filters,
            limit,
            properties: Arc::clone(&self.properties),
            metrics: self.metrics.clone(),
            running: Mutex::default(),
        }
    }

    /// The execution that partition `partition` belongs to. A partition that is asked for again begins a new one.
    fn execution(&self, partition: usize, task: &TaskContext) -> Arc<Execution> {
        let partitions = self.properties.output_partitioning().partition_count();
        let mut running = self.running.lock();
        let current = match &running.execution {
            Some(execution) if !running.started.contains(&partition) => Arc::clone(execution),
            _ => {
                running.started.clear();
                self.start(partition, partitions, task)
            }
        };
        running.started.insert(partition);
        if running.started.len() == partitions {
            // Every partition is handed out: from now on the streams keep the execution.
            running.execution = None;
            running.started.clear();
        } else {
            running.execution = Some(Arc::clone(&current));
        }
        current
    }

    fn start(&self, partition: usize, partitions: usize, task: &TaskContext) -> Arc<Execution> {
        let plan = &self.plan;
        let filters = if plan.pruning { self.filters.clone() } else { Vec::new() };
        let filtered =
            filters.iter().flat_map(collect_columns).map(|column| column.name().to_owned()).collect();
        Execution::new(
            RunParts {
                context: Arc::clone(&plan.context),
                columns: Arc::clone(&plan.columns),
                layout: Arc::clone(&plan.layout),
                pruner: Pruner::new(Arc::clone(&plan.columns.schema), filters),
                pruning: plan.pruning,
                filtered,
                source: Arc::clone(&plan.source),
                limit: self.limit,
                form: plan.form,
                delete_cache: plan.delete_cache,
                query_limit: plan.query_limit,
                threads: partitions,
                spill_metrics: SpillMetrics::new(&self.metrics, partition),
            },
            task,
        )
    }
}

impl fmt::Debug for IcebergScanExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IcebergScanExec")
            .field("table", &self.plan.context.table)
            .field("schema", &self.plan.layout.schema)
            .field("filters", &self.filters)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl DisplayAs for IcebergScanExec {
    fn fmt_as(&self, display: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        let separator = if display == DisplayFormatType::TreeRender { "\n" } else { ", " };
        let columns: Vec<&str> =
            self.plan.layout.schema.fields().iter().map(|field| field.name().as_str()).collect();
        if display != DisplayFormatType::TreeRender {
            write!(f, "IcebergScanExec: ")?;
        }
        write!(f, "table={}{separator}columns=[{}]", self.plan.context.table, columns.join(", "))?;
        if !self.filters.is_empty() {
            let filters: Vec<String> = self.filters.iter().map(ToString::to_string).collect();
            write!(f, "{separator}filter={}", filters.join(" AND "))?;
        }
        if let Some(limit) = self.limit {
            write!(f, "{separator}limit={limit}")?;
        }
        if self.plan.deletes.positions {
            write!(f, "{separator}position_deletes=bitmap")?;
        }
        if !self.plan.deletes.key_sets.is_empty() {
            let sets: Vec<String> =
                self.plan.deletes.key_sets.iter().map(|names| format!("({})", names.join(", "))).collect();
            let form = match self.plan.form {
                DeleteForm::Set => "set",
                DeleteForm::Merge => "merge",
                DeleteForm::Auto | DeleteForm::Unspecified => "set or merge",
            };
            write!(f, "{separator}equality_deletes={} form={form}", sets.join(" "))?;
            let chosen = self.plan.context.counters.forms();
            if !chosen.is_empty() {
                write!(f, " chosen=[{}]", chosen.join(", "))?;
            }
        }
        Ok(())
    }
}

impl ExecutionPlan for IcebergScanExec {
    fn name(&self) -> &str {
        "IcebergScanExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> DataFusionResult<TreeNodeRecursion>,
    ) -> DataFusionResult<TreeNodeRecursion> {
        for filter in &self.filters {
            if f(filter)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("IcebergScanExec has no children") }
    }

    fn reset_state(self: Arc<Self>) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(self.changed(self.filters.clone(), self.limit)))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> DataFusionResult<SendableRecordBatchStream> {
        if partition >= self.properties.output_partitioning().partition_count() {
            return internal_err!("IcebergScanExec has no partition {partition}");
        }
        let baseline = BaselineMetrics::new(&self.metrics, partition);
        let rows = Partition::new(self.execution(partition, &context));
        let batches = futures::stream::try_unfold((rows, baseline), |(mut rows, baseline)| async move {
            let timer = baseline.elapsed_compute().timer();
            let next = rows.next().await;
            drop(timer);
            match next? {
                Some(batch) => {
                    let batch = batch.record_output(&baseline);
                    Ok(Some((batch, (rows, baseline))))
                }
                None => Ok::<_, datafusion::error::DataFusionError>(None),
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.plan.layout.schema), batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn statistics_from_inputs(
        &self,
        _inputs: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> DataFusionResult<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.plan.layout.schema);
        let partitions = self.properties.output_partitioning().partition_count() as u64;
        let share = |total: u64| {
            let total = match args.partition() {
                Some(_) => total.div_ceil(partitions),
                None => total,
            };
            usize::try_from(total).unwrap_or(usize::MAX)
        };
        if self.plan.row_count > 0 {
            let rows = share(self.plan.row_count);
            statistics.num_rows = Precision::Inexact(self.limit.map_or(rows, |limit| rows.min(limit)));
        }
        if self.plan.byte_count > 0 {
            statistics.total_byte_size = Precision::Inexact(share(self.plan.byte_count));
        }
        Ok(Arc::new(statistics))
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(self.changed(self.filters.clone(), limit)))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn handle_child_pushdown_result(
        &self,
        _phase: FilterPushdownPhase,
        child_pushdown_result: ChildPushdownResult,
        _config: &ConfigOptions,
    ) -> DataFusionResult<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        let pushed = child_pushdown_result.parent_filters;
        let answers = vec![PushedDown::No; pushed.len()];
        let mut filters = self.filters.clone();
        // Filters above speak of the scan's output; here they speak of the table's columns, which have the same names.
        let table: &SchemaRef = &self.plan.columns.schema;
        filters
            .extend(pushed.into_iter().filter_map(|pushed| reassign_expr_columns(pushed.filter, table).ok()));
        let result = FilterPushdownPropagation::with_parent_pushdown_result(answers);
        if !self.plan.pruning || filters.len() == self.filters.len() {
            return Ok(result);
        }
        Ok(result.with_updated_node(Arc::new(self.changed(filters, self.limit))))
    }
}

/// The counters of a scan, if the operator is one.
pub fn scan_metrics(plan: &dyn ExecutionPlan) -> Option<ScanMetrics> {
    plan.downcast_ref::<IcebergScanExec>().map(IcebergScanExec::metrics_snapshot)
}
