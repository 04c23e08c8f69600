//! The life of a query: prepare, next until the end, close; cancel at any time from any thread.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::physical_plan::execute_stream;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::QueryMetrics;
use fulmar_scan::Host;
use futures::{FutureExt, StreamExt};
use log::{debug, warn};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::QuerySizes;
use crate::engine::Engine;
use crate::failure;
use crate::memory::QueryMemory;
use crate::metrics::PlanMetrics;
use crate::output::Shaper;
use crate::planning::{Planned, Planner, decoded, query_env};
use crate::replay::ReplayHost;
use crate::rules::{JoinMethod, may_be_refused};
use crate::spill::QuerySpill;

/// Batches between the plan and the client.
const QUEUE: usize = 2;
/// Rows wait so long for more before they go.
const LINGER: Duration = Duration::from_millis(20);
/// Aborted tasks free their memory in the background; so long is it waited for.
const SETTLE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(1);

type Item = Result<RecordBatch>;

/// A prepared query. Dropping it closes it.
pub struct Query {
    state: Arc<QueryState>,
    output: Mutex<Output>,
}

enum Output {
    Ready,
    Running(mpsc::Receiver<Item>),
    Ended,
    Failed(EngineError),
}

/// What the query's task, its client and the engine see of it.
pub struct QueryState {
    engine: Arc<Engine>,
    planner: Planner,
    schema: SchemaRef,
    text: String,
    token: CancellationToken,
    spill: Arc<QuerySpill>,
    planned: Mutex<Option<Planned>>,
    last_metrics: Mutex<PlanMetrics>,
    task: Mutex<Option<JoinHandle<()>>>,
    begun: Mutex<Option<Instant>>,
    elapsed_micros: AtomicU64,
    rows: AtomicU64,
    emitted: AtomicBool,
    complete: AtomicBool,
}

impl Query {
    pub(crate) fn prepare(engine: Arc<Engine>, plan: &[u8], host: Arc<dyn Host>) -> Result<Self> {
        let (settings, schema) = decoded(plan, |plan| {
            let settings = plan.settings.clone();
            let settings = settings.ok_or_else(|| EngineError::plan("The plan has no settings"))?;
            Ok((settings, fulmar_transport::output_schema(plan)?))
        })?;
        let sizes = QuerySizes::of(&settings)?;
        let memory = Arc::new(QueryMemory::new(sizes.memory_limit, Arc::clone(&engine.memory)));
        let space = Arc::clone(&engine.spill);
        let spill = Arc::new(QuerySpill::new(space, &settings.query_id, sizes.spill_limit));
        let pool: Arc<dyn MemoryPool> = Arc::clone(&memory) as _;
        let env = query_env(&engine.shared_env, pool, Arc::clone(&spill))?;
        let host = Arc::new(ReplayHost::new(host));
        let scans = Arc::clone(&engine.scans);
        let plan = plan.to_vec();
        let planner = Planner { plan, settings, sizes, host, scans, memory, env };
        let cpu = engine.runtimes.cpu().clone();
        let (planner, planned) = plan_on(&cpu, planner)?;
        let text = planned.text.clone();
        let state = QueryState {
            engine,
            planner,
            schema,
            text,
            token: CancellationToken::new(),
            spill,
            planned: Mutex::new(Some(planned)),
            last_metrics: Mutex::default(),
            task: Mutex::new(None),
            begun: Mutex::new(None),
            elapsed_micros: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            emitted: AtomicBool::new(false),
            complete: AtomicBool::new(false),
        };
        Ok(Self { state: Arc::new(state), output: Mutex::new(Output::Ready) })
    }

    pub(crate) fn state(&self) -> &Arc<QueryState> {
        &self.state
    }

