//! One execution of a scan.
//!
//! Output partitions share a queue of work and read on behalf of their consumers. As soon as a file meets a spilled delete group, tasks
//! of their own take over: they do the rest of the work and send rows through one channel that every partition empties, so that no
//! order in which partitions are polled can block them.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::execution::TaskContext;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::DeleteForm;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use parking_lot::Mutex;
use tokio::task::JoinSet;

use crate::context::ScanContext;
use crate::groups::{KeyGroups, LoadOptions};
use crate::layout::{Layout, TableColumns};
use crate::memory::Budget;
use crate::merge::Merge;
use crate::open::{Unit, open};
use crate::outlet::{Outlet, Sink};
use crate::positions::PositionDeletes;
use crate::pruning::Pruner;
use crate::read::unit_stream;
use crate::spill::SpillPlace;
use crate::tasks::{Asker, Queue, TaskSource, Work};

/// What all partitions and tasks of one execution share.
pub(crate) struct Run {
    pub(crate) context: Arc<ScanContext>,
    pub(crate) columns: Arc<TableColumns>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) pruner: Option<Pruner>,
    /// Whether statistics may say what need not be read or probed.
    pub(crate) pruning: bool,
    /// Names of the columns that filters speak of.
    pub(crate) filtered: HashSet<String>,
    pub(crate) positions: PositionDeletes,
    pub(crate) groups: KeyGroups,
    pub(crate) queue: Arc<Queue<Unit>>,
    pub(crate) batch_rows: usize,
    pub(crate) threads: usize,
    owner: Weak<Execution>,
    /// Rows that may still leave, if the scan has a limit.
    remaining: Option<AtomicUsize>,
}

/// Owns an execution: when the last partition is dropped, its tasks end.
pub(crate) struct Execution {
    run: Arc<Run>,
    place: SpillPlace,
    pool: Mutex<Option<Pool>>,
    outlet: Arc<Outlet>,
}

struct Pool {
    merge: Arc<Merge>,
    _tasks: SpawnedTask<()>,
}

/// What an execution is made of.
pub(crate) struct RunParts {
    pub(crate) context: Arc<ScanContext>,
    pub(crate) columns: Arc<TableColumns>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) pruner: Option<Pruner>,
    pub(crate) pruning: bool,
    pub(crate) filtered: HashSet<String>,
    pub(crate) source: Arc<TaskSource>,
    pub(crate) limit: Option<usize>,
    pub(crate) form: DeleteForm,
    /// Whether keys are shared with other queries.
    pub(crate) delete_cache: bool,
    pub(crate) query_limit: u64,
    pub(crate) threads: usize,
    pub(crate) spill_metrics: datafusion::physical_plan::metrics::SpillMetrics,
}

impl Execution {
    pub(crate) fn new(parts: RunParts, task: &TaskContext) -> Arc<Self> {
        let pool = task.memory_pool();
        let batch_rows = task.session_config().batch_size().max(1);
        let threads = parts.threads.max(1);
        Arc::new_cyclic(|owner| Self {
            run: Arc::new(Run {
                groups: KeyGroups::new(
                    Budget::for_sets(pool, parts.query_limit),
                    parts.form,
                    LoadOptions { threads, batch_rows, cached: parts.delete_cache },
                ),
                positions: PositionDeletes::new(Arc::clone(pool)),
                queue: Arc::new(Queue::new(parts.source)),
                context: parts.context,
                columns: parts.columns,
                layout: parts.layout,
                pruner: parts.pruner,
                pruning: parts.pruning,
                filtered: parts.filtered,
                batch_rows,
                threads,
                owner: owner.clone(),
                remaining: parts.limit.map(AtomicUsize::new),
            }),
            place: SpillPlace {
                runtime: task.runtime_env(),
                metrics: parts.spill_metrics,
                budget: Budget::for_parts(pool, parts.query_limit),
            },
            pool: Mutex::new(None),
            outlet: Outlet::new(threads * 2),
        })
    }

    /// Starts the tasks that take over, if they have not been started, and gives what they share.
    fn pool(&self) -> Result<Arc<Merge>> {
        let mut pool = self.pool.lock();
        if let Some(pool) = &*pool {
            return Ok(Arc::clone(&pool.merge));
        }
        let run = &self.run;
        let merge = Arc::new(Merge::new(
            Arc::clone(&run.context),
            self.place.clone(),
            Arc::clone(&run.layout.schema),
            run.batch_rows,
            run.threads,
        ));
        let sink = self.outlet.sink();
        run.queue.leave_to_pool();
        *pool = Some(Pool {
            merge: Arc::clone(&merge),
            _tasks: SpawnedTask::spawn(work_all(Arc::clone(run), Arc::clone(&merge), sink)),
        });
        Ok(merge)
    }
}

