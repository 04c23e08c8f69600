//! Position deletes and deletion vectors: one bitmap for each data file, loaded when the file is opened.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanBufferBuilder, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type, Int64Type};
use datafusion::execution::memory_pool::MemoryPool;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{DeleteFile, FileFormat, FileTask, IcebergType, PrimitiveType, SchemaField, iceberg_type};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use parking_lot::Mutex;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowSelection;
use roaring::RoaringTreemap;
use tokio::sync::OnceCell;

use crate::context::{HostFile, ScanContext, checked_columns, file_format};
use crate::delete_file::check_count;
use crate::memory::{Refused, Reservation};
use crate::parquet_file::{ParquetFile, ReaderOptions, RowGroupPlace};
use crate::storage::parquet_error;

const FILE_PATH: (i32, &str) = (2_147_483_546, "file_path");
const POSITION: (i32, &str) = (2_147_483_545, "pos");
const CONSUMER: &str = "IcebergScan[positions]";
/// What a position may take while a bitmap grows.
const BYTES_PER_POSITION: usize = 8;
/// Rows per run from which a selection by runs is cheaper than a mask.
const LONG_RUN: u64 = 64;

/// The rows of one data file that position deletes remove.
#[derive(Debug)]
pub(crate) struct DeletedRows {
    positions: RoaringTreemap,
    _memory: Arc<Reservation>,
}

/// The rows of a row group that are left.
pub(crate) enum LiveRows {
    All,
    None,
    Some(RowSelection),
}

impl DeletedRows {
    pub(crate) fn contains(&self, position: u64) -> bool {
        self.positions.contains(position)
    }

    /// How many rows of a row group are deleted, and the selection of the others.
    pub(crate) fn live(&self, place: &RowGroupPlace) -> (u64, LiveRows) {
        let end = place.first_row + place.rows;
        let deleted = self.positions.range_cardinality(place.first_row..end);
        if deleted == 0 {
            return (0, LiveRows::All);
        }
        if deleted >= place.rows {
            return (deleted, LiveRows::None);
        }
        let rows = usize::try_from(place.rows).unwrap_or(usize::MAX);
        let mut mask = BooleanBufferBuilder::new(rows);
        mask.append_n(rows, true);
        let mut runs = 0_u64;
        let mut previous = None;
        let mut iter = self.positions.iter();
        iter.advance_to(place.first_row);
        for position in iter.take_while(|position| *position < end) {
            if previous.is_none_or(|before: u64| before + 1 != position) {
                runs += 1;
            }
            previous = Some(position);
            mask.set_bit(usize::try_from(position - place.first_row).unwrap_or(0), false);
        }
        let mask = mask.finish();
        let selection = if runs.saturating_mul(LONG_RUN) < place.rows {
            let ranges: Vec<_> = mask.set_slices().map(|(start, end)| start..end).collect();
            RowSelection::from_consecutive_ranges(ranges.into_iter(), rows)
        } else {
            RowSelection::from_boolean_buffer(mask)
        };
        (deleted, LiveRows::Some(selection))
    }
}

/// Loads and shares the position deletes of a scan.
pub(crate) struct PositionDeletes {
    pool: Arc<dyn MemoryPool>,
    shared: Mutex<HashMap<u32, Arc<OnceCell<Routed>>>>,
    own: Mutex<HashMap<(u32, String), Weak<DeletedRows>>>,
}

/// What is kept of a delete file that several data files share.
enum Routed {
    ByPath(HashMap<String, Arc<DeletedRows>>),
    /// It did not fit in memory: each data file reads its own part.
    TooLarge,
}

impl PositionDeletes {
    pub(crate) fn new(pool: Arc<dyn MemoryPool>) -> Self {
        Self { pool, shared: Mutex::new(HashMap::new()), own: Mutex::new(HashMap::new()) }
    }

    /// The deleted rows of a data file. Its deletion vector, if it has one, replaces position deletes (rule R12).
    pub(crate) async fn of_file(
        &self,
        context: &Arc<ScanContext>,
        task: &FileTask,
        vector: Option<&DeleteFile>,
        deletes: &[Arc<DeleteFile>],
        batch_rows: usize,
    ) -> Result<Option<Arc<DeletedRows>>> {
        if let Some(vector) = vector {
            return self.vector(context, vector, task).await.map(Some);
        }
        let mut parts = Vec::with_capacity(deletes.len());
        for delete in deletes {
            let part = if delete.referenced_data_file.is_empty() {
                self.shared(context, delete, task, batch_rows).await?
            } else if delete.referenced_data_file == task.identity {
                Some(self.own(context, delete, task, batch_rows).await?)
            } else {
                None
            };
            parts.extend(part);
        }
        match parts.len() {
            0 | 1 => Ok(parts.pop()),
            _ => self.union(&parts).map(Some),
        }
    }

