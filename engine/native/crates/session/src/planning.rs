//! From the plan language to a physical plan in a session of its own.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::DiskManager;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::{ExecutionPlan, displayable};
use fulmar_error::Result;
use fulmar_proto::{HostScanRel, Plan, QuerySettings, ScanRel};
use fulmar_scan::{Host, HostTable, IcebergTable, ScanResources};
use fulmar_transport::Sources;

use crate::config::{MERGE_FAN_IN, QuerySizes, session_config};
use crate::failure;
use crate::memory::QueryMemory;
use crate::metrics::spillers;
use crate::replay::ReplayHost;
use crate::rules::{JoinMethod, JoinMethods, guard_windows, needs_one_partition, physical_rules};
use crate::spill::{QuerySpill, SpillFiles};

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
    /// The query.
    pub plan: Plan,
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
        if needs_one_partition(&planned.plan) {
            self.host.rewind();
            planned = self.plan_with(method, &self.sizes.on_one_partition()).await?;
        }
        self.memory.expect_spillers(spillers(&planned.plan));
        Ok(planned)
    }

    async fn plan_with(&self, method: JoinMethod, sizes: &QuerySizes) -> Result<Planned> {
        let methods = JoinMethods::new(method, sizes.memory_limit);
        let builder = SessionStateBuilder::new()
            .with_config(session_config(sizes, &self.settings))
            .with_runtime_env(Arc::clone(&self.env))
            .with_physical_optimizer_rules(physical_rules(methods));
        let state = fulmar_transport::configure(builder).build();
        let logical = fulmar_transport::build(&self.plan, self)?;
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
