//! Spill files: a folder for each query, quotas, and the removal of what a dead process left.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use datafusion::common::human_readable_size;
use datafusion::error::Result;
use datafusion::execution::spill_file::{SpillFile, SpillWriter, TempFileFactory};
use fulmar_error::{EngineError, ErrorCode};
use futures::{Stream, StreamExt, TryStreamExt};
use log::{info, warn};
use parking_lot::Mutex;
use tempfile::TempPath;

/// Setting that bounds what one query spills.
pub const QUERY_LIMIT: &str = "spill.query-limit";
/// Setting that bounds what all queries together spill.
pub const PROCESS_LIMIT: &str = "spill.process-limit";

/// Marks a folder as a query's; its lock says that the query's process lives.
const OWNER_FILE: &str = ".fulmar-spill";
const WRITE_BUFFER: usize = 64 << 10;
const READ_CHUNK: usize = 128 << 10;

/// The spill directory of the process.
#[derive(Debug)]
pub struct SpillSpace {
    root: PathBuf,
    limit: u64,
    used: AtomicU64,
    written: AtomicU64,
}

impl SpillSpace {
    /// Opens the directory, makes it when absent, and removes folders whose process is gone.
    pub fn open(root: PathBuf, limit: u64) -> fulmar_error::Result<Self> {
        std::fs::create_dir_all(&root).map_err(|e| unusable(&root, &e))?;
        let space = Self { root, limit, used: AtomicU64::new(0), written: AtomicU64::new(0) };
        space.remove_stale()?;
        Ok(space)
    }

    /// Bytes that all queries ever spilled.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    fn remove_stale(&self) -> fulmar_error::Result<()> {
        let entries = std::fs::read_dir(&self.root).map_err(|e| unusable(&self.root, &e))?;
        for folder in entries.flatten().map(|entry| entry.path()) {
            let Ok(owner) = File::open(folder.join(OWNER_FILE)) else {
                continue; // not ours
            };
            if owner.try_lock().is_err() {
                continue; // another process lives
            }
            match std::fs::remove_dir_all(&folder) {
                Ok(()) => info!("Removed stale spill folder {}", folder.display()),
                Err(e) => warn!("Cannot remove stale spill folder {}: {e}", folder.display()),
            }
        }
        Ok(())
    }
}

fn unusable(path: &Path, error: &io::Error) -> EngineError {
    EngineError::new(
        ErrorCode::StorageFailed,
        format!("Cannot use spill directory {}: {error}", path.display()),
    )
}

/// A query's spill folder: made when the query first spills, gone with [`QuerySpill::remove`] or the last reference.
#[derive(Debug)]
pub struct QuerySpill {
    space: Arc<SpillSpace>,
    name: String,
    limit: u64,
    folder: Mutex<Option<Folder>>,
    removed: AtomicBool,
    used: AtomicU64,
    written: AtomicU64,
    files: AtomicU64,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Held open: its lock marks the folder as in use.
    _owner: File,
}

impl QuerySpill {
    /// A folder that is not made yet.
    pub fn new(space: Arc<SpillSpace>, query_id: &str, limit: u64) -> Self {
        let keep = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
        Self {
            space,
            name: query_id.chars().map(keep).collect(),
            limit,
            folder: Mutex::new(None),
            removed: AtomicBool::new(false),
            used: AtomicU64::new(0),
            written: AtomicU64::new(0),
            files: AtomicU64::new(0),
        }
    }

    /// Bytes ever written.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Files ever made.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Removes the folder with all its files; later files are refused.
    pub fn remove(&self) {
        self.removed.store(true, Ordering::Relaxed);
        let Some(folder) = self.folder.lock().take() else {
            return;
        };
        if let Err(e) = std::fs::remove_dir_all(&folder.path)
            && e.kind() != io::ErrorKind::NotFound
        {
            warn!("Cannot remove spill folder {}: {e}", folder.path.display());
        }
    }

