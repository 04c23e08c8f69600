//! A host for tests: it serves tasks that a test lists, and files that a test holds in memory.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use datafusion::common::config::ConfigOptions;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, GreedyMemoryPool, MemoryPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto as pb;
use fulmar_scan::{Host, HostBatches, IcebergTable, ScanResources};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use roaring::RoaringTreemap;
use tempfile::TempDir;

/// Bound on the keys that outlive their query.
pub const KEPT_BYTES: usize = 1 << 20;

pub struct TestHost {
    batches: Mutex<Vec<pb::TaskBatch>>,
    pub pulls: AtomicUsize,
    files: HashMap<String, Vec<RecordBatch>>,
}

impl TestHost {
    pub fn new(batches: Vec<pb::TaskBatch>) -> Arc<Self> {
        Self::with_files(batches, HashMap::new())
    }

    pub fn with_files(batches: Vec<pb::TaskBatch>, files: HashMap<String, Vec<RecordBatch>>) -> Arc<Self> {
        Arc::new(Self {
            batches: Mutex::new(batches.into_iter().rev().collect()),
            pulls: AtomicUsize::new(0),
            files,
        })
    }
}

impl Host for TestHost {
    fn next_tasks(&self, _scan_id: u32) -> Result<pb::TaskBatch> {
        self.pulls.fetch_add(1, Ordering::SeqCst);
        self.batches.lock().unwrap().pop().ok_or_else(|| EngineError::internal("asked after the end"))
    }

    fn open_batches(&self, request: pb::BatchRequest) -> Result<Box<dyn HostBatches>> {
        let Some(pb::batch_request::Source::File(read)) = request.source else {
            return Err(EngineError::internal("no file"));
        };
        let all = self.files.get(&read.location).ok_or_else(|| {
            EngineError::new(ErrorCode::FileNotFound, "no such file").with_file(&read.identity)
        })?;
        let mut position = 0_i64;
        let mut batches = Vec::new();
        for batch in all {
            let mut fields = Vec::new();
            let mut columns: Vec<ArrayRef> = Vec::new();
            for field in &read.fields {
                let index = (0..batch.num_columns())
                    .find(|i| field_id_of(batch.schema().field(*i)) == Some(field.id))
                    .expect("the test's file has the column");
                fields.push(batch.schema().field(index).clone());
                columns.push(Arc::clone(batch.column(index)));
            }
            if read.row_position {
                let rows = batch.num_rows() as i64;
                fields.push(Field::new("_pos", DataType::Int64, false));
                columns.push(Arc::new(datafusion::arrow::array::Int64Array::from_iter_values(
                    position..position + rows,
                )));
                position += rows;
            }
            batches.push(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap());
        }
        Ok(Box::new(Served(batches.into_iter())))
    }
}

fn field_id_of(field: &Field) -> Option<i32> {
    field.metadata().get("PARQUET:field_id").and_then(|id| id.parse().ok())
}

struct Served(std::vec::IntoIter<RecordBatch>);

impl HostBatches for Served {
    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::empty())
    }

    fn next(&mut self) -> Result<Option<RecordBatch>> {
        Ok(self.0.next())
    }
}

pub fn with_id(name: &str, data_type: DataType, id: i32) -> Field {
    Field::new(name, data_type, true)
        .with_metadata(HashMap::from([("PARQUET:field_id".to_owned(), id.to_string())]))
}

pub struct Files {
    pub dir: TempDir,
    next: AtomicUsize,
}

impl Files {
    pub fn new() -> Self {
        Self { dir: TempDir::new().unwrap(), next: AtomicUsize::new(0) }
    }

    pub fn path(&self, what: &str) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        self.dir.path().join(format!("{what}-{number}"))
    }

    /// Writes a Parquet file; gives its path.
    pub fn parquet(&self, batch: &RecordBatch, row_group_rows: usize) -> PathBuf {
        let path = self.path("data.parquet");
        let properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(row_group_rows))
            .set_data_page_row_count_limit(16)
            .set_write_batch_size(16)
            .set_bloom_filter_enabled(true)
            .build();
        let file = std::fs::File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
        writer.write(batch).unwrap();
        writer.close().unwrap();
        path
    }

    /// Writes a Puffin file with one vector for each bitmap; gives path, offset and length of each.
    pub fn puffin(&self, vectors: &[RoaringTreemap]) -> (PathBuf, Vec<(u64, u64)>) {
        let path = self.path("deletes.puffin");
        let mut bytes = b"PFA1".to_vec();
        let mut places = Vec::new();
        let mut blobs = Vec::new();
        for vector in vectors {
            let mut body = vec![0xD1, 0xD3, 0x39, 0x64];
            vector.serialize_into(&mut body).unwrap();
            let offset = bytes.len() as u64;
            bytes.extend_from_slice(&(body.len() as u32).to_be_bytes());
            bytes.extend_from_slice(&body);
            bytes.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
            let length = bytes.len() as u64 - offset;
            places.push((offset, length));
            blobs.push(format!(
                r#"{{"type":"deletion-vector-v1","fields":[],"snapshot-id":-1,"sequence-number":-1,"offset":{offset},"length":{length}}}"#
            ));
        }
        let json = format!(r#"{{"blobs":[{}]}}"#, blobs.join(","));
        bytes.extend_from_slice(b"PFA1");
        bytes.extend_from_slice(json.as_bytes());
        bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(b"PFA1");
        std::fs::write(&path, &bytes).unwrap();
        (path, places)
    }
}

