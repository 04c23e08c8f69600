//! A session with a small pool, for tests of operators.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{DataFrame, SessionContext};
use fulmar_proto::QuerySettings;

use crate::config::{QuerySizes, session_config};
use crate::fit::spillers;
use crate::memory::{ProcessMemory, QueryMemory};
use crate::planning::query_env;
use crate::rules::{JoinMethod, guard_windows, physical_rules};
use crate::spill::{QuerySpill, SpillSpace};

/// Everything a query has, without plan bytes.
pub struct Sandbox {
    pub memory: Arc<QueryMemory>,
    pub spill: Arc<QuerySpill>,
    pub context: SessionContext,
    _root: tempfile::TempDir,
}

impl Sandbox {
    pub fn new(memory_limit: usize, threads: u32, method: JoinMethod) -> Self {
        let settings = QuerySettings {
            threads,
            memory_limit_bytes: memory_limit as u64,
            spill_limit_bytes: 10 << 30,
            query_id: "test".to_owned(),
            ..Default::default()
        };
        let sizes = QuerySizes::of(&settings).unwrap();
        let root = tempfile::tempdir().unwrap();
        let space = Arc::new(SpillSpace::open(root.path().to_path_buf(), 10 << 30).unwrap());
        let spill = Arc::new(QuerySpill::new(space, "test", sizes.spill_limit));
        let process = Arc::new(ProcessMemory::new(10 << 30));
        let memory = Arc::new(QueryMemory::new(memory_limit, process));
        let pool: Arc<dyn MemoryPool> = Arc::clone(&memory) as _;
        let env = query_env(&RuntimeEnv::default(), pool, Arc::clone(&spill)).unwrap();
        let state = SessionStateBuilder::new_with_default_features()
            .with_config(session_config(&sizes, &settings))
            .with_runtime_env(env)
            .with_physical_optimizer_rules(physical_rules(method, memory_limit))
            .build();
        let context = SessionContext::new_with_state(state);
        Self { memory, spill, context, _root: root }
    }

    pub async fn plan(&self, frame: DataFrame) -> Arc<dyn ExecutionPlan> {
        let plan = frame.create_physical_plan().await.unwrap();
        self.memory.expect_spillers(spillers(&plan));
        guard_windows(plan).unwrap()
    }

    pub async fn rows(
        &self,
        frame: DataFrame,
    ) -> Result<Vec<RecordBatch>, datafusion::error::DataFusionError> {
        let plan = self.plan(frame).await;
        datafusion::physical_plan::collect(plan, self.context.task_ctx()).await
    }
}

/// Rows with a scattered key below `keys`, a counter, and a text of so many characters.
pub fn table(rows: usize, keys: i64, width: usize) -> Vec<RecordBatch> {
    (0..rows)
        .step_by(1000)
        .map(|start| {
            let numbers = start..(start + 1000).min(rows);
            let key = |row: usize| (row as i64).wrapping_mul(2_654_435_761).rem_euclid(keys);
            let columns: [(&str, ArrayRef); 3] = [
                ("k", Arc::new(Int64Array::from_iter_values(numbers.clone().map(key)))),
                ("n", Arc::new(Int64Array::from_iter_values(numbers.clone().map(|row| row as i64)))),
                (
                    "t",
                    Arc::new(StringArray::from_iter_values(
                        numbers.map(|row| format!("{:0width$}", key(row))),
                    )),
                ),
            ];
            RecordBatch::try_from_iter(columns).unwrap()
        })
        .collect()
}

pub fn row_count(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}
