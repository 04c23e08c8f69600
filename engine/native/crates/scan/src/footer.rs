//! Parquet footers, kept in memory up to a bound.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use fulmar_error::{EngineError, ErrorCode, Result};
use futures::FutureExt;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use parquet::arrow::async_reader::MetadataFetch;
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

use crate::storage::{StoredFile, parquet_error};

/// Most footers fit in the bytes that are read first.
const FIRST_READ: u64 = 64 * 1024;
const TAIL: usize = 8;

/// Footers by location, the least recently used one forgotten first.
pub(crate) struct FooterCache {
    limit: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    by_key: HashMap<FooterKey, Entry>,
    by_use: BTreeMap<u64, FooterKey>,
    clock: u64,
    bytes: usize,
}

type FooterKey = (String, (u64, u128), u64);

struct Entry {
    footer: Arc<ParquetMetaData>,
    indexed: bool,
    used: u64,
    bytes: usize,
}

impl FooterCache {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, entries: Mutex::new(Entries::default()) }
    }

    /// The footer of a file, with the page index if `indexed` and the file has one. The file must be `stated_bytes` long, unless
    /// that is 0.
    pub(crate) async fn load(
        &self,
        file: &StoredFile,
        location: &str,
        stated_bytes: u64,
        indexed: bool,
    ) -> Result<Arc<ParquetMetaData>> {
        let key = (location.to_owned(), file.version(), stated_bytes);
        let known = self.entries.lock().find(&key);
        let footer = match known {
            Some((footer, complete)) if complete || !indexed => return Ok(footer),
            Some((footer, _)) => footer,
            None => Arc::new(read_footer(file, stated_bytes).await?),
        };
        let footer = if indexed { Arc::new(read_page_index(file, &footer).await?) } else { footer };
        self.entries.lock().insert(key, Arc::clone(&footer), indexed, self.limit);
        Ok(footer)
    }
}

impl Entries {
    fn find(&mut self, key: &FooterKey) -> Option<(Arc<ParquetMetaData>, bool)> {
        self.clock += 1;
        let entry = self.by_key.get_mut(key)?;
        self.by_use.remove(&entry.used);
        entry.used = self.clock;
        self.by_use.insert(self.clock, key.clone());
        Some((Arc::clone(&entry.footer), entry.indexed))
    }

    fn insert(&mut self, key: FooterKey, footer: Arc<ParquetMetaData>, indexed: bool, limit: usize) {
        self.remove(&key);
        let bytes = footer.memory_size() + key.0.len();
        self.clock += 1;
        self.by_use.insert(self.clock, key.clone());
        self.by_key.insert(key, Entry { footer, indexed, used: self.clock, bytes });
        self.bytes += bytes;
        while self.bytes > limit {
            let Some((_, oldest)) = self.by_use.pop_first() else {
                break;
            };
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, key: &FooterKey) {
        if let Some(entry) = self.by_key.remove(key) {
            self.by_use.remove(&entry.used);
            self.bytes -= entry.bytes;
        }
    }
}

async fn read_footer(file: &StoredFile, stated_bytes: u64) -> Result<ParquetMetaData> {
    let (mut tail, length) = file.read_suffix(FIRST_READ).await?;
    if stated_bytes > 0 && length != stated_bytes {
        return Err(corrupt(
            &format!("The file has {length} bytes, the manifest says {stated_bytes}"),
            file.identity(),
        ));
    }
    let metadata_length = footer_length(&tail, file.identity())?;
    let wanted = metadata_length + TAIL;
    if wanted as u64 > length {
        return Err(corrupt("The footer is longer than the file", file.identity()));
    }
    if tail.len() < wanted {
        tail = file.read_suffix(wanted as u64).await?.0;
    }
    let start = tail.len().saturating_sub(wanted);
    let end = tail.len().saturating_sub(TAIL);
    let bytes = tail.get(start..end).ok_or_else(|| corrupt("The footer is cut off", file.identity()))?;
    ParquetMetaDataReader::decode_metadata(bytes).map_err(|error| parquet_error(error, file.identity()))
}

/// The length of the metadata, from the last eight bytes.
fn footer_length(tail: &Bytes, identity: &str) -> Result<usize> {
    let last = tail
        .len()
        .checked_sub(TAIL)
        .and_then(|start| tail.get(start..))
        .ok_or_else(|| corrupt("The file is too short for Parquet", identity))?;
    match last.split_at_checked(4) {
        Some((length, b"PAR1")) => {
            let length: [u8; 4] =
                length.try_into().map_err(|_| corrupt("The footer is cut off", identity))?;
            usize::try_from(u32::from_le_bytes(length))
                .map_err(|_| corrupt("The footer is too long", identity))
        }
        Some((_, b"PARE")) => {
            Err(EngineError::new(ErrorCode::UnsupportedFile, "The file is encrypted").with_file(identity))
        }
        _ => Err(corrupt("The file is no Parquet file, or it is cut off", identity)),
    }
}

fn corrupt(message: &str, identity: &str) -> EngineError {
    EngineError::new(ErrorCode::CorruptFile, message).with_file(identity)
}

async fn read_page_index(file: &StoredFile, footer: &ParquetMetaData) -> Result<ParquetMetaData> {
    let mut reader = ParquetMetaDataReader::new_with_metadata(footer.clone())
        .with_page_index_policy(PageIndexPolicy::Optional);
    reader
        .load_page_index(IndexFetch(file))
        .await
        .and_then(|()| reader.finish())
        .map_err(|error| parquet_error(error, file.identity()))
}

struct IndexFetch<'a>(&'a StoredFile);

impl MetadataFetch for IndexFetch<'_> {
    fn fetch(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        async move { self.0.read_one(range).await.map_err(|error| ParquetError::External(Box::new(error))) }
            .boxed()
    }
}