pub fn location(path: &Path) -> String {
    format!("file:{}", path.display())
}

pub fn identity(path: &Path) -> String {
    format!("s3://bucket/{}", path.file_name().unwrap().to_string_lossy())
}

pub fn field(id: i32, name: &str, primitive: pb::PrimitiveType) -> pb::SchemaField {
    pb::SchemaField {
        id,
        name: name.to_owned(),
        required: false,
        r#type: Some(Box::new(pb::IcebergType {
            kind: Some(pb::iceberg_type::Kind::Primitive(primitive.into())),
        })),
        initial_default: None,
    }
}

pub fn simple(kind: pb::SimpleType) -> pb::DataType {
    pb::DataType { kind: Some(pb::data_type::Kind::Simple(kind.into())) }
}

pub fn column(name: &str, kind: pb::SimpleType, id: i32) -> pb::ScanColumn {
    pb::ScanColumn {
        name: name.to_owned(),
        r#type: Some(simple(kind)),
        source: Some(pb::scan_column::Source::Field(pb::FieldPath { field_id: id })),
    }
}

pub fn metadata_column(name: &str, kind: pb::SimpleType, metadata: pb::MetadataColumn) -> pb::ScanColumn {
    pb::ScanColumn {
        name: name.to_owned(),
        r#type: Some(simple(kind)),
        source: Some(pb::scan_column::Source::Metadata(metadata.into())),
    }
}

pub fn task(path: &Path, rows: u64, sequence: i64) -> pb::FileTask {
    pb::FileTask {
        identity: identity(path),
        location: location(path),
        format: pb::FileFormat::Parquet.into(),
        record_count: rows,
        data_sequence_number: sequence,
        ..pb::FileTask::default()
    }
}

pub fn delete_file(id: u32, path: &Path, rows: u64, sequence: i64) -> pb::DeleteFile {
    pb::DeleteFile {
        id,
        identity: identity(path),
        location: location(path),
        format: pb::FileFormat::Parquet.into(),
        record_count: rows,
        data_sequence_number: sequence,
        ..pb::DeleteFile::default()
    }
}

pub fn settings(form: pb::DeleteForm, pruning: bool) -> pb::QuerySettings {
    pb::QuerySettings { delete_form: form.into(), pruning, ..pb::QuerySettings::default() }
}

pub struct Engine {
    pub context: SessionContext,
    pub pool: Arc<dyn MemoryPool>,
    pub spill: TempDir,
    pub resources: Arc<ScanResources>,
    /// The pool of the keys that outlive their query.
    pub kept: Arc<dyn MemoryPool>,
}

/// A session with its own pool and spill folder.
pub fn engine(memory: usize, threads: usize, batch_rows: usize) -> Engine {
    let pool: Arc<dyn MemoryPool> = Arc::new(FairSpillPool::new(memory));
    let spill = TempDir::new().unwrap();
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::clone(&pool))
        .with_disk_manager_builder(
            DiskManagerBuilder::default()
                .with_mode(DiskManagerMode::Directories(vec![spill.path().to_owned()])),
        )
        .build_arc()
        .unwrap();
    let config =
        SessionConfig::from(ConfigOptions::new()).with_target_partitions(threads).with_batch_size(batch_rows);
    let kept: Arc<dyn MemoryPool> = Arc::new(GreedyMemoryPool::new(KEPT_BYTES));
    Engine {
        context: SessionContext::new_with_config_rt(config, runtime),
        pool,
        spill,
        resources: ScanResources::new(1 << 20, Arc::clone(&kept), tokio::runtime::Handle::current()),
        kept,
    }
}

impl Engine {
    pub fn table(
        &self,
        scan: pb::ScanRel,
        host: Arc<dyn Host>,
        settings: &pb::QuerySettings,
    ) -> Arc<IcebergTable> {
        Arc::new(IcebergTable::try_new(scan, host, settings, Arc::clone(&self.resources)).unwrap())
    }

    /// Files below the spill folder.
    pub fn spill_files(&self) -> usize {
        fn count(path: &Path) -> usize {
            std::fs::read_dir(path)
                .unwrap()
                .map(|entry| {
                    let path = entry.unwrap().path();
                    if path.is_dir() { count(&path) } else { 1 }
                })
                .sum()
        }
        count(self.spill.path())
    }
}

/// The values of a BIGINT column over all batches, sorted.
pub fn longs(batches: &[RecordBatch], column: usize) -> Vec<Option<i64>> {
    let mut values: Vec<Option<i64>> = batches
        .iter()
        .flat_map(|batch| {
            let array = batch.column(column).as_primitive::<Int64Type>().clone();
            (0..array.len()).map(move |row| array.is_valid(row).then(|| array.value(row)))
        })
        .collect();
    values.sort_unstable();
    values
}

pub fn rows(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

/// A small generator of random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
