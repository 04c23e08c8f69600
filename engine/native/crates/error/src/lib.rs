//! The engine's one error type and how errors of the libraries become it.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::parquet::errors::ParquetError;
pub use fulmar_proto::ErrorCode;
use fulmar_proto::ErrorDetail;

/// Result of the engine's own functions.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// A typed failure: what went wrong, and the file, field or setting to look at.
#[derive(Clone)]
pub struct EngineError {
    code: ErrorCode,
    message: String,
    file: Option<String>,
    field: Option<String>,
    setting: Option<&'static str>,
    node: u32,
    host: Option<Arc<dyn Any + Send + Sync>>,
}

impl EngineError {
    /// An error of the given kind.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file: None, field: None, setting: None, node: 0, host: None }
    }

    /// A fault of the engine's own.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }

    /// A plan that the builder refuses.
    pub fn plan(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::PlanRejected, message)
    }

    /// Names the file at fault by the path string of the metadata.
    pub fn with_file(mut self, identity: impl Into<String>) -> Self {
        self.file.get_or_insert(identity.into());
        self
    }

    /// Names the field at fault.
    pub fn with_field(mut self, field: impl Into<String>) -> Self {
        self.field.get_or_insert(field.into());
        self
    }

    /// Names the setting to raise.
    pub fn with_setting(mut self, setting: &'static str) -> Self {
        self.setting.get_or_insert(setting);
        self
    }

    /// Names the plan's node, for the position in the statement.
    pub fn with_node(mut self, node: u32) -> Self {
        if self.node == 0 {
            self.node = node;
        }
        self
    }

    /// Keeps what a Java callback threw.
    pub fn with_host(mut self, throwable: Arc<dyn Any + Send + Sync>) -> Self {
        self.host = Some(throwable);
        self
    }

    /// The kind of the failure.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The text for people, without file and setting.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What a Java callback threw.
    pub fn host(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.host.as_ref()
    }

    /// The message that crosses to Java.
    pub fn to_detail(&self) -> ErrorDetail {
        ErrorDetail {
            code: self.code.into(),
            message: self.message.clone(),
            file: self.file.clone().unwrap_or_default(),
            field: self.field.clone().unwrap_or_default(),
            setting: self.setting.unwrap_or_default().to_owned(),
            node: self.node,
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(file) = &self.file {
            write!(f, " (file {file})")?;
        }
        if let Some(field) = &self.field {
            write!(f, " (field {field})")?;
        }
        if let Some(setting) = self.setting {
            write!(f, " (setting {setting})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.code)
    }
}

impl Error for EngineError {}

impl From<EngineError> for DataFusionError {
    fn from(error: EngineError) -> Self {
        DataFusionError::External(Box::new(error))
    }
}

impl From<EngineError> for ArrowError {
    fn from(error: EngineError) -> Self {
        ArrowError::ExternalError(Box::new(error))
    }
}

impl From<DataFusionError> for EngineError {
    fn from(error: DataFusionError) -> Self {
        find_own(&error).unwrap_or_else(|| of_datafusion(&error))
    }
}

impl From<ArrowError> for EngineError {
    fn from(error: ArrowError) -> Self {
        find_own(&error).unwrap_or_else(|| of_arrow(&error))
    }
}

impl From<ParquetError> for EngineError {
    fn from(error: ParquetError) -> Self {
        find_own(&error).unwrap_or_else(|| of_parquet(&error))
    }
}

impl From<object_store::Error> for EngineError {
    fn from(error: object_store::Error) -> Self {
        find_own(&error).unwrap_or_else(|| of_store(&error))
    }
}

impl From<std::io::Error> for EngineError {
    fn from(error: std::io::Error) -> Self {
        find_own(&error).unwrap_or_else(|| of_io(&error))
    }
}

fn of_datafusion(error: &DataFusionError) -> EngineError {
    match error {
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => of_datafusion(inner),
        DataFusionError::Shared(inner) => of_datafusion(inner),
        DataFusionError::ArrowError(inner, _) => of_arrow(inner),
        DataFusionError::ParquetError(inner) => of_parquet(inner),
        DataFusionError::ObjectStore(inner) => of_store(inner),
        DataFusionError::IoError(inner) => of_io(inner),
        DataFusionError::External(inner) => {
            of_library(inner.as_ref()).unwrap_or_else(|| EngineError::internal(error.to_string()))
        }
        DataFusionError::ResourcesExhausted(message) => of_resources(message),
        DataFusionError::NotImplemented(message) => EngineError::new(ErrorCode::Unsupported, message),
        other => EngineError::internal(other.to_string()),
    }
}

fn of_resources(message: &str) -> EngineError {
    let (code, setting) = if is_disk(message) {
        (ErrorCode::SpillLimitExceeded, "spill.query-limit")
    } else if message.contains("memory.process-limit") {
        (ErrorCode::MemoryLimitExceeded, "memory.process-limit")
    } else {
        (ErrorCode::MemoryLimitExceeded, "memory.query-limit")
    };
    EngineError::new(code, message).with_setting(setting)
}

fn of_arrow(error: &ArrowError) -> EngineError {
    let code = match error {
        ArrowError::ExternalError(inner) => {
            return of_library(inner.as_ref()).unwrap_or_else(|| EngineError::internal(error.to_string()));
        }
        ArrowError::IoError(_, inner) => return of_io(inner),
        ArrowError::ArithmeticOverflow(_) => ErrorCode::ArithmeticOverflow,
        ArrowError::DivideByZero => ErrorCode::DivisionByZero,
        ArrowError::CastError(_) | ArrowError::ParseError(_) => ErrorCode::InvalidCast,
        ArrowError::ParquetError(_) => ErrorCode::CorruptFile,
        ArrowError::MemoryError(_) => ErrorCode::MemoryLimitExceeded,
        _ => ErrorCode::Internal,
    };
    EngineError::new(code, error.to_string())
}

fn of_parquet(error: &ParquetError) -> EngineError {
    if let ParquetError::External(inner) = error
        && let Some(known) = of_library(inner.as_ref())
    {
        return known;
    }
    EngineError::new(ErrorCode::CorruptFile, error.to_string())
}

fn of_store(error: &object_store::Error) -> EngineError {
    let code = match error {
        object_store::Error::NotFound { .. } => ErrorCode::FileNotFound,
        _ => ErrorCode::StorageFailed,
    };
    EngineError::new(code, error.to_string())
}

fn of_io(error: &std::io::Error) -> EngineError {
    let code = match error.kind() {
        std::io::ErrorKind::NotFound => ErrorCode::FileNotFound,
        std::io::ErrorKind::UnexpectedEof => ErrorCode::CorruptFile,
        _ => ErrorCode::StorageFailed,
    };
    EngineError::new(code, error.to_string())
}

/// An error that one library carried for another.
fn of_library(error: &(dyn Error + 'static)) -> Option<EngineError> {
    let datafusion = error.downcast_ref::<DataFusionError>().map(of_datafusion);
    datafusion
        .or_else(|| error.downcast_ref::<ArrowError>().map(of_arrow))
        .or_else(|| error.downcast_ref::<ParquetError>().map(of_parquet))
        .or_else(|| error.downcast_ref::<object_store::Error>().map(of_store))
        .or_else(|| error.downcast_ref::<std::io::Error>().map(of_io))
}

/// The engine's own error, wherever in the chain of causes it is.
fn find_own(error: &(dyn Error + 'static)) -> Option<EngineError> {
    let mut current = Some(error);
    while let Some(cause) = current {
        if let Some(own) = cause.downcast_ref::<EngineError>() {
            return Some(own.clone());
        }
        if let Some(DataFusionError::Shared(inner)) = cause.downcast_ref::<DataFusionError>() {
            return find_own(inner.as_ref());
        }
        // An I/O error names the cause of what it wraps, not what it wraps.
        if let Some(inner) = cause.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref())
            && let Some(own) = find_own(inner)
        {
            return Some(own);
        }
        current = cause.source();
    }
    None
}

/// DataFusion reports the disk quota by the same variant as memory; its message names the directory limit.
fn is_disk(message: &str) -> bool {
    message.contains("temp_directory") || message.contains("disk")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> DataFusionError {
        DataFusionError::ResourcesExhausted("HashJoinInput asked for more than memory.query-limit".to_owned())
    }

    #[test]
    fn refused_memory_is_seen_through_every_wrapping() {
        let wrapped = [
            memory().context("more"),
            DataFusionError::Shared(Arc::new(memory().context("shared"))),
            DataFusionError::External(Box::new(memory())),
            DataFusionError::from(ArrowError::ExternalError(Box::new(memory()))),
        ];
        for error in wrapped {
            let text = error.to_string();
            let found = EngineError::from(error);
            assert_eq!(found.code(), ErrorCode::MemoryLimitExceeded, "{text}");
            assert_eq!(found.to_detail().setting, "memory.query-limit");
        }
    }

    #[test]
    fn the_engines_own_error_is_found_inside_others() {
        let own =
            || EngineError::new(ErrorCode::SpillLimitExceeded, "full").with_setting("spill.query-limit");
        let io = || std::io::Error::other(own());
        let wrapped = [
            DataFusionError::from(own()).context("more"),
            DataFusionError::IoError(io()),
            DataFusionError::from(ArrowError::IoError("write".to_owned(), io())),
            DataFusionError::Shared(Arc::new(DataFusionError::from(own()))),
        ];
        for error in wrapped {
            let text = error.to_string();
            assert_eq!(EngineError::from(error).code(), ErrorCode::SpillLimitExceeded, "{text}");
        }
    }

    #[test]
    fn the_process_limit_is_told_from_the_query_limit() {
        let message = "Sort asked for 1 MB more than memory.process-limit (1 GB) allows";
        let found = EngineError::from(DataFusionError::ResourcesExhausted(message.to_owned()));
        assert_eq!(found.to_detail().setting, "memory.process-limit");
    }
}
