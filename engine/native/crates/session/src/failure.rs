//! Errors that only this crate can name: cancellation, and panics of a query's tasks.

use std::any::Any;
use std::error::Error;

use datafusion::error::DataFusionError;
use fulmar_error::{EngineError, ErrorCode};
use tokio::task::JoinError;

/// The query was cancelled.
pub fn cancelled() -> EngineError {
    EngineError::new(ErrorCode::Cancelled, "The query was cancelled")
}

/// A panic's payload as an error. The process lives; the query is over.
pub fn panicked(payload: &(dyn Any + Send)) -> EngineError {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    EngineError::new(ErrorCode::Panic, format!("The engine panicked: {text}"))
}

/// An error of a running plan.
pub fn of_plan(error: DataFusionError) -> EngineError {
    match find_join_error(&error) {
        Some(join) if join.is_panic() => {
            EngineError::new(ErrorCode::Panic, format!("The engine panicked: {join}"))
        }
        Some(_) => cancelled(),
        None => EngineError::from(error),
    }
}

fn find_join_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a JoinError> {
    let mut current = Some(error);
    while let Some(cause) = current {
        if let Some(join) = cause.downcast_ref::<JoinError>() {
            return Some(join);
        }
        if let Some(DataFusionError::Shared(inner)) = cause.downcast_ref::<DataFusionError>() {
            return find_join_error(inner.as_ref());
        }
        current = cause.source();
    }
    None
}
