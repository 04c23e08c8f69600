//! Where the bytes of files are. Paths are taken byte for byte (rule R90): nothing in them is decoded or normalised.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use fulmar_error::{EngineError, ErrorCode, Result};
use futures::FutureExt;
use futures::future::BoxFuture;
use object_store::path::Path as ObjectPath;
use object_store::{
    GetOptions, GetRange, OBJECT_STORE_COALESCE_DEFAULT, ObjectStore, ObjectStoreExt, coalesce_ranges,
};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::arrow::async_reader::AsyncFileReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::stores::Stores;

/// Opens files of the local disk and of object stores.
pub(crate) struct Storage {
    io: Handle,
    stores: Stores,
}

impl Storage {
    pub(crate) fn new(io: Handle) -> Self {
        Self { io, stores: Stores::new() }
    }

    /// Opens a file. `identity` names it in errors.
    pub(crate) async fn open(
        &self,
        location: &str,
        identity: &str,
        properties: &HashMap<String, String>,
        bytes_read: Arc<AtomicU64>,
    ) -> Result<StoredFile> {
        let place = match location.strip_prefix("file:") {
            Some(path) => open_local(path).await,
            None => self.object(location, properties),
        }
        .map_err(|error| error.with_file(identity))?;
        Ok(StoredFile { identity: identity.into(), place, io: self.io.clone(), bytes_read })
    }

    /// What tells each file from another that took its place, as [`StoredFile::version`] says it.
    pub(crate) async fn versions(&self, locations: Vec<String>) -> Result<Vec<(u64, u128)>> {
        blocking(move || {
            let version = |location: &String| match location.strip_prefix("file:") {
                Some(path) => std::fs::metadata(path).map_or((0, 0), |found| (found.len(), modified(&found))),
                None => (0, 0),
            };
            Ok(locations.iter().map(version).collect())
        })
        .await
    }

    fn object(&self, location: &str, properties: &HashMap<String, String>) -> Result<Place> {
        let (store, path) = self.stores.of(location, properties)?;
        Ok(Place::Object(store, path))
    }
}

async fn open_local(path: &str) -> Result<Place> {
    let path = path.to_owned();
    blocking(move || {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(EngineError::new(ErrorCode::CorruptFile, format!("'{path}' is a directory")));
        }
        let modified = modified(&metadata);
        Ok(Place::Local(Arc::new(LocalFile { length: metadata.len(), modified, file })))
    })
    .await
}

fn modified(metadata: &Metadata) -> u128 {
    let time = metadata.modified().ok();
    time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |age| age.as_nanos())
}

/// Runs a call that blocks away from the threads that compute.
pub(crate) async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(call)
        .await
        .map_err(|error| EngineError::internal(format!("A blocking call failed: {error}")))?
}

enum Place {
    Local(Arc<LocalFile>),
    Object(Arc<dyn ObjectStore>, ObjectPath),
}

impl Clone for Place {
    fn clone(&self) -> Self {
        match self {
            Self::Local(file) => Self::Local(Arc::clone(file)),
            Self::Object(store, path) => Self::Object(Arc::clone(store), path.clone()),
        }
    }
}

struct LocalFile {
    file: File,
    length: u64,
    modified: u128,
}

/// An open file.
#[derive(Clone)]
pub(crate) struct StoredFile {
    identity: Arc<str>,
    place: Place,
    io: Handle,
    bytes_read: Arc<AtomicU64>,
}

impl StoredFile {
    /// The path string of the metadata.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// What tells this file from another that took its place; empty where the storage does not say.
    pub(crate) fn version(&self) -> (u64, u128) {
        match &self.place {
            Place::Local(file) => (file.length, file.modified),
            Place::Object(_, _) => (0, 0),
        }
    }

