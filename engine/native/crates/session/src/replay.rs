//! A host whose tasks can be read twice, for a query that is planned again, and whose panics are errors.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use fulmar_error::Result;
use fulmar_proto::{BatchRequest, TaskBatch};
use fulmar_scan::{Host, HostBatches};
use parking_lot::Mutex;
use prost::Message;

use crate::failure::panicked;

/// Recorded tasks take at most so many encoded bytes; beyond, the query cannot be planned again.
const MOST_RECORDED: usize = 32 << 20;

/// Passes calls on, and keeps the tasks it saw until [`ReplayHost::stop_recording`].
pub struct ReplayHost {
    inner: Arc<dyn Host>,
    tape: Mutex<Tape>,
}

#[derive(Default)]
struct Tape {
    scans: HashMap<u32, Scan>,
    bytes: usize,
    stopped: bool,
}

#[derive(Default)]
struct Scan {
    recorded: Vec<TaskBatch>,
    next: usize,
}

impl ReplayHost {
    /// A host that records from the first call.
    pub fn new(inner: Arc<dyn Host>) -> Self {
        Self { inner, tape: Mutex::new(Tape::default()) }
    }

    /// Starts every scan from its first tasks again. False if they are no longer known.
    pub fn rewind(&self) -> bool {
        let mut tape = self.tape.lock();
        tape.scans.values_mut().for_each(|scan| scan.next = 0);
        !tape.stopped
    }

    /// Forgets the tasks: the query will not be planned again.
    pub fn stop_recording(&self) {
        let mut tape = self.tape.lock();
        tape.stopped = true;
        for scan in tape.scans.values_mut() {
            let played = scan.next.min(scan.recorded.len());
            scan.recorded.drain(..played);
            scan.next = 0;
        }
    }

    fn recorded(&self, scan_id: u32) -> Option<TaskBatch> {
        let mut tape = self.tape.lock();
        let stopped = tape.stopped;
        let scan = tape.scans.get_mut(&scan_id)?;
        if stopped && !scan.recorded.is_empty() {
            return Some(scan.recorded.remove(0));
        }
        let batch = scan.recorded.get(scan.next)?.clone();
        scan.next += 1;
        Some(batch)
    }
}

impl Host for ReplayHost {
    fn next_tasks(&self, scan_id: u32) -> Result<TaskBatch> {
        if let Some(batch) = self.recorded(scan_id) {
            return Ok(batch);
        }
        let batch = contained(|| self.inner.next_tasks(scan_id))?;
        let mut tape = self.tape.lock();
        if !tape.stopped {
            tape.bytes += batch.encoded_len();
            let scan = tape.scans.entry(scan_id).or_default();
            scan.recorded.push(batch.clone());
            scan.next = scan.recorded.len();
            if tape.bytes > MOST_RECORDED {
                drop(tape);
                self.stop_recording();
            }
        }
        Ok(batch)
    }

    fn open_batches(&self, request: BatchRequest) -> Result<Box<dyn HostBatches>> {
        let inner = contained(|| self.inner.open_batches(request))?;
        Ok(Box::new(ContainedBatches(inner)))
    }
}

/// Batches whose panics are errors: a thread that dies must not look like a table that ends.
struct ContainedBatches(Box<dyn HostBatches>);

impl HostBatches for ContainedBatches {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn next(&mut self) -> Result<Option<RecordBatch>> {
        contained(|| self.0.next())
    }
}

fn contained<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(panicked(payload.as_ref())))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use fulmar_error::EngineError;
    use fulmar_proto::FileTask;

    use super::*;

    #[derive(Default)]
    struct Numbered(AtomicU64);

    impl Host for Numbered {
        fn next_tasks(&self, _scan_id: u32) -> Result<TaskBatch> {
            let record_count = self.0.fetch_add(1, Ordering::Relaxed);
            let task = FileTask { record_count, ..Default::default() };
            Ok(TaskBatch { tasks: vec![task], ..Default::default() })
        }

        fn open_batches(&self, _request: BatchRequest) -> Result<Box<dyn HostBatches>> {
            Err(EngineError::internal("none"))
        }
    }

    fn next(host: &ReplayHost) -> u64 {
        host.next_tasks(1).unwrap().tasks[0].record_count
    }

    #[test]
    fn rewound_scans_give_the_same_tasks_and_go_on() {
        let host = ReplayHost::new(Arc::new(Numbered::default()));
        assert_eq!((next(&host), next(&host)), (0, 1));
        assert!(host.rewind());
        assert_eq!((next(&host), next(&host), next(&host)), (0, 1, 2));
    }

    #[test]
    fn what_was_not_replayed_yet_survives_the_end_of_recording() {
        let host = ReplayHost::new(Arc::new(Numbered::default()));
        assert_eq!((next(&host), next(&host), next(&host)), (0, 1, 2));
        assert!(host.rewind());
        assert_eq!(next(&host), 0);
        host.stop_recording();
        assert_eq!((next(&host), next(&host), next(&host)), (1, 2, 3));
        assert!(!host.rewind());
    }
}
