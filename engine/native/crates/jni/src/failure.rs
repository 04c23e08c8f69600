//! Errors and panics become Java exceptions here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fulmar_error::{EngineError, ErrorCode, Result};
use jni::JNIEnv;
use jni::objects::{GlobalRef, JClass, JObject, JThrowable, JValue};
use prost::Message;

/// What a Java callback threw, kept until its exception is made.
pub struct HostThrowable(pub GlobalRef);

/// Runs an entry point: an error or a panic is thrown as `EngineException`, and `T::default()` returned.
pub fn enter<'local, T: Default>(
    env: &mut JNIEnv<'local>,
    bridge: &JClass<'local>,
    body: impl FnOnce(&mut JNIEnv<'local>) -> Result<T>,
) -> T {
    let result = catch_unwind(AssertUnwindSafe(|| body(env)));
    let error = match result {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => error,
        Err(payload) => fulmar_session::panicked(payload.as_ref()),
    };
    if throw(env, bridge, &error).is_err() && !env.exception_check().unwrap_or(true) {
        // Without memory for the typed exception: at least fail.
        let _ = env.throw_new("java/lang/IllegalStateException", error.to_string());
    }
    T::default()
}

fn throw<'local>(
    env: &mut JNIEnv<'local>,
    bridge: &JClass<'local>,
    error: &EngineError,
) -> jni::errors::Result<()> {
    let detail = env.byte_array_from_slice(&error.to_detail().encode_to_vec())?;
    let host = error.host().and_then(|host| host.downcast_ref::<HostThrowable>());
    let null = JObject::null();
    let cause = host.map_or(&null, |host| host.0.as_obj());
    let exception = env.call_static_method(
        bridge,
        "failure",
        "([BLjava/lang/Throwable;)Ljava/lang/RuntimeException;",
        &[JValue::Object(&detail), JValue::Object(cause)],
    )?;
    let exception = JThrowable::from(exception.l()?);
    env.throw(exception)
}

/// A failed JNI call. A Java exception is taken off the thread and kept as the cause.
pub fn of_call(env: &mut JNIEnv<'_>, what: &str, error: &jni::errors::Error) -> EngineError {
    let thrown = env.exception_occurred().ok().filter(|thrown| !thrown.is_null());
    let _ = env.exception_clear();
    let Some(thrown) = thrown else {
        return EngineError::internal(format!("{what}: {error}"));
    };
    let text = describe(env, &thrown).unwrap_or_else(|_| {
        let _ = env.exception_clear();
        "an exception that cannot be described".to_owned()
    });
    let failed = EngineError::new(ErrorCode::HostFailed, format!("{what}: {text}"));
    match env.new_global_ref(&thrown) {
        Ok(kept) => failed.with_host(std::sync::Arc::new(HostThrowable(kept))),
        Err(_) => failed,
    }
}

fn describe(env: &mut JNIEnv<'_>, thrown: &JThrowable<'_>) -> jni::errors::Result<String> {
    let text = env.call_method(thrown, "toString", "()Ljava/lang/String;", &[])?.l()?;
    let text = jni::objects::JString::from(text);
    Ok(env.get_string(&text)?.into())
}
