//! What every part of one scan shares.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::execution::memory_pool::MemoryPool;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::batch_request::Source;
use fulmar_proto::{BatchRequest, Constant, DeleteFile, FileFormat, FileRead, FileTask, SchemaField};
use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::runtime::Handle;

use crate::columns::MappedField;
use crate::field::TableSchema;
use crate::footer::FooterCache;
use crate::host::{Host, host_stream};
use crate::key_cache::KeyCache;
use crate::metrics::Counters;
use crate::parquet_file::{ParquetFile, ReaderOptions};
use crate::puffin::PuffinFooters;
use crate::storage::Storage;

/// What scans of one process share: footers, the keys of delete files, object stores, the runtime for I/O.
pub struct ScanResources {
    pub(crate) storage: Storage,
    pub(crate) footers: FooterCache,
    pub(crate) keys: KeyCache,
}

impl ScanResources {
    /// `footer_cache_bytes` bounds the footers that are kept, the pool `keys` the keys of delete files; requests to object stores
    /// run on `io`.
    pub fn new(footer_cache_bytes: usize, keys: Arc<dyn MemoryPool>, io: Handle) -> Arc<Self> {
        Arc::new(Self {
            storage: Storage::new(io),
            footers: FooterCache::new(footer_cache_bytes),
            keys: KeyCache::new(keys),
        })
    }

    /// Frees kept keys that no query uses until so many bytes are free, or none is left.
    pub fn give_back(&self, bytes: usize) {
        self.keys.give_back(bytes);
    }
}

impl std::fmt::Debug for ScanResources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScanResources").finish_non_exhaustive()
    }
}

/// One scan of a plan.
pub(crate) struct ScanContext {
    pub(crate) scan_id: u32,
    pub(crate) table: String,
    pub(crate) schema: TableSchema,
    pub(crate) name_mapping: String,
    pub(crate) mapping: Option<Vec<MappedField>>,
    pub(crate) properties: HashMap<String, String>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) resources: Arc<ScanResources>,
    pub(crate) counters: Counters,
    pub(crate) puffins: PuffinFooters,
}

impl ScanContext {
    /// Opens a Parquet file, which must have the length that the manifest states where it states one.
    pub(crate) async fn open_parquet(
        &self,
        location: &str,
        identity: &str,
        stated_bytes: u64,
        indexed: bool,
        options: ReaderOptions,
    ) -> Result<ParquetFile> {
        let file = self
            .resources
            .storage
            .open(location, identity, &self.properties, Arc::clone(&self.counters.bytes_read))
            .await?;
        let footer = self.resources.footers.load(&file, location, stated_bytes, indexed).await?;
        ParquetFile::new(file, footer, self.mapping.as_deref(), options)
    }

    /// A stream of the columns of a file that the host decodes; with the row's position behind them for data files.
    pub(crate) fn host_file(
        &self,
        file: HostFile<'_>,
        fields: Vec<SchemaField>,
        batch_rows: usize,
    ) -> BoxStream<'static, Result<RecordBatch>> {
        let request = BatchRequest {
            batch_rows: u32::try_from(batch_rows).unwrap_or(u32::MAX),
            source: Some(Source::File(FileRead {
                scan_id: self.scan_id,
                identity: file.identity.to_owned(),
                location: file.location.to_owned(),
                format: file.format.into(),
                file_bytes: file.file_bytes,
                fields,
                name_mapping: self.name_mapping.clone(),
                constants: file.constants.to_vec(),
                row_position: file.row_position,
                storage: self.properties.clone(),
            })),
        };
        let identity = file.identity.to_owned();
        host_stream(Arc::clone(&self.host), request)
            .map(move |batch| batch.map_err(|error| error.with_file(&identity)))
            .boxed()
    }
}

/// A file that the host decodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostFile<'a> {
    identity: &'a str,
    location: &'a str,
    format: FileFormat,
    file_bytes: u64,
    constants: &'a [Constant],
    row_position: bool,
}

impl<'a> HostFile<'a> {
    pub(crate) fn data(task: &'a FileTask, format: FileFormat) -> Self {
        Self {
            identity: &task.identity,
            location: &task.location,
            format,
            file_bytes: task.file_bytes,
            constants: &task.constants,
            row_position: true,
        }
    }

    pub(crate) fn deletes(delete: &'a DeleteFile, format: FileFormat) -> Self {
        Self {
            identity: &delete.identity,
            location: &delete.location,
            format,
            file_bytes: delete.file_bytes,
            constants: &[],
            row_position: false,
        }
    }
}

/// The format number of a message.
pub(crate) fn file_format(number: i32, identity: &str) -> Result<FileFormat> {
    match FileFormat::try_from(number) {
        Ok(format) if format != FileFormat::Unspecified => Ok(format),
        _ => Err(EngineError::new(ErrorCode::UnsupportedFile, format!("Unknown file format {number}"))
            .with_file(identity)),
    }
}

/// Columns of a batch, checked against the types that were asked for.
pub(crate) fn checked_columns(
    batch: &RecordBatch,
    expected: &[DataType],
    identity: &str,
) -> Result<Vec<ArrayRef>> {
    if batch.num_columns() != expected.len() {
        return Err(EngineError::new(
            ErrorCode::HostFailed,
            format!("The host gave {} columns instead of {}", batch.num_columns(), expected.len()),
        )
        .with_file(identity));
    }
    batch
        .columns()
        .iter()
        .zip(expected)
        .map(|(column, expected)| same_type(column, expected, identity))
        .collect()
}

fn same_type(column: &ArrayRef, expected: &DataType, identity: &str) -> Result<ArrayRef> {
    if column.data_type() == expected {
        return Ok(Arc::clone(column));
    }
    if column.data_type().equals_datatype(expected) {
        return Ok(cast(column, expected)?);
    }
    Err(EngineError::new(
        ErrorCode::HostFailed,
        format!("The host gave a column of type {} instead of {expected}", column.data_type()),
    )
    .with_file(identity))
}
