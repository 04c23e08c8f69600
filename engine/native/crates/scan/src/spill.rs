//! Batches split by the hash of their keys, kept in memory as long as there is some, else in files of the query's spill folder.

use std::io::BufWriter;
use std::sync::Arc;

use arrow::ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow::ipc::{CompressionType, MetadataVersion};
use datafusion::arrow::array::UInt32Array;
use datafusion::arrow::compute::{concat_batches, take_record_batch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::spill_file::{SpillFile, SpillWriter};
use datafusion::physical_plan::SpillManager;
use datafusion::physical_plan::metrics::SpillMetrics;
use fulmar_error::{EngineError, ErrorCode, Result};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use parking_lot::Mutex;

use crate::memory::{Budget, Reservation};

const CONSUMER: &str = "IcebergScan[spill buffers]";
/// Bits of the hash that split the first time, and each time after that.
const FIRST_BITS: u32 = 4;
const NEXT_BITS: u32 = 3;
/// Buffers of one part, at least and at most.
const LEAST_BUFFER: usize = 16 * 1024;
const MOST_BUFFER: usize = 1024 * 1024;
/// A part's buffer is at most one of so many parts of the share for keys.
const BUFFER_SHARE: usize = 128;

/// Decimals and 128-bit values must lie at multiples of 16, or they are copied when read.
const ALIGNMENT: usize = 16;

/// How deep a part was split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Depth(u32);

impl Depth {
    pub(crate) const FIRST: Self = Self(0);
    const DEEPEST: Self = Self(6);

    pub(crate) fn next(self) -> Option<Self> {
        (self != Self::DEEPEST).then_some(Self(self.0 + 1))
    }

    pub(crate) fn parts(self) -> usize {
        1 << if self.0 == 0 { FIRST_BITS } else { NEXT_BITS }
    }

    /// The part of a hash. The lowest bits choose, because the highest choose places in tables.
    fn part(self, hash: u64) -> usize {
        let shift = match self.0 {
            0 => 0,
            depth => FIRST_BITS + (depth - 1) * NEXT_BITS,
        };
        (hash >> shift) as usize & (self.parts() - 1)
    }
}

/// Where spilled batches go.
#[derive(Clone)]
pub(crate) struct SpillPlace {
    pub(crate) runtime: Arc<RuntimeEnv>,
    pub(crate) metrics: SpillMetrics,
    pub(crate) budget: Budget,
}

/// A spill file that is being written.
struct SpillOutput {
    file: Arc<dyn SpillFile>,
    writer: StreamWriter<BufWriter<Box<dyn SpillWriter>>>,
}

impl SpillOutput {
    fn create(schema: &SchemaRef, place: &SpillPlace) -> Result<Self> {
        let file = place.runtime.disk_manager.create_tmp_file("IcebergScan")?;
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5)?
            .try_with_compression(Some(CompressionType::LZ4_FRAME))?;
        let output = BufWriter::new(file.open_writer()?);
        place.metrics.spill_file_count.add(1);
        Ok(Self {
            writer: StreamWriter::try_new_with_options(output, schema, options)
                .map_err(|error| spill_error(error, &file))?,
            file,
        })
    }

    fn write(&mut self, batch: &RecordBatch, place: &SpillPlace) -> Result<()> {
        place.metrics.spilled_rows.add(batch.num_rows());
        self.writer.write(batch).map_err(|error| spill_error(error, &self.file))
    }

    fn finish(mut self, place: &SpillPlace) -> Result<Arc<dyn SpillFile>> {
        let finished = self
            .writer
            .finish()
            .and_then(|()| self.writer.into_inner())
            .and_then(|output| output.into_inner().map_err(|error| ArrowError::from(error.into_error())));
        finished.map_err(|error| spill_error(error, &self.file))?.finish()?;
        let bytes = self.file.size().unwrap_or(0);
        place.metrics.spilled_bytes.add(usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(self.file)
    }
}

/// The disk manager reports its quota as an I/O error whose text speaks of disk space.
fn spill_error(error: ArrowError, file: &Arc<dyn SpillFile>) -> EngineError {
    let message = error.to_string();
    if message.contains("disk space") {
        return EngineError::new(ErrorCode::SpillLimitExceeded, message).with_setting("spill.query-limit");
    }
    let path = file.path().map(|path| path.display().to_string());
    EngineError::new(
        ErrorCode::StorageFailed,
        format!("Spilling to {} failed: {message}", path.unwrap_or_default()),
    )
}

/// Batches of one schema, split into parts.
pub(crate) struct Parts {
    place: SpillPlace,
    schema: SchemaRef,
    depth: Depth,
    buffer: usize,
    memory: Reservation,
    parts: Vec<Mutex<Part>>,
}

#[derive(Default)]
struct Part {
    buffered: Vec<RecordBatch>,
    bytes: usize,
    rows: u64,
    file: Option<SpillOutput>,
}

impl Parts {
    pub(crate) fn new(schema: SchemaRef, depth: Depth, place: &SpillPlace) -> Self {
        Self {
            place: place.clone(),
            schema,
            depth,
            buffer: (place.budget.limit() / BUFFER_SHARE).clamp(LEAST_BUFFER, MOST_BUFFER),
            memory: Reservation::of_pool(place.budget.pool(), CONSUMER),
            parts: (0..depth.parts()).map(|_| Mutex::default()).collect(),
        }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Adds the given rows of a batch, each to the part of its hash.
    pub(crate) fn add(&self, batch: &RecordBatch, rows: impl Iterator<Item = (u32, u64)>) -> Result<()> {
        let mut by_part: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        for (row, hash) in rows {
            if let Some(rows) = by_part.get_mut(self.depth.part(hash)) {
                rows.push(row);
            }
        }
        for (part, rows) in self.parts.iter().zip(by_part) {
            if rows.is_empty() {
                continue;
            }
            let taken = take_record_batch(batch, &UInt32Array::from(rows))?;
            self.append(&mut part.lock(), taken)?;
        }
        Ok(())
    }

    fn append(&self, part: &mut Part, batch: RecordBatch) -> Result<()> {
        let bytes = batch.get_array_memory_size();
        part.rows += batch.num_rows() as u64;
        part.buffered.push(batch);
        // A batch that cannot be reserved for is written at once.
        let kept = self.memory.try_grow(bytes).is_ok();
        if kept {
            part.bytes += bytes;
        }
        if !kept || part.bytes >= self.buffer {
            self.write(part)?;
        }
        Ok(())
    }

    fn write(&self, part: &mut Part) -> Result<()> {
        let batch = concat_batches(&self.schema, &part.buffered)?;
        part.buffered.clear();
        let file = match &mut part.file {
            Some(file) => file,
            None => part.file.insert(SpillOutput::create(&self.schema, &self.place)?),
        };
        file.write(&batch, &self.place)?;
        self.memory.shrink(part.bytes);
        part.bytes = 0;
        Ok(())
    }

    /// The parts, complete. Nothing may be added any more.
    pub(crate) fn finish(&self) -> Result<Vec<FinishedPart>> {
        self.parts
            .iter()
            .map(|part| {
                let mut part = std::mem::take(&mut *part.lock());
                let memory = Reservation::of_pool(self.memory.pool(), CONSUMER);
                self.memory.shrink(part.bytes);
                let buffered = if memory.try_grow(part.bytes).is_ok() {
                    part.buffered
                } else {
                    self.write(&mut part)?;
                    Vec::new()
                };
                let file = match part.file.take() {
                    Some(file) => Some(file.finish(&self.place)?),
                    None => None,
                };
                Ok(FinishedPart {
                    place: self.place.clone(),
                    schema: Arc::clone(&self.schema),
                    file,
                    buffered,
                    rows: part.rows,
                    _memory: memory,
                })
            })
            .collect()
    }
}

/// One part, to be read.
pub(crate) struct FinishedPart {
    place: SpillPlace,
    schema: SchemaRef,
    file: Option<Arc<dyn SpillFile>>,
    buffered: Vec<RecordBatch>,
    rows: u64,
    _memory: Reservation,
}

impl FinishedPart {
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// The batches of the part. They can be read several times.
    pub(crate) fn read(&self) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let buffered = stream::iter(self.buffered.clone().into_iter().map(Ok));
        Ok(match &self.file {
            Some(file) => {
                let manager = SpillManager::new(
                    Arc::clone(&self.place.runtime),
                    self.place.metrics.clone(),
                    Arc::clone(&self.schema),
                );
                let written = manager.read_spill_as_stream_unbuffered(Arc::clone(file), None)?;
                written.map_err(EngineError::from).chain(buffered).boxed()
            }
            None => buffered.boxed(),
        })
    }
}
