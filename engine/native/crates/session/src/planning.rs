//! From the plan language to a physical plan in a session of its own.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::DiskManager;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::{ExecutionPlan, displayable};
use fulmar_error::{EngineError, Result};
use fulmar_proto::{HostScanRel, Plan, QuerySettings, ScanRel};
use fulmar_scan::{Host, HostTable, IcebergTable, ScanResources};
use fulmar_transport::Sources;
use prost::Message;

use crate::config::{MERGE_FAN_IN, QuerySizes, session_config};
use crate::failure;
use crate::fit::{batch_rows, spillers};
use crate::memory::QueryMemory;
use crate::replay::ReplayHost;
use crate::rules::{JoinMethod, guard_windows, needs_one_partition, physical_rules};
use crate::spill::{QuerySpill, SpillFiles};

/// Stack for a plan's messages, which nest as expressions do.
const DECODE_STACK: usize = 64 << 20;

/// Gives a plan to `use_it`, on a stack deep enough for it.
pub fn decoded<T>(bytes: &[u8], use_it: impl FnOnce(&Plan) -> Result<T>) -> Result<T> {
    stacker::grow(DECODE_STACK, || {
        let plan =
            Plan::decode(bytes).map_err(|e| EngineError::plan(format!("The plan cannot be decoded: {e}")))?;
        use_it(&plan)
    })
}

/// A plan that can run, once.
pub struct Planned {
    /// The operators.
    pub plan: Arc<dyn ExecutionPlan>,
    /// What they run in.
    pub context: Arc<TaskContext>,
    /// How joins were chosen.
    pub method: JoinMethod,
    /// The plan as text.
    pub text: String,
}

/// What planning needs, kept so that a query can be planned again.
pub struct Planner {
    /// The query, encoded: a deep plan is decoded, and dropped, where there is stack for it.
    pub plan: Vec<u8>,
    /// Its settings.
    pub settings: QuerySettings,
    /// Sizes that follow from them.
    pub sizes: QuerySizes,
    /// Who gives tasks and batches.
    pub host: Arc<ReplayHost>,
    /// What scans share.
    pub scans: Arc<ScanResources>,
    /// The query's pool.
    pub memory: Arc<QueryMemory>,
    /// Caches of the process with the query's pool and spill folder.
    pub env: Arc<RuntimeEnv>,
}

impl Planner {
    /// Plans with the given choice of joins.
    pub async fn plan(&self, method: JoinMethod) -> Result<Planned> {
        let mut planned = self.plan_with(method, &self.sizes).await?;
        let mut sizes = self.sizes;
        if needs_one_partition(&planned.plan) {
            sizes.partitions = 1;
        }
        let fitting = batch_rows(&planned.plan, &sizes);
        if fitting < sizes.batch_rows / 4 * 3 {
            sizes.batch_rows = fitting;
        }
        if sizes != self.sizes {
            self.host.rewind();
            planned = self.plan_with(method, &sizes).await?;
        }
        self.memory.expect_spillers(spillers(&planned.plan));
        Ok(planned)
    }

    async fn plan_with(&self, method: JoinMethod, sizes: &QuerySizes) -> Result<Planned> {
        let builder = SessionStateBuilder::new()
            .with_config(session_config(sizes, &self.settings))
            .with_runtime_env(Arc::clone(&self.env))
            .with_physical_optimizer_rules(physical_rules(method, sizes.memory_limit));
        let state = fulmar_transport::configure(builder).build();
        let logical = decoded(&self.plan, |plan| fulmar_transport::build(plan, self))?;
        let plan = state.create_physical_plan(&logical).await.map_err(failure::of_plan)?;
        let text = displayable(plan.as_ref()).indent(false).to_string();
        let plan = guard_windows(plan)?;
        Ok(Planned { plan, context: state.task_ctx(), method, text })
    }
}

impl Sources for Planner {
    fn table(&self, scan: &ScanRel) -> Result<Arc<dyn TableProvider>> {
        let host: Arc<dyn Host> = Arc::clone(&self.host) as _;
        let scans = Arc::clone(&self.scans);
        Ok(Arc::new(IcebergTable::try_new(scan.clone(), host, &self.settings, scans)?))
    }

    fn host_table(&self, scan: &HostScanRel) -> Result<Arc<dyn TableProvider>> {
        let host: Arc<dyn Host> = Arc::clone(&self.host) as _;
        Ok(Arc::new(HostTable::try_new(scan.clone(), host, &self.settings)?))
    }
}

/// The process's caches with a pool and a spill folder of the query.
pub fn query_env(
    shared: &RuntimeEnv,
    memory: Arc<dyn MemoryPool>,
    spill: Arc<QuerySpill>,
) -> Result<Arc<RuntimeEnv>> {
    let disk = DiskManager::builder()
        .with_temp_file_factory(Arc::new(SpillFiles(spill)))
        .with_max_spill_merge_fan_in(MERGE_FAN_IN);
    let env =
        RuntimeEnvBuilder::from_runtime_env(shared).with_memory_pool(memory).with_disk_manager_builder(disk);
    Ok(env.build_arc()?)
}
