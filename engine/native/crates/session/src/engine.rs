//! The engine of a process: what queries share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use fulmar_error::{EngineError, Result};
use fulmar_proto::EngineStats;
use fulmar_scan::{Host, ScanResources};
use parking_lot::Mutex;

use crate::memory::{KeptMemory, ProcessMemory};
use crate::query::{Query, QueryState};
use crate::runtime::Runtimes;
use crate::spill::SpillSpace;

/// Parquet footers are kept in this part of the memory limit, up to [`MOST_FOOTER_BYTES`].
const FOOTER_PART: usize = 16;
const MOST_FOOTER_BYTES: usize = 64 << 20;
/// Keys of delete files are kept in this part of the memory limit.
const KEY_PART: usize = 8;

/// Limits of the whole engine.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Threads that decode and compute.
    pub cpu_threads: usize,
    /// Threads that wait for storage.
    pub io_threads: usize,
    /// What all queries together may reserve, in bytes.
    pub memory_limit: usize,
    /// Holds one folder for each query.
    pub spill_directory: PathBuf,
    /// What all queries together may spill, in bytes.
    pub spill_limit: u64,
}

/// Runtimes, memory, spill space and caches of the process.
pub struct Engine {
    pub(crate) runtimes: Runtimes,
    pub(crate) memory: Arc<ProcessMemory>,
    pub(crate) spill: Arc<SpillSpace>,
    pub(crate) shared_env: Arc<RuntimeEnv>,
    pub(crate) scans: Arc<ScanResources>,
    open: Mutex<Vec<std::sync::Weak<QueryState>>>,
    closed: AtomicBool,
}

impl Engine {
    /// Starts the runtimes and clears the spill directory of what dead processes left.
    pub fn open(options: &EngineOptions) -> Result<Arc<Self>> {
        let spill = SpillSpace::open(options.spill_directory.clone(), options.spill_limit)?;
        let runtimes = Runtimes::start(options.cpu_threads, options.io_threads)?;
        let footers = (options.memory_limit / FOOTER_PART).min(MOST_FOOTER_BYTES);
        let memory = Arc::new(ProcessMemory::new(options.memory_limit));
        let keys = Arc::new(KeptMemory::new(options.memory_limit / KEY_PART, Arc::clone(&memory)));
        let scans = ScanResources::new(footers, keys, runtimes.io().clone());
        let kept = Arc::downgrade(&scans);
        memory.on_shortage(move |bytes| {
            if let Some(scans) = kept.upgrade() {
                scans.give_back(bytes);
            }
        });
        Ok(Arc::new(Self {
            runtimes,
            memory,
            spill: Arc::new(spill),
            shared_env: RuntimeEnvBuilder::new().build_arc()?,
            scans,
            open: Mutex::new(Vec::new()),
            closed: AtomicBool::new(false),
        }))
    }

    /// Plans a query. Blocks while DataFusion plans; nothing runs before the first [`Query::next`].
    pub fn prepare(self: &Arc<Self>, plan: &[u8], host: Arc<dyn Host>) -> Result<Query> {
        if self.closed.load(Ordering::Acquire) {
            return Err(EngineError::internal("The engine is closed"));
        }
        let query = Query::prepare(Arc::clone(self), plan, host)?;
        let mut open = self.open.lock();
        open.retain(|state| state.strong_count() > 0);
        open.push(Arc::downgrade(query.state()));
        Ok(query)
    }

    /// What queries use now, and used.
    pub fn stats(&self) -> EngineStats {
        let open = self.open.lock();
        EngineStats {
            pool_bytes: self.memory.used() as u64,
            pool_peak_bytes: self.memory.peak() as u64,
            queries: open.iter().filter(|state| state.strong_count() > 0).count() as u64,
            spilled_bytes: self.spill.written(),
        }
    }

    /// Cancels open queries and waits for them, but not longer than `patience` for each. New queries are refused.
    pub fn close(&self, patience: Duration) {
        self.closed.store(true, Ordering::Release);
        let open: Vec<_> = self.open.lock().drain(..).filter_map(|state| state.upgrade()).collect();
        open.iter().for_each(|state| state.cancel());
        open.iter().for_each(|state| state.settle(patience));
    }
}
