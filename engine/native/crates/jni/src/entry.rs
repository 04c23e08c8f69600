//! The native methods of `io.fulmar.engine.JniBridge`. Their Java side says what each does.

use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fulmar_error::{EngineError, Result};
use fulmar_session::{Engine, EngineOptions, Query};
use jni::JNIEnv;
use jni::objects::{JByteArray, JClass, JObject};
use jni::sys::{jboolean, jbyteArray, jint, jlong};
use prost::Message;

use crate::failure::{enter, of_call};
use crate::handles::Handles;
use crate::host::JavaHost;
use crate::{allocator, arrays, logging};

static ENGINES: Handles<Engine> = Handles::new("engine");
static QUERIES: Handles<Query> = Handles::new("query");

/// How long a closing engine waits for each query's tasks.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the engine.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_engineOpen<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    cpu_threads: jint,
    io_threads: jint,
    memory_limit: jlong,
    spill_directory: JByteArray<'local>,
    spill_limit: jlong,
) -> jlong {
    enter(&mut env, &bridge, |env| {
        logging::start(env, &bridge);
        allocator::limit_arenas();
        let directory = bytes(env, &spill_directory)?;
        let options = EngineOptions {
            cpu_threads: positive(cpu_threads.into(), "cpuThreads")?,
            io_threads: positive(io_threads.into(), "ioThreads")?,
            memory_limit: positive(memory_limit, "memoryLimitBytes")?,
            spill_directory: PathBuf::from(std::ffi::OsString::from_vec(directory)),
            spill_limit: u64::try_from(spill_limit).unwrap_or(0),
        };
        Ok(ENGINES.insert(Engine::open(&options)?))
    })
}

/// Cancels open queries, waits for their tasks, and ends the handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_engineClose<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    engine: jlong,
) {
    enter(&mut env, &bridge, |_| {
        ENGINES.remove(engine)?.close(PATIENCE);
        allocator::trim();
        Ok(())
    })
}

/// An encoded `EngineStats`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_engineStats<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    engine: jlong,
) -> jbyteArray {
    array(&mut env, &bridge, || Ok(ENGINES.get(engine)?.stats().encode_to_vec()))
}

/// Plans a query.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryPrepare<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    engine: jlong,
    plan: JByteArray<'local>,
    callbacks: JObject<'local>,
) -> jlong {
    enter(&mut env, &bridge, |env| {
        let engine = ENGINES.get(engine)?;
        let plan = bytes(env, &plan)?;
        let vm = env.get_java_vm().map_err(|e| of_call(env, "JavaVM", &e))?;
        let callbacks = env.new_global_ref(callbacks).map_err(|e| of_call(env, "Callbacks", &e))?;
        let query = engine.prepare(&plan, Arc::new(JavaHost::new(vm, callbacks)))?;
        Ok(QUERIES.insert(Arc::new(query)))
    })
}

/// Exports the result's schema.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_querySchema<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
    schema_address: jlong,
) {
    enter(&mut env, &bridge, |_| arrays::export_schema(&QUERIES.get(query)?.schema(), schema_address))
}

/// The physical plan as UTF-8.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryExplain<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
) -> jbyteArray {
    array(&mut env, &bridge, || Ok(QUERIES.get(query)?.explain().as_bytes().to_vec()))
}

/// Exports the next batch; false at the end.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryNext<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
    array_address: jlong,
) -> jboolean {
    enter(&mut env, &bridge, |_| {
        let query = QUERIES.get(query)?;
        let Some(batch) = query.next()? else {
            return Ok(0);
        };
        arrays::export_batch(batch, array_address)?;
        Ok(1)
    })
}

/// Cancels a query, from any thread.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryCancel<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
) {
    enter(&mut env, &bridge, |_| {
        QUERIES.get(query)?.cancel();
        Ok(())
    })
}

/// An encoded `QueryMetrics`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryMetrics<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
) -> jbyteArray {
    array(&mut env, &bridge, || Ok(QUERIES.get(query)?.metrics().encode_to_vec()))
}

/// Stops a query and ends its handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_fulmar_engine_JniBridge_queryClose<'local>(
    mut env: JNIEnv<'local>,
    bridge: JClass<'local>,
    query: jlong,
) {
    enter(&mut env, &bridge, |_| {
        QUERIES.remove(query)?.close();
        allocator::trim();
        Ok(())
    })
}

/// Runs an entry that gives bytes; null when it throws.
fn array<'local>(
    env: &mut JNIEnv<'local>,
    bridge: &JClass<'local>,
    body: impl FnOnce() -> Result<Vec<u8>>,
) -> jbyteArray {
    let made: Option<JByteArray<'local>> = enter(env, bridge, |env| {
        let bytes = body()?;
        env.byte_array_from_slice(&bytes).map(Some).map_err(|e| of_call(env, "Result", &e))
    });
    made.map_or(std::ptr::null_mut(), |array| array.into_raw())
}

fn bytes(env: &mut JNIEnv<'_>, array: &JByteArray<'_>) -> Result<Vec<u8>> {
    env.convert_byte_array(array).map_err(|e| of_call(env, "Argument", &e))
}

fn positive(value: i64, name: &str) -> Result<usize> {
    usize::try_from(value)
        .ok()
        .filter(|value| *value > 0)
        .ok_or_else(|| EngineError::internal(format!("EngineOptions.{name} must be positive: {value}")))
}