    async fn vector(
        &self,
        context: &Arc<ScanContext>,
        vector: &DeleteFile,
        task: &FileTask,
    ) -> Result<Arc<DeletedRows>> {
        if !vector.referenced_data_file.is_empty() && vector.referenced_data_file != task.identity {
            return Err(EngineError::internal(format!(
                "The deletion vector of '{}' was planned for another data file",
                vector.referenced_data_file
            ))
            .with_file(&task.identity));
        }
        let key = (vector.id, task.identity.clone());
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        let memory = Reservation::of_pool(&self.pool, CONSUMER);
        let bytes = usize::try_from(vector.content_bytes).unwrap_or(usize::MAX);
        memory.try_grow(bytes.saturating_mul(2)).map_err(|refused| too_large(refused, vector))?;
        context.counters.delete_files_read.add(1);
        let file = context
            .resources
            .storage
            .open(
                &vector.location,
                &vector.identity,
                &context.properties,
                Arc::clone(&context.counters.bytes_read),
            )
            .await?;
        let positions = context.puffins.read_vector(&file, vector).await?;
        Ok(self.keep(key, positions, memory))
    }

    fn known(&self, key: &(u32, String)) -> Option<Arc<DeletedRows>> {
        self.own.lock().get(key).and_then(Weak::upgrade)
    }

    fn keep(&self, key: (u32, String), positions: RoaringTreemap, memory: Reservation) -> Arc<DeletedRows> {
        let rows = Arc::new(DeletedRows { positions, _memory: Arc::new(memory) });
        let mut own = self.own.lock();
        own.retain(|_, known| known.strong_count() > 0);
        own.insert(key, Arc::downgrade(&rows));
        rows
    }

    /// The part of a delete file that concerns one data file.
    async fn own(
        &self,
        context: &Arc<ScanContext>,
        delete: &DeleteFile,
        task: &FileTask,
        batch_rows: usize,
    ) -> Result<Arc<DeletedRows>> {
        let key = (delete.id, task.identity.clone());
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        let memory = Reservation::of_pool(&self.pool, CONSUMER);
        let router = Router::new(&memory, Some(&task.identity));
        let mut routed = route(context, delete, router, batch_rows)
            .await?
            .map_err(|refused| too_large(refused, delete))?;
        let positions = routed.remove(&task.identity).unwrap_or_default();
        Ok(self.keep(key, positions, memory))
    }

    /// Deletes of a file that may concern several data files: read once, kept by path.
    async fn shared(
        &self,
        context: &Arc<ScanContext>,
        delete: &DeleteFile,
        task: &FileTask,
        batch_rows: usize,
    ) -> Result<Option<Arc<DeletedRows>>> {
        let cell = Arc::clone(self.shared.lock().entry(delete.id).or_default());
        let routed = cell.get_or_try_init(|| self.route_all(context, delete, batch_rows)).await?;
        match routed {
            Routed::ByPath(paths) => Ok(paths.get(&task.identity).cloned()),
            Routed::TooLarge => self.own(context, delete, task, batch_rows).await.map(Some),
        }
    }

    async fn route_all(
        &self,
        context: &Arc<ScanContext>,
        delete: &DeleteFile,
        batch_rows: usize,
    ) -> Result<Routed> {
        for attempt in 0..2 {
            let memory = Arc::new(Reservation::of_pool(&self.pool, CONSUMER));
            let router = Router::new(&memory, None);
            if let Ok(paths) = route(context, delete, router, batch_rows).await? {
                let kept = paths.into_iter().map(|(path, positions)| {
                    let rows = DeletedRows { positions, _memory: Arc::clone(&memory) };
                    (path, Arc::new(rows))
                });
                return Ok(Routed::ByPath(kept.collect()));
            }
            drop(memory);
            if attempt == 0 {
                self.forget_loaded();
            }
        }
        Ok(Routed::TooLarge)
    }

    /// Lets go of delete files that are kept for data files to come. They are read again if one needs them.
    fn forget_loaded(&self) {
        self.shared.lock().retain(|_, cell| !matches!(cell.get(), Some(Routed::ByPath(_))));
    }

