//! Calls into Java: tasks and batches of a query's scans.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use fulmar_error::{EngineError, Result};
use fulmar_proto::{BatchRequest, TaskBatch};
use fulmar_scan::{Host, HostBatches};
use jni::objects::{GlobalRef, JByteArray, JValue};
use jni::{JNIEnv, JavaVM};
use log::warn;
use prost::Message;

use crate::arrays::{address_of, import_batch};
use crate::failure::of_call;

/// Local references that one callback makes.
const FRAME: i32 = 16;

/// A query's `HostCallbacks`.
#[derive(Clone)]
pub struct JavaHost {
    vm: Arc<JavaVM>,
    callbacks: GlobalRef,
}

impl JavaHost {
    /// Keeps the callbacks until the last clone is dropped.
    pub fn new(vm: JavaVM, callbacks: GlobalRef) -> Self {
        Self { vm: Arc::new(vm), callbacks }
    }

    /// Runs a call on this thread, which stays attached as a daemon; its local references end with the call.
    fn call<T>(&self, what: &str, body: impl FnOnce(&mut JNIEnv<'_>) -> Call<T>) -> Result<T> {
        let mut env = self
            .vm
            .attach_current_thread_as_daemon()
            .map_err(|e| EngineError::internal(format!("{what}: cannot attach the thread: {e}")))?;
        let mut failed = None;
        let done = env.with_local_frame(FRAME, |env| {
            body(env).map(Some).or_else(|error| {
                failed = Some(of_call(env, what, &error));
                Ok::<_, jni::errors::Error>(None)
            })
        });
        match (done, failed) {
            (_, Some(error)) => Err(error),
            (Ok(Some(value)), None) => Ok(value),
            (Ok(None), None) => Err(EngineError::internal(format!("{what}: no result"))),
            (Err(error), None) => Err(EngineError::internal(format!("{what}: {error}"))),
        }
    }
}

type Call<T> = jni::errors::Result<T>;

impl Host for JavaHost {
    fn next_tasks(&self, scan_id: u32) -> Result<TaskBatch> {
        let what = "Scan planning";
        let bytes = self.call(what, |env| {
            let id = JValue::Int(scan_id as i32);
            let tasks = env.call_method(&self.callbacks, "nextTasks", "(I)[B", &[id])?.l()?;
            env.convert_byte_array(JByteArray::from(tasks))
        })?;
        TaskBatch::decode(bytes.as_slice())
            .map_err(|e| EngineError::plan(format!("The tasks of scan {scan_id} are broken: {e}")))
    }

    fn open_batches(&self, request: BatchRequest) -> Result<Box<dyn HostBatches>> {
        let request = request.encode_to_vec();
        let mut exported = Box::new(FFI_ArrowSchema::empty());
        let address = address_of(exported.as_mut());
        let reader = self.call("Opening a reader", |env| {
            let request = env.byte_array_from_slice(&request)?;
            let arguments = [JValue::Object(&request), JValue::Long(address)];
            env.call_method(&self.callbacks, "openBatches", "([BJ)J", &arguments)?.j()
        })?;
        let mut batches = JavaBatches { host: self.clone(), reader, schema: Arc::new(Schema::empty()) };
        batches.schema = Arc::new(Schema::try_from(exported.as_ref())?);
        Ok(Box::new(batches))
    }
}

/// A reader of Java's; closed when dropped.
struct JavaBatches {
    host: JavaHost,
    reader: i64,
    schema: SchemaRef,
}

impl HostBatches for JavaBatches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn next(&mut self) -> Result<Option<RecordBatch>> {
        let mut exported = Box::new(FFI_ArrowArray::empty());
        let address = address_of(exported.as_mut());
        let more = self.host.call("Reading a batch", |env| {
            let arguments = [JValue::Long(self.reader), JValue::Long(address)];
            env.call_method(&self.host.callbacks, "nextBatch", "(JJ)Z", &arguments)?.z()
        })?;
        if !more {
            return Ok(None);
        }
        if exported.is_released() {
            return Err(EngineError::internal("The host gave a batch without exporting it"));
        }
        import_batch(*exported, &self.schema).map(Some)
    }
}

impl Drop for JavaBatches {
    fn drop(&mut self) {
        let closed = self.host.call("Closing a reader", |env| {
            let reader = JValue::Long(self.reader);
            env.call_method(&self.host.callbacks, "closeBatches", "(J)V", &[reader])?.v()
        });
        if let Err(error) = closed {
            warn!("{error}");
        }
    }
}
