//! A bounded queue of batches that several consumers empty.
//!
//! No consumer owns anything while it waits: one that stands still, because nobody polls it, keeps no batch and no wake-up from the
//! others.

use std::collections::VecDeque;
use std::sync::Arc;

use datafusion::arrow::record_batch::RecordBatch;
use fulmar_error::{EngineError, Result};
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

/// The queue.
pub(crate) struct Outlet {
    state: Mutex<State>,
    changed: Notify,
    room: Semaphore,
}

#[derive(Default)]
struct State {
    batches: VecDeque<Result<RecordBatch>>,
    senders: usize,
    opened: bool,
}

/// The right to send. When the last one is dropped, the queue ends.
pub(crate) struct Sink(Arc<Outlet>);

impl Outlet {
    pub(crate) fn new(capacity: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), changed: Notify::new(), room: Semaphore::new(capacity) })
    }

    pub(crate) fn sink(self: &Arc<Self>) -> Sink {
        let mut state = self.state.lock();
        state.senders += 1;
        state.opened = true;
        Sink(Arc::clone(self))
    }

    /// The next batch, or none when all senders are gone and the queue is empty.
    pub(crate) async fn next(&self) -> Option<Result<RecordBatch>> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.state.lock();
                if let Some(batch) = state.batches.pop_front() {
                    self.room.add_permits(1);
                    return Some(batch);
                }
                if state.opened && state.senders == 0 {
                    return None;
                }
            }
            changed.await;
        }
    }
}

impl Sink {
    /// Waits for room.
    pub(crate) async fn send(&self, batch: Result<RecordBatch>) -> Result<()> {
        let permit = self.0.room.acquire().await;
        permit.map_err(|_| EngineError::internal("The scan's output is closed"))?.forget();
        self.0.state.lock().batches.push_back(batch);
        self.0.changed.notify_waiters();
        Ok(())
    }
}

impl Clone for Sink {
    fn clone(&self) -> Self {
        self.0.sink()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.0.state.lock().senders -= 1;
        self.0.changed.notify_waiters();
    }
}