    fn union(&self, parts: &[Arc<DeletedRows>]) -> Result<Arc<DeletedRows>> {
        let memory = Reservation::of_pool(&self.pool, CONSUMER);
        let bytes: usize = parts.iter().map(|part| part.positions.serialized_size()).sum();
        memory
            .try_grow(bytes.saturating_mul(2))
            .map_err(|refused| refused.into_error("The position deletes of a data file"))?;
        let mut positions = RoaringTreemap::new();
        for part in parts {
            positions |= &part.positions;
        }
        Ok(Arc::new(DeletedRows { positions, _memory: Arc::new(memory) }))
    }
}

fn too_large(refused: Refused, delete: &DeleteFile) -> EngineError {
    refused.into_error("The position deletes of a data file").with_file(&delete.identity)
}

/// Sorts positions by the data file they belong to.
struct Router<'a> {
    memory: &'a Reservation,
    only: Option<&'a str>,
    paths: HashMap<String, RoaringTreemap>,
}

impl<'a> Router<'a> {
    fn new(memory: &'a Reservation, only: Option<&'a str>) -> Self {
        Self { memory, only, paths: HashMap::new() }
    }

    fn add(&mut self, path: &str, positions: &[i64], identity: &str) -> Result<Result<(), Refused>> {
        if self.only.is_some_and(|only| only != path) {
            return Ok(Ok(()));
        }
        let mut bytes = positions.len() * BYTES_PER_POSITION;
        if !self.paths.contains_key(path) {
            bytes += path.len() + size_of::<(String, RoaringTreemap)>();
        }
        if let Err(refused) = self.memory.try_grow(bytes) {
            return Ok(Err(refused));
        }
        if !self.paths.contains_key(path) {
            self.paths.insert(path.to_owned(), RoaringTreemap::new());
        }
        let Some(bitmap) = self.paths.get_mut(path) else {
            return Err(EngineError::internal("A path was lost"));
        };
        for position in positions {
            let position = u64::try_from(*position)
                .map_err(|_| corrupt(&format!("It has the negative position {position}"), identity))?;
            // In order, a position is appended; out of order, it is inserted.
            if bitmap.try_push(position).is_err() {
                bitmap.insert(position);
            }
        }
        Ok(Ok(()))
    }

    /// Gives back what was reserved above the size of the finished bitmaps.
    fn finish(self) -> HashMap<String, RoaringTreemap> {
        let needed: usize =
            self.paths.iter().map(|(path, positions)| path.len() + 2 * positions.serialized_size()).sum();
        self.memory.shrink(self.memory.size().saturating_sub(needed));
        self.paths
    }
}

fn corrupt(message: &str, identity: &str) -> EngineError {
    EngineError::new(ErrorCode::CorruptFile, format!("The position-delete file is damaged: {message}"))
        .with_file(identity)
}

type Pairs = BoxStream<'static, Result<(ArrayRef, ArrayRef)>>;

/// Reads a delete file to its end. The inner result is a refusal of memory.
async fn route(
    context: &Arc<ScanContext>,
    delete: &DeleteFile,
    mut router: Router<'_>,
    batch_rows: usize,
) -> Result<Result<HashMap<String, RoaringTreemap>, Refused>> {
    context.counters.delete_files_read.add(1);
    let mut pairs = open_pairs(context, delete, batch_rows).await?;
    let mut rows = 0;
    while let Some((paths, positions)) = pairs.try_next().await? {
        if paths.null_count() > 0 || positions.null_count() > 0 {
            return Err(corrupt("It has NULL in a path or a position", &delete.identity));
        }
        rows += paths.len() as u64;
        let values = positions.as_primitive::<Int64Type>().values();
        let routed = each_run(&paths, |path, start, end| {
            let part =
                values.get(start..end).ok_or_else(|| EngineError::internal("A run is out of range"))?;
            router.add(path, part, &delete.identity)
        })?;
        if let Err(refused) = routed {
            return Ok(Err(refused));
        }
        tokio::task::coop::consume_budget().await;
    }
    check_count(rows, delete.record_count, &delete.identity)?;
    Ok(Ok(router.finish()))
}

/// Calls back for each run of equal paths with its first row and the row after its last.
fn each_run(
    paths: &ArrayRef,
    mut call: impl FnMut(&str, usize, usize) -> Result<Result<(), Refused>>,
) -> Result<Result<(), Refused>> {
    let mut start = 0;
    let rows = paths.len();
    let dictionary = paths.as_dictionary_opt::<Int32Type>();
    let values = match dictionary {
        Some(dictionary) => Arc::clone(dictionary.values()),
        None => Arc::clone(paths),
    };
    let text = values
        .as_string_opt::<i32>()
        .ok_or_else(|| EngineError::internal(format!("Paths have the type {}", values.data_type())))?;
    let ordinal = |row: usize| -> usize {
        match dictionary {
            Some(dictionary) => dictionary.key(row).unwrap_or(0),
            None => row,
        }
    };
    while start < rows {
        let first = ordinal(start);
        let path = value_at(text, first)?;
        let mut end = start + 1;
        while end < rows {
            let next = ordinal(end);
            if next != first && value_at(text, next)? != path {
                break;
            }
            end += 1;
        }
        if let Err(refused) = call(path, start, end)? {
            return Ok(Err(refused));
        }
        start = end;
    }
    Ok(Ok(()))
}