    fn folder(&self) -> Result<PathBuf> {
        let mut folder = self.folder.lock();
        if self.removed.load(Ordering::Relaxed) {
            return Err(EngineError::new(ErrorCode::Cancelled, "The query is closed").into());
        }
        if let Some(folder) = folder.as_ref() {
            return Ok(folder.path.clone());
        }
        let made = self.make_folder().map_err(|e| unusable(&self.space.root, &e))?;
        Ok(folder.insert(made).path.clone())
    }

    fn make_folder(&self) -> io::Result<Folder> {
        let mut path = self.space.root.join(&self.name);
        if self.name.is_empty() || path.exists() {
            let prefix = format!("{}-", self.name);
            path = tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.space.root)?.keep();
        }
        std::fs::create_dir_all(&path)?;
        let owner = File::create(path.join(OWNER_FILE))?;
        owner.lock()?;
        Ok(Folder { path, _owner: owner })
    }

    fn take(&self, bytes: u64) -> io::Result<()> {
        let own = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let all = self.space.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let (limit, setting) = if own > self.limit {
            (self.limit, QUERY_LIMIT)
        } else if all > self.space.limit {
            (self.space.limit, PROCESS_LIMIT)
        } else {
            self.written.fetch_add(bytes, Ordering::Relaxed);
            self.space.written.fetch_add(bytes, Ordering::Relaxed);
            return Ok(());
        };
        self.give_back(bytes);
        let message = format!(
            "Spill files need more than {setting} ({}) allows",
            human_readable_size(usize::try_from(limit).unwrap_or(usize::MAX))
        );
        let error = EngineError::new(ErrorCode::SpillLimitExceeded, message).with_setting(setting);
        Err(io::Error::other(error))
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        self.space.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for QuerySpill {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Makes the spill files of one query for DataFusion.
#[derive(Debug, Clone)]
pub struct SpillFiles(pub Arc<QuerySpill>);

impl TempFileFactory for SpillFiles {
    fn create_temp_file(&self, _description: &str) -> Result<Arc<dyn SpillFile>> {
        let folder = self.0.folder()?;
        let file = tempfile::Builder::new().prefix("run-").suffix(".arrow").tempfile_in(folder)?;
        self.0.files.fetch_add(1, Ordering::Relaxed);
        // The path alone: open descriptors do not grow with the number of runs.
        Ok(Arc::new(QuerySpillFile {
            path: file.into_temp_path(),
            bytes: Arc::new(AtomicU64::new(0)),
            query: Arc::clone(&self.0),
        }))
    }
}

struct QuerySpillFile {
    path: TempPath,
    bytes: Arc<AtomicU64>,
    query: Arc<QuerySpill>,
}

impl Drop for QuerySpillFile {
    fn drop(&mut self) {
        self.query.give_back(self.bytes.load(Ordering::Relaxed));
    }
}

impl SpillFile for QuerySpillFile {
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.load(Ordering::Relaxed))
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>> {
        let path = self.path.to_path_buf();
        let opened = futures::stream::once(async move { tokio::fs::File::open(path).await });
        let chunks = opened.map_ok(|file| tokio_util::io::ReaderStream::with_capacity(file, READ_CHUNK));
        Ok(chunks.try_flatten().map(|chunk| chunk.map_err(Into::into)).boxed())
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        let file = File::options().append(true).open(&self.path)?;
        let counted = CountedFile { file, bytes: Arc::clone(&self.bytes), query: Arc::clone(&self.query) };
        Ok(Box::new(BufferedWriter(BufWriter::with_capacity(WRITE_BUFFER, counted))))
    }
}

struct CountedFile {
    file: File,
    bytes: Arc<AtomicU64>,
    query: Arc<QuerySpill>,
}

impl Write for CountedFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.query.take(buffer.len() as u64)?;
        self.bytes.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.file.write_all(buffer)?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

struct BufferedWriter(BufWriter<CountedFile>);

impl Write for BufferedWriter {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl SpillWriter for BufferedWriter {
    fn finish(&mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

#[cfg(test)]
#[path = "spill_tests.rs"]
mod tests;
