//! Two thread pools: one computes, one waits for storage and the host.

use fulmar_error::{EngineError, Result};
use tokio::runtime::{Builder, Handle, Runtime};

/// Plans nest: optimizers recurse on these stacks.
const STACK_BYTES: usize = 8 << 20;
/// Threads for blocking calls, started when needed: spill reads, and the host's callbacks, which may wait long.
const BLOCKING_THREADS: usize = 512;

/// The process-wide runtimes.
#[derive(Debug)]
pub struct Runtimes {
    cpu: Option<Runtime>,
    io: Option<Runtime>,
    handles: (Handle, Handle),
}

impl Runtimes {
    /// Starts both.
    pub fn start(cpu_threads: usize, io_threads: usize) -> Result<Self> {
        let cpu = start("fulmar-cpu", cpu_threads)?;
        let io = start("fulmar-io", io_threads)?;
        let handles = (cpu.handle().clone(), io.handle().clone());
        Ok(Self { cpu: Some(cpu), io: Some(io), handles })
    }

    /// Where plans run.
    pub fn cpu(&self) -> &Handle {
        &self.handles.0
    }

    /// Where object stores run.
    pub fn io(&self) -> &Handle {
        &self.handles.1
    }
}

impl Drop for Runtimes {
    fn drop(&mut self) {
        // In the background: the last owner may be a task of the runtime itself.
        for runtime in [self.cpu.take(), self.io.take()].into_iter().flatten() {
            runtime.shutdown_background();
        }
    }
}

fn start(name: &str, threads: usize) -> Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(threads.max(1))
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name(name)
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()
        .map_err(|e| EngineError::internal(format!("Cannot start the runtime {name}: {e}")))
}