fn value_at(text: &StringArray, row: usize) -> Result<&str> {
    if row >= text.len() || text.is_null(row) {
        return Err(EngineError::internal("A path is missing"));
    }
    Ok(text.value(row))
}

async fn open_pairs(context: &Arc<ScanContext>, delete: &DeleteFile, batch_rows: usize) -> Result<Pairs> {
    let format = file_format(delete.format, &delete.identity)?;
    match format {
        FileFormat::Parquet => parquet_pairs(context, delete, batch_rows).await,
        FileFormat::Orc | FileFormat::Avro => Ok(host_pairs(context, delete, format, batch_rows)),
        FileFormat::Puffin | FileFormat::Unspecified => Err(EngineError::new(
            ErrorCode::UnsupportedFile,
            "A position-delete file cannot be a Puffin file",
        )
        .with_file(&delete.identity)),
    }
}

async fn parquet_pairs(context: &Arc<ScanContext>, delete: &DeleteFile, batch_rows: usize) -> Result<Pairs> {
    let options = ReaderOptions { dictionary: Some(FILE_PATH), ..ReaderOptions::default() };
    let file =
        context.open_parquet(&delete.location, &delete.identity, delete.file_bytes, false, options).await?;
    let path = column(&file, FILE_PATH)?;
    let position = column(&file, POSITION)?;
    let mask = ProjectionMask::leaves(file.schema(), [path, position]);
    let groups = (0..file.metadata.num_row_groups()).collect();
    let stream = file.read(groups, mask, None, batch_rows)?;
    let identity = delete.identity.clone();
    Ok(stream
        .map(move |batch| {
            let batch = batch.map_err(|error| parquet_error(error, &identity))?;
            let columns = batch.columns();
            let (first, second) = match columns {
                [first, second] => (Arc::clone(first), Arc::clone(second)),
                _ => return Err(corrupt("It has other columns", &identity)),
            };
            let (paths, positions) = if path < position { (first, second) } else { (second, first) };
            Ok((plain_text(paths)?, cast(&positions, &DataType::Int64)?))
        })
        .boxed())
}

fn plain_text(paths: ArrayRef) -> Result<ArrayRef> {
    match paths.data_type() {
        DataType::Utf8 | DataType::Dictionary(_, _) => Ok(paths),
        _ => Ok(cast(&paths, &DataType::Utf8)?),
    }
}

/// The Parquet column of a reserved field, by id, or by name in a file without ids.
fn column(file: &ParquetFile, (id, name): (i32, &str)) -> Result<usize> {
    let roots = &file.columns.roots;
    let by_id = roots.iter().find(|root| root.id == Some(id));
    let found = by_id.or_else(|| {
        let by_name = roots.iter().find(|root| root.name == name);
        by_name.filter(|root| root.id.is_none())
    });
    match found {
        Some(root) if root.children.is_empty() => Ok(root.leaves.start),
        _ => Err(corrupt(&format!("It has no column '{name}'"), file.file.identity())),
    }
}

fn host_pairs(
    context: &Arc<ScanContext>,
    delete: &DeleteFile,
    format: FileFormat,
    batch_rows: usize,
) -> Pairs {
    let fields = vec![
        reserved(FILE_PATH, PrimitiveType::IcebergString),
        reserved(POSITION, PrimitiveType::IcebergLong),
    ];
    let identity = delete.identity.clone();
    context
        .host_file(HostFile::deletes(delete, format), fields, batch_rows)
        .map(move |batch| {
            let types = [DataType::Utf8, DataType::Int64];
            match checked_columns(&batch?, &types, &identity)?.as_slice() {
                [paths, positions] => Ok((Arc::clone(paths), Arc::clone(positions))),
                _ => Err(corrupt("It has other columns", &identity)),
            }
        })
        .boxed()
}

fn reserved((id, name): (i32, &str), primitive: PrimitiveType) -> SchemaField {
    SchemaField {
        id,
        name: name.to_owned(),
        required: true,
        r#type: Some(Box::new(IcebergType { kind: Some(iceberg_type::Kind::Primitive(primitive.into())) })),
        initial_default: None,
    }
}