    /// The schema of every batch.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.state.schema)
    }

    /// The physical plan as text.
    pub fn explain(&self) -> &str {
        &self.state.text
    }

    /// The next batch, `None` at the end. Blocks; the first call starts the query. After a failure: the same failure.
    pub fn next(&self) -> Result<Option<RecordBatch>> {
        let mut output = self.output.lock();
        if matches!(*output, Output::Ready) {
            *output = Output::Running(self.state.start());
        }
        let received = match &mut *output {
            Output::Running(receiver) => self.state.receive(receiver),
            Output::Failed(error) => return Err(error.clone()),
            Output::Ready | Output::Ended => return Ok(None),
        };
        match &received {
            Ok(Some(_)) => {}
            Ok(None) => *output = Output::Ended,
            Err(error) => *output = Output::Failed(error.clone()),
        }
        received
    }

    /// Stops the query; a blocked [`Query::next`] returns CANCELLED at once. Safe from any thread, also twice.
    pub fn cancel(&self) {
        self.state.cancel();
    }

    /// Counts so far; the last counts once the query is over.
    pub fn metrics(&self) -> QueryMetrics {
        self.state.metrics()
    }

    /// Stops the query, waits a little for its tasks, and removes its spill folder.
    pub fn close(&self) {
        self.state.cancel();
        *self.output.lock() = Output::Ended;
        self.state.settle(SETTLE);
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        self.state.cancel();
        *self.output.lock() = Output::Ended;
        self.state.spill.remove();
    }
}

/// Plans on the runtime's deep stacks; a panic there is an error here.
fn plan_on(cpu: &Handle, planner: Planner) -> Result<(Planner, Planned)> {
    let task = cpu.spawn(async move {
        let planned = planner.plan(JoinMethod::ByBound).await;
        planned.map(|planned| (planner, planned))
    });
    match cpu.block_on(task) {
        Ok(planned) => planned,
        Err(join) if join.is_panic() => Err(failure::panicked(join.into_panic().as_ref())),
        Err(_) => Err(failure::cancelled()),
    }
}

