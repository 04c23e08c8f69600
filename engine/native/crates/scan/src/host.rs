//! What the scan asks of the process that plans it: tasks, and batches of files and tables that are read there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{BatchRequest, TaskBatch};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The planning side of a query. Calls block; the scan makes them off the runtime that computes.
pub trait Host: Send + Sync {
    /// The next tasks of a scan, in order, until a batch says `end`. The scan never calls again after that: it keeps the tasks
    /// itself when a plan is executed a second time. Calls for one scan do not overlap.
    fn next_tasks(&self, scan_id: u32) -> Result<TaskBatch>;

    /// Opens a file or a table that the host reads.
    fn open_batches(&self, request: BatchRequest) -> Result<Box<dyn HostBatches>>;
}

/// A stream of batches that the host makes. Dropping it closes the stream.
pub trait HostBatches: Send {
    /// The schema of every batch.
    fn schema(&self) -> SchemaRef;

    /// The next batch, or none at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>>;
}

/// Batches that wait between the host and the scan.
const AHEAD: usize = 2;

/// Opens a stream of the host. It is read on a thread of its own, a little ahead; dropping the stream ends that.
pub(crate) fn host_stream(
    host: Arc<dyn Host>,
    request: BatchRequest,
) -> BoxStream<'static, Result<RecordBatch>> {
    let (sender, mut receiver) = mpsc::channel(AHEAD);
    let reading = tokio::task::spawn_blocking(move || {
        // A panic must not close the channel as if the rows were complete.
        let sent = catch_unwind(AssertUnwindSafe(|| read_all(host.as_ref(), request, &sender)))
            .unwrap_or_else(|_| Err(EngineError::new(ErrorCode::Panic, "Reading rows of the host panicked")));
        if let Err(error) = sent {
            // A closed channel means that nobody waits for the error.
            sender.blocking_send(Err(error)).ok();
        }
    });
    let reading = AbortOnDrop(reading);
    stream::poll_fn(move |context| {
        let _keep = &reading;
        receiver.poll_recv(context)
    })
    .boxed()
}

struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn read_all(
    host: &dyn Host,
    request: BatchRequest,
    sender: &mpsc::Sender<Result<RecordBatch>>,
) -> Result<()> {
    let mut batches = host.open_batches(request)?;
    while let Some(batch) = batches.next()? {
        if sender.blocking_send(Ok(batch)).is_err() {
            break;
        }
    }
    Ok(())
}