impl Run {
    /// What spilled groups share.
    pub(crate) fn merge(&self) -> Result<Arc<Merge>> {
        self.owner
            .upgrade()
            .ok_or_else(|| EngineError::new(fulmar_error::ErrorCode::Cancelled, "The scan was cancelled"))?
            .pool()
    }

    /// Cuts a batch to the rows that the limit still allows; none when it is reached.
    fn limited(&self, batch: RecordBatch) -> Option<RecordBatch> {
        let Some(remaining) = &self.remaining else {
            return Some(batch);
        };
        let rows = batch.num_rows();
        let before = remaining
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(rows)))
            .unwrap_or(0);
        match before {
            0 => None,
            left if left < rows => Some(batch.slice(0, left)),
            _ => Some(batch),
        }
    }

    fn limit_reached(&self) -> bool {
        self.remaining.as_ref().is_some_and(|remaining| remaining.load(Ordering::Relaxed) == 0)
    }
}

/// What a partition or a worker does next.
enum Next {
    Unit(Unit),
    Pooled,
    End,
}

/// Opens files until there is something to read.
async fn next_unit(run: Arc<Run>, asker: Asker) -> Result<Next> {
    loop {
        match run.queue.next(asker).await? {
            Some(Work::Task(task, opening)) => opening.push(open(&run, task).await?),
            Some(Work::Unit(unit)) => return Ok(Next::Unit(unit)),
            Some(Work::Pooled) => return Ok(Next::Pooled),
            None => return Ok(Next::End),
        }
    }
}

/// The same in a task of its own: others wait for files that are being opened, and must not depend on who polls whom.
async fn next_unit_apart(run: &Arc<Run>) -> Result<Next> {
    SpawnedTask::spawn(next_unit(Arc::clone(run), Asker::Partition))
        .join()
        .await
        .map_err(|error| EngineError::internal(format!("Opening a file failed: {error}")))?
}

/// The batches of one output partition.
pub(crate) struct Partition {
    execution: Arc<Execution>,
    current: Option<BoxStream<'static, Result<RecordBatch>>>,
}

impl Partition {
    pub(crate) fn new(execution: Arc<Execution>) -> Self {
        Self { execution, current: None }
    }

    pub(crate) async fn next(&mut self) -> Result<Option<RecordBatch>> {
        let execution = Arc::clone(&self.execution);
        let run = &execution.run;
        loop {
            tokio::task::coop::consume_budget().await;
            if run.limit_reached() {
                return Ok(None);
            }
            if let Some(current) = &mut self.current {
                match current.next().await {
                    Some(batch) => match run.limited(batch?) {
                        Some(batch) => return Ok(Some(batch)),
                        None => return Ok(None),
                    },
                    None => self.current = None,
                }
                continue;
            }
            match next_unit_apart(run).await? {
                Next::Unit(unit) => self.current = Some(unit_stream(Arc::clone(run), unit)),
                Next::Pooled => {
                    return match execution.outlet.next().await {
                        Some(batch) => Ok(run.limited(batch?)),
                        None => Ok(None),
                    };
                }
                Next::End => return Ok(None),
            }
        }
    }
}

/// Does all work that is left, then settles the spilled groups. A panic becomes an error: the queue must not end as if complete.
async fn work_all(run: Arc<Run>, merge: Arc<Merge>, sink: Sink) {
    let result = AssertUnwindSafe(work_and_settle(run, merge, sink.clone()))
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(EngineError::new(ErrorCode::Panic, "Applying spilled deletes panicked")));
    if let Err(error) = result {
        // A closed channel means that nobody waits for the error.
        sink.send(Err(error)).await.ok();
    }
}

async fn work_and_settle(run: Arc<Run>, merge: Arc<Merge>, sink: Sink) -> Result<()> {
    let mut workers = JoinSet::new();
    for _ in 0..run.threads {
        workers.spawn(work(Arc::clone(&run), sink.clone()));
    }
    while let Some(worker) = workers.join_next().await {
        worker.map_err(|error| EngineError::internal(format!("A worker failed: {error}"))).flatten()?;
    }
    merge.settle(sink).await
}

async fn work(run: Arc<Run>, sink: Sink) -> Result<()> {
    while let Next::Unit(unit) = next_unit(Arc::clone(&run), Asker::Pool).await? {
        let mut batches = unit_stream(Arc::clone(&run), unit);
        while let Some(batch) = batches.next().await {
            if run.limit_reached() || sink.send(Ok(batch?)).await.is_err() {
                return Ok(());
            }
            tokio::task::coop::consume_budget().await;
        }
    }
    Ok(())
}