impl QueryState {
    /// Stops the query.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    fn start(self: &Arc<Self>) -> mpsc::Receiver<Item> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        *self.begun.lock() = Some(Instant::now());
        let state = Arc::clone(self);
        let task = self.engine.runtimes.cpu().spawn(async move {
            let run = AssertUnwindSafe(state.run(&sender)).catch_unwind();
            let result = tokio::select! {
                biased;
                () = state.token.cancelled() => Err(failure::cancelled()),
                result = run => result.unwrap_or_else(|payload| {
                    Err(failure::panicked(payload.as_ref()))
                }),
            };
            state.finish(result.is_ok());
            if let Err(error) = result {
                debug!("Query {} failed: {error}", state.planner.settings.query_id);
                tokio::select! {
                    () = state.token.cancelled() => {}
                    _ = sender.send(Err(error)) => {}
                }
            }
        });
        *self.task.lock() = Some(task);
        receiver
    }

    fn receive(&self, receiver: &mut mpsc::Receiver<Item>) -> Result<Option<RecordBatch>> {
        let received = self.engine.runtimes.cpu().block_on(async {
            tokio::select! {
                biased;
                () = self.token.cancelled() => Some(Err(failure::cancelled())),
                item = receiver.recv() => item,
            }
        });
        if received.is_none() && !self.complete.load(Ordering::Acquire) {
            return Err(EngineError::internal("The query's task ended without a result"));
        }
        received.transpose()
    }

    async fn run(&self, sender: &mpsc::Sender<Item>) -> Result<()> {
        let refused = match self.stream(sender).await {
            Err(error) if self.may_plan_again(&error) => error,
            result => return result,
        };
        debug!("Planning query {} again: {refused}", self.planner.settings.query_id);
        *self.planned.lock() = None;
        self.wait_for_memory().await;
        if !self.planner.host.rewind() {
            return Err(refused);
        }
        let planned = self.planner.plan(JoinMethod::SortMerge).await?;
        *self.planned.lock() = Some(planned);
        self.stream(sender).await
    }

    /// Build sides and large limits cannot spill: where one was refused memory and no row has gone out, sorts may do.
    fn may_plan_again(&self, error: &EngineError) -> bool {
        let planned = self.planned.lock();
        error.code() == ErrorCode::MemoryLimitExceeded
            && !self.emitted.load(Ordering::Relaxed)
            && planned
                .as_ref()
                .is_some_and(|planned| planned.method == JoinMethod::ByBound && may_be_refused(&planned.plan))
    }

    async fn stream(&self, sender: &mpsc::Sender<Item>) -> Result<()> {
        let mut batches = {
            let planned = self.planned.lock();
            let planned = planned.as_ref().ok_or_else(failure::cancelled)?;
            if !may_be_refused(&planned.plan) {
                self.planner.host.stop_recording();
            }
            execute_stream(Arc::clone(&planned.plan), Arc::clone(&planned.context))
                .map_err(failure::of_plan)?
        };
        let mut shaper = Shaper::new(Arc::clone(&self.schema), self.planner.sizes.batch_rows);
        loop {
            let next = if shaper.holds_rows() {
                match tokio::time::timeout(LINGER, batches.next()).await {
                    Ok(next) => next,
                    Err(_) => {
                        self.send_all(sender, shaper.flush()?).await?;
                        continue;
                    }
                }
            } else {
                batches.next().await
            };
            let Some(batch) = next else {
                return self.send_all(sender, shaper.flush()?).await;
            };
            shaper.push(&batch.map_err(failure::of_plan)?)?;
            self.send_all(sender, shaper.take()?).await?;
        }
    }

    async fn send_all(&self, sender: &mpsc::Sender<Item>, batches: Vec<RecordBatch>) -> Result<()> {
        for batch in batches {
            if !self.emitted.swap(true, Ordering::Relaxed) {
                self.planner.host.stop_recording();
            }
            self.rows.fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
            sender.send(Ok(batch)).await.map_err(|_| failure::cancelled())?;
        }
        Ok(())
    }

    async fn wait_for_memory(&self) {
        let until = Instant::now() + SETTLE;
        while self.planner.memory.reserved() > 0 && Instant::now() < until {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Keeps the last counts and lets go of the plan, which holds build sides and readers.
    fn finish(&self, complete: bool) {
        let planned = self.planned.lock().take();
        if let Some(planned) = &planned {
            *self.last_metrics.lock() = PlanMetrics::of(&planned.plan);
        }
        if let Some(begun) = *self.begun.lock() {
            let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.elapsed_micros.store(micros, Ordering::Relaxed);
        }
        drop(planned);
        self.complete.store(complete, Ordering::Release);
        self.spill.remove();
    }

    /// Waits until the query's tasks are gone, but not longer than `patience`; then removes its spill folder.
    pub(crate) fn settle(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let task = self.task.lock().take();
        let ended = || task.as_ref().is_none_or(JoinHandle::is_finished);
        let idle = || self.planner.memory.reserved() == 0 && self.host_is_free();
        while !(ended() && self.drop_plan() && idle()) && Instant::now() < until {
            std::thread::sleep(POLL);
        }
        if !ended() {
            warn!("Query {} still stops its tasks", self.planner.settings.query_id);
        }
        self.spill.remove();
    }

    fn drop_plan(&self) -> bool {
        drop(self.planned.lock().take());
        true
    }

    fn host_is_free(&self) -> bool {
        Arc::strong_count(&self.planner.host) == 1
    }

    fn metrics(&self) -> QueryMetrics {
        let running = self.planned.lock().as_ref().map(|planned| PlanMetrics::of(&planned.plan));
        let over = running.is_none();
        let plan = running.unwrap_or_else(|| self.last_metrics.lock().clone());
        let elapsed = match (*self.begun.lock(), over) {
            (Some(begun), false) => u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
            _ => self.elapsed_micros.load(Ordering::Relaxed),
        };
        let complete = self.complete.load(Ordering::Acquire);
        QueryMetrics {
            peak_memory_bytes: self.planner.memory.peak() as u64,
            spilled_bytes: self.spill.written(),
            spill_files: self.spill.files(),
            rows: self.rows.load(Ordering::Relaxed),
            elapsed_micros: elapsed,
            progress: if complete { 1.0 } else { plan.progress() },
            scans: plan.scans,
            operators: plan.operators,
        }
    }
}
