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
        Self {
            code,
            message: message.into(),
            file: None,
            field: None,
            setting: None,
            node: 0,
            host: None,
        }
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
        if let Some(own) = find_own(&error) {
            return own;
        }
        match error {
            DataFusionError::Context(_, inner) => Self::from(*inner),
            DataFusionError::Diagnostic(_, inner) => Self::from(*inner),
            DataFusionError::ArrowError(inner, _) => Self::from(*inner),
            DataFusionError::ParquetError(inner) => Self::from(*inner),
            DataFusionError::ObjectStore(inner) => Self::from(*inner),
            DataFusionError::IoError(inner) => Self::from(inner),
            DataFusionError::ResourcesExhausted(message) if is_disk(&message) => {
                Self::new(ErrorCode::SpillLimitExceeded, message).with_setting("spill.query-limit")
            }
            DataFusionError::ResourcesExhausted(message) => {
                Self::new(ErrorCode::MemoryLimitExceeded, message)
                    .with_setting("memory.query-limit")
            }
            DataFusionError::NotImplemented(message) => Self::new(ErrorCode::Unsupported, message),
            other => Self::internal(other.to_string()),
        }
    }
}

impl From<ArrowError> for EngineError {
    fn from(error: ArrowError) -> Self {
        if let Some(own) = find_own(&error) {
            return own;
        }
        let message = error.to_string();
        let code = match error {
            ArrowError::ArithmeticOverflow(_) => ErrorCode::ArithmeticOverflow,
            ArrowError::DivideByZero => ErrorCode::DivisionByZero,
            ArrowError::CastError(_) | ArrowError::ParseError(_) => ErrorCode::InvalidCast,
            ArrowError::ParquetError(_) => ErrorCode::CorruptFile,
            ArrowError::IoError(_, _) => ErrorCode::StorageFailed,
            ArrowError::MemoryError(_) => ErrorCode::MemoryLimitExceeded,
            _ => ErrorCode::Internal,
        };
        Self::new(code, message)
    }
}

impl From<ParquetError> for EngineError {
    fn from(error: ParquetError) -> Self {
        find_own(&error)
            .unwrap_or_else(|| Self::new(ErrorCode::CorruptFile, error.to_string()))
    }
}

impl From<object_store::Error> for EngineError {
    fn from(error: object_store::Error) -> Self {
        let code = match &error {
            object_store::Error::NotFound { .. } => ErrorCode::FileNotFound,
            _ => ErrorCode::StorageFailed,
        };
        Self::new(code, error.to_string())
    }
}

impl From<std::io::Error> for EngineError {
    fn from(error: std::io::Error) -> Self {
        if let Some(own) = find_own(&error) {
            return own;
        }
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => ErrorCode::FileNotFound,
            std::io::ErrorKind::UnexpectedEof => ErrorCode::CorruptFile,
            _ => ErrorCode::StorageFailed,
        };
        Self::new(code, error.to_string())
    }
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
        current = cause.source();
    }
    None
}

/// DataFusion reports the disk quota by the same variant as memory; its message names the directory limit.
fn is_disk(message: &str) -> bool {
    message.contains("temp_directory") || message.contains("disk")
}