    /// The bytes of each range.
    pub(crate) async fn read(&self, ranges: Vec<Range<u64>>) -> Result<Vec<Bytes>> {
        let total = ranges.iter().map(|range| range.end.saturating_sub(range.start)).sum();
        self.bytes_read.fetch_add(total, Ordering::Relaxed);
        let read = match &self.place {
            Place::Local(file) => {
                let file = Arc::clone(file);
                blocking(move || ranges.iter().map(|range| read_local(&file, range)).collect()).await
            }
            Place::Object(store, path) => {
                let (store, path) = (Arc::clone(store), path.clone());
                self.on_io(async move { Ok(ranges_of(&store, &path, &ranges).await?) }).await
            }
        };
        read.map_err(|error| error.with_file(self.identity()))
    }

    /// The bytes of one range.
    pub(crate) async fn read_one(&self, range: Range<u64>) -> Result<Bytes> {
        let mut read = self.read(Vec::from([range])).await?;
        read.pop().ok_or_else(|| EngineError::internal("A read gave nothing"))
    }

    /// The last bytes, at most `length` of them, and the length of the file.
    pub(crate) async fn read_suffix(&self, length: u64) -> Result<(Bytes, u64)> {
        let read = match &self.place {
            Place::Local(file) => {
                let file = Arc::clone(file);
                blocking(move || {
                    let start = file.length.saturating_sub(length);
                    Ok((read_local(&file, &(start..file.length))?, file.length))
                })
                .await
            }
            Place::Object(store, path) => {
                let (store, path) = (Arc::clone(store), path.clone());
                self.on_io(async move {
                    let options =
                        GetOptions { range: Some(GetRange::Suffix(length)), ..GetOptions::default() };
                    let result = store.get_opts(&path, options).await?;
                    let size = result.meta.size;
                    Ok((result.bytes().await?, size))
                })
                .await
            }
        };
        let (bytes, size) = read.map_err(|error| error.with_file(self.identity()))?;
        self.bytes_read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok((bytes, size))
    }

    async fn on_io<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let mut tasks = JoinSet::new();
        tasks.spawn_on(call, &self.io);
        match tasks.join_next().await {
            Some(Ok(result)) => result,
            Some(Err(error)) => Err(EngineError::internal(format!("A read failed: {error}"))),
            None => Err(EngineError::internal("A read did not start")),
        }
    }
}

/// Ranges that are close together are one request, so that each request counts in the store's limit.
async fn ranges_of(
    store: &Arc<dyn ObjectStore>,
    path: &ObjectPath,
    ranges: &[Range<u64>],
) -> object_store::Result<Vec<Bytes>> {
    coalesce_ranges(ranges, |range| store.get_range(path, range), OBJECT_STORE_COALESCE_DEFAULT).await
}

fn read_local(file: &LocalFile, range: &Range<u64>) -> Result<Bytes> {
    if range.end > file.length || range.start > range.end {
        return Err(EngineError::new(
            ErrorCode::CorruptFile,
            format!(
                "The file has {} bytes, yet its metadata points to bytes {} to {}",
                file.length, range.start, range.end
            ),
        ));
    }
    let length = usize::try_from(range.end - range.start)
        .map_err(|_| EngineError::new(ErrorCode::CorruptFile, "A range is too long"))?;
    let mut buffer = vec![0_u8; length];
    file.file.read_exact_at(&mut buffer, range.start)?;
    Ok(buffer.into())
}

/// A file for the Parquet reader.
pub(crate) struct ParquetSource {
    pub(crate) file: StoredFile,
    pub(crate) metadata: Arc<ParquetMetaData>,
}

impl AsyncFileReader for ParquetSource {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        async move { self.file.read_one(range).await.map_err(external) }.boxed()
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        async move { self.file.read(ranges).await.map_err(external) }.boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        let metadata = Arc::clone(&self.metadata);
        async move { Ok(metadata) }.boxed()
    }
}

fn external(error: EngineError) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// A fault of the Parquet reader, with the file's name and the kind that fits.
pub(crate) fn parquet_error(error: ParquetError, identity: &str) -> EngineError {
    match error {
        ParquetError::NYI(message) => EngineError::new(ErrorCode::UnsupportedFile, message),
        other => EngineError::from(other),
    }
    .with_file(identity)
}
