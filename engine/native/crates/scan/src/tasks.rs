//! The tasks of a scan: pulled from the host as they are used, handed out to whoever asks next.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{DeleteFile, DeleteGroup, FileTask};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::context::ScanContext;
use crate::storage::blocking;

/// Tasks that are kept, so that a plan can be executed again.
const KEPT_TASKS: usize = 200_000;

/// What the host has said so far. Executions of the same scan share it.
pub(crate) struct TaskSource {
    context: Arc<ScanContext>,
    tasks: tokio::sync::Mutex<Pulled>,
    delete_files: Mutex<HashMap<u32, Arc<DeleteFile>>>,
    delete_groups: Mutex<HashMap<u32, Arc<DeleteGroup>>>,
}

#[derive(Default)]
struct Pulled {
    kept: VecDeque<Arc<FileTask>>,
    /// Number of the first task that is kept.
    base: usize,
    ended: bool,
    failure: Option<EngineError>,
}

impl TaskSource {
    pub(crate) fn new(context: Arc<ScanContext>) -> Self {
        Self {
            context,
            tasks: tokio::sync::Mutex::default(),
            delete_files: Mutex::default(),
            delete_groups: Mutex::default(),
        }
    }

    /// The task that the cursor stands at, which then moves on.
    async fn take(self: &Arc<Self>, cursor: &AtomicUsize) -> Result<Option<Arc<FileTask>>> {
        loop {
            {
                let pulled = self.tasks.lock().await;
                let at = cursor.load(Ordering::Acquire);
                let index = at.checked_sub(pulled.base).ok_or_else(forgotten)?;
                if let Some(task) = pulled.kept.get(index) {
                    cursor.store(at + 1, Ordering::Release);
                    return Ok(Some(Arc::clone(task)));
                }
                if let Some(failure) = &pulled.failure {
                    return Err(failure.clone());
                }
                if pulled.ended {
                    return Ok(None);
                }
            }
            // Apart from this future: if it is dropped, the tasks must not be lost.
            let source = Arc::clone(self);
            tokio::spawn(async move { source.pull().await })
                .await
                .map_err(|error| EngineError::internal(format!("Tasks were not pulled: {error}")))?;
        }
    }

    async fn pull(&self) {
        let mut pulled = self.tasks.lock().await;
        if pulled.ended || pulled.failure.is_some() {
            return;
        }
        let host = Arc::clone(&self.context.host);
        let scan_id = self.context.scan_id;
        let batch = match blocking(move || host.next_tasks(scan_id)).await {
            Ok(batch) => batch,
            Err(error) => {
                pulled.failure = Some(error);
                return;
            }
        };
        let mut files = self.delete_files.lock();
        files.extend(batch.delete_files.into_iter().map(|file| (file.id, Arc::new(file))));
        drop(files);
        let mut groups = self.delete_groups.lock();
        groups.extend(batch.delete_groups.into_iter().map(|group| (group.id, Arc::new(group))));
        drop(groups);
        while pulled.kept.len() + batch.tasks.len() > KEPT_TASKS && pulled.kept.pop_front().is_some() {
            pulled.base += 1;
        }
        self.context.counters.tasks.add(batch.tasks.len() as u64);
        pulled.kept.extend(batch.tasks.into_iter().map(Arc::new));
        pulled.ended = batch.end;
    }

    /// A delete file that a task or a group names.
    pub(crate) fn delete_file(&self, id: u32) -> Result<Arc<DeleteFile>> {
        self.delete_files.lock().get(&id).cloned().ok_or_else(|| {
            EngineError::new(
                ErrorCode::PlanRejected,
                format!("Delete file {id} was not sent before the task that names it"),
            )
        })
    }

    /// A delete group that a task names.
    pub(crate) fn delete_group(&self, id: u32) -> Result<Arc<DeleteGroup>> {
        self.delete_groups.lock().get(&id).cloned().ok_or_else(|| {
            EngineError::new(
                ErrorCode::PlanRejected,
                format!("Delete group {id} was not sent before the task that names it"),
            )
        })
    }
}

fn forgotten() -> EngineError {
    EngineError::new(
        ErrorCode::Unsupported,
        format!("A scan of more than {KEPT_TASKS} tasks cannot be executed twice in one plan"),
    )
}

/// Work for the partitions of one execution.
pub(crate) struct Queue<U> {
    source: Arc<TaskSource>,
    cursor: AtomicUsize,
    state: Mutex<State<U>>,
    changed: Notify,
}

struct State<U> {
    units: VecDeque<U>,
    opening: usize,
    drained: bool,
    pooled: bool,
}

/// What to do next.
pub(crate) enum Work<U> {
    /// Open a file and push what is to be read of it.
    Task(Arc<FileTask>, Opening<U>),
    /// Read a part of a file.
    Unit(U),
    /// Nothing more for this asker: tasks of their own do the rest.
    Pooled,
}

/// Who asks for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// An output partition, which reads on behalf of its consumer.
    Partition,
    /// A task of its own.
    Pool,
}

/// A file that is being opened. Others wait for its units until this is dropped.
pub(crate) struct Opening<U> {
    queue: Arc<Queue<U>>,
}

impl<U> Opening<U> {
    pub(crate) fn push(&self, units: impl IntoIterator<Item = U>) {
        self.queue.state.lock().units.extend(units);
    }
}

impl<U> Drop for Opening<U> {
    fn drop(&mut self) {
        self.queue.state.lock().opening -= 1;
        self.queue.changed.notify_waiters();
    }
}

impl<U> Queue<U> {
    pub(crate) fn new(source: Arc<TaskSource>) -> Self {
        Self {
            source,
            cursor: AtomicUsize::new(0),
            state: Mutex::new(State { units: VecDeque::new(), opening: 0, drained: false, pooled: false }),
            changed: Notify::new(),
        }
    }

    pub(crate) fn source(&self) -> &Arc<TaskSource> {
        &self.source
    }

    /// From now on partitions get no more work.
    pub(crate) fn leave_to_pool(&self) {
        self.state.lock().pooled = true;
        self.changed.notify_waiters();
    }

    /// The next work, or none when everything has been handed out.
    pub(crate) async fn next(self: &Arc<Self>, asker: Asker) -> Result<Option<Work<U>>> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let drained = {
                let mut state = self.state.lock();
                if state.pooled && asker == Asker::Partition {
                    return Ok(Some(Work::Pooled));
                }
                if let Some(unit) = state.units.pop_front() {
                    return Ok(Some(Work::Unit(unit)));
                }
                if state.drained && state.opening == 0 {
                    return Ok(None);
                }
                state.drained
            };
            if drained {
                changed.await;
                continue;
            }
            // Counted before the task is taken, so that nobody believes the work to be at its end meanwhile.
            self.state.lock().opening += 1;
            let opening = Opening { queue: Arc::clone(self) };
            match self.source.take(&self.cursor).await? {
                Some(task) => return Ok(Some(Work::Task(task, opening))),
                None => self.state.lock().drained = true,
            }
        }
    }
}
