//! A data file that is being read: its columns, its deletes, and how a batch of it becomes rows of the scan.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray, Int32Array, Int64Array, StringArray};
use datafusion::arrow::buffer::BooleanBuffer;
use datafusion::arrow::compute::FilterBuilder;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{FileFormat, FileTask};
use fulmar_transport::literals::scalar_value;

use crate::adapter::{Adapter, Constants, FieldPath, repeat};
use crate::context::{ScanContext, file_format};
use crate::delete_file::HostColumns;
use crate::field::TableField;
use crate::groups::{Form, KeyGroup};
use crate::layout::{Layout, Output, place};
use crate::lineage;
use crate::literal::constant_value;
use crate::merge::{Merge, Route, Stage};
use crate::output::to_output;
use crate::parquet_file::{ParquetFile, ReaderOptions, RowGroupPlace};
use crate::positions::DeletedRows;
use crate::probing::SetTest;
use crate::pruning::{KnownColumns, known_columns};
use crate::run::Run;

/// An open data file.
pub(crate) struct OpenFile {
    pub(crate) task: Arc<FileTask>,
    pub(crate) body: Body,
    pub(crate) deleted: Option<Arc<DeletedRows>>,
    partition: Option<ArrayRef>,
    sets: Vec<SetTest>,
    merge: Option<MergeTest>,
}

/// How the columns of a file are read.
pub(crate) enum Body {
    Parquet(Box<ParquetBody>),
    Host(FileFormat, HostColumns),
}

pub(crate) struct ParquetBody {
    pub(crate) file: ParquetFile,
    pub(crate) adapter: Adapter,
    /// Reads the scan's columns without those that only deletes need; none if there are no others.
    pub(crate) plain: Option<Adapter>,
    pub(crate) known: KnownColumns,
    pub(crate) row_numbers: bool,
}

/// A part of a file.
pub(crate) struct Unit {
    pub(crate) file: Arc<OpenFile>,
    /// None for files that the host reads as a whole.
    pub(crate) place: Option<RowGroupPlace>,
    /// The file's key sets that may hold a key of these rows.
    pub(crate) sets: Vec<usize>,
}

/// The spilled groups that apply to a file.
struct MergeTest {
    merge: Arc<Merge>,
    route: Arc<Route>,
    /// Key columns and threshold for each stage of the route.
    parts: Vec<(Vec<usize>, u32)>,
}

/// What a task needs beside its columns.
struct Tests {
    sets: Vec<SetTest>,
    spilled: Vec<(Arc<KeyGroup>, Vec<usize>, u32)>,
}

impl ParquetBody {
    /// What makes table columns of the file's.
    pub(crate) fn adapter(&self, with_keys: bool) -> &Adapter {
        match &self.plain {
            Some(plain) if !with_keys => plain,
            _ => &self.adapter,
        }
    }
}

/// Opens the file of a task and gives the parts to read.
pub(crate) async fn open(run: &Arc<Run>, task: Arc<FileTask>) -> Result<Vec<Unit>> {
    let opened = open_task(run, &task).await;
    opened.map_err(|error| error.with_file(&task.identity))
}

async fn open_task(run: &Arc<Run>, task: &Arc<FileTask>) -> Result<Vec<Unit>> {
    let context = &run.context;
    let format = file_format(task.format, &task.identity)?;
    let mut paths = run.layout.paths.clone();
    let tests = tests(run, task, &mut paths).await?;
    let merge = merge_test(run, tests.spilled).await?;
    let (body, places) = match format {
        FileFormat::Parquet => {
            let (body, places) = open_parquet(run, task, &paths).await?;
            (Body::Parquet(Box::new(body)), places.into_iter().map(Some).collect())
        }
        FileFormat::Orc | FileFormat::Avro => {
            let columns = HostColumns::plan(context, &paths)?;
            // A file is read as a whole, by the task that has its first byte.
            let places = if task.start == 0 { vec![None] } else { Vec::new() };
            (Body::Host(format, columns), places)
        }
        FileFormat::Puffin | FileFormat::Unspecified => {
            return Err(EngineError::new(ErrorCode::UnsupportedFile, "A data file cannot be a Puffin file"));
        }
    };
    if places.is_empty() {
        return Ok(Vec::new());
    }
    context.counters.files.add(1);
    let deleted = deleted_rows(run, task).await?;
    let file = Arc::new(OpenFile {
        partition: partition_value(&run.layout, task)?,
        task: Arc::clone(task),
        body,
        deleted,
        sets: tests.sets,
        merge,
    });
    let unit = |place| Unit { sets: file.sets_of(run, place), file: Arc::clone(&file), place };
    Ok(places.into_iter().map(unit).collect())
}

async fn tests(run: &Arc<Run>, task: &FileTask, paths: &mut Vec<FieldPath>) -> Result<Tests> {
    let mut tests = Tests { sets: Vec::new(), spilled: Vec::new() };
    for id in &task.delete_groups {
        let group = run.groups.group(&run.context, run.queue.source(), *id)?;
        let threshold = group.ranks.of_data(task.data_sequence_number);
        if threshold >= group.ranks.highest() {
            continue;
        }
        let columns = group.layout.paths().iter().map(|path| place(paths, path)).collect();
        match run.groups.form(&run.context, &group).await? {
            Form::Set(map) => tests.sets.push(SetTest::new(group, map, columns, threshold)),
            Form::Merge => tests.spilled.push((group, columns, threshold)),
        }
    }
    Ok(tests)
}

async fn merge_test(
    run: &Arc<Run>,
    spilled: Vec<(Arc<KeyGroup>, Vec<usize>, u32)>,
) -> Result<Option<MergeTest>> {
    if spilled.is_empty() {
        return Ok(None);
    }
    let merge = run.merge()?;
    let mut staged: Vec<(Arc<Stage>, Vec<usize>, u32)> = Vec::with_capacity(spilled.len());
    for (group, columns, threshold) in spilled {
        staged.push((merge.stage(&group).await?, columns, threshold));
    }
    staged.sort_by_key(|(stage, _, _)| stage.number());
    let route = merge.route(staged.iter().map(|(stage, _, _)| Arc::clone(stage)).collect());
    let parts = staged.into_iter().map(|(_, columns, threshold)| (columns, threshold)).collect();
    Ok(Some(MergeTest { merge, route, parts }))
}

async fn deleted_rows(run: &Arc<Run>, task: &FileTask) -> Result<Option<Arc<DeletedRows>>> {
    let source = run.queue.source();
    let vector = match task.deletion_vector {
        Some(id) => Some(source.delete_file(id)?),
        None => None,
    };
    let deletes =
        task.position_deletes.iter().map(|id| source.delete_file(*id)).collect::<Result<Vec<_>>>()?;
    if vector.is_none() && deletes.is_empty() {
        return Ok(None);
    }
    run.positions.of_file(&run.context, task, vector.as_deref(), &deletes, run.batch_rows).await
}

async fn open_parquet(
    run: &Arc<Run>,
    task: &FileTask,
    paths: &[FieldPath],
) -> Result<(ParquetBody, Vec<RowGroupPlace>)> {
    let context = &run.context;
    let options = ReaderOptions { row_numbers: run.layout.needs_positions(), ..ReaderOptions::default() };
    let indexed = run.pruner.is_some();
    let file =
        context.open_parquet(&task.location, &task.identity, task.file_bytes, indexed, options).await?;
    file.check_rows(task.record_count)?;
    let constants = constants(context, task)?;
    let adapter = Adapter::plan(&file.columns, paths, &constants)?;
    let own = &run.layout.paths;
    let plain =
        if own.len() < paths.len() { Some(Adapter::plan(&file.columns, own, &constants)?) } else { None };
    let mut places = file.row_groups(task.start, task.length);
    context.counters.row_groups_total.add(places.len() as u64);
    let mut known = KnownColumns::new();
    if let Some(pruner) = &run.pruner {
        known = filter_columns(run, &file, &constants);
        places = pruner.row_groups(&file, &known, places);
    }
    let body = ParquetBody { file, adapter, plain, known, row_numbers: options.row_numbers };
    Ok((body, places))
}

/// What the file tells about the columns that filters name, whether or not they are read.
fn filter_columns(run: &Run, file: &ParquetFile, constants: &Constants) -> KnownColumns {
    let mut known = KnownColumns::new();
    for (name, path) in run.columns.fields().filter(|(name, _)| run.filtered.contains(*name)) {
        let (Some(field), Ok(adapter)) =
            (path.last(), Adapter::plan(&file.columns, std::slice::from_ref(path), constants))
        else {
            continue;
        };
        let field: &TableField = field;
        known.extend(known_columns(file, &adapter, std::iter::once((name, field, 0))));
    }
    known
}

fn constants(context: &ScanContext, task: &FileTask) -> Result<Constants> {
    let mut constants = Constants::new();
    for constant in &task.constants {
        // A partition source that the scan does not read is not in its schema.
        if let Ok(path) = context.schema.path(constant.field_id)
            && let Some(field) = path.last()
        {
            constants.insert(constant.field_id, constant_value(constant, field)?);
        }
    }
    Ok(constants)
}

fn partition_value(layout: &Layout, task: &FileTask) -> Result<Option<ArrayRef>> {
    let wanted = layout.outputs.iter().find_map(|output| match output {
        Output::Partition(data_type) => Some(data_type),
        _ => None,
    });
    let Some(data_type) = wanted else {
        return Ok(None);
    };
    let value = match &task.partition_struct {
        Some(literal) => scalar_value(literal, data_type)?.to_array_of_size(1)?,
        None => datafusion::arrow::array::new_null_array(data_type, 1),
    };
    Ok(Some(value))
}

impl OpenFile {
    /// The key sets that may hold a key of a row group, by their number.
    fn sets_of(&self, run: &Run, place: Option<RowGroupPlace>) -> Vec<usize> {
        let may_match = |test: &SetTest| match (&self.body, &place) {
            (Body::Parquet(body), Some(place)) if run.pruning => {
                test.may_match(&body.file, &body.adapter, place)
            }
            _ => true,
        };
        let sets: Vec<usize> = self
            .sets
            .iter()
            .enumerate()
            .filter(|(_, test)| may_match(test))
            .map(|(number, _)| number)
            .collect();
        if sets.is_empty() && !self.sets.is_empty() {
            run.context.counters.row_groups_without_deleted_keys.add(1);
        }
        sets
    }

    /// Whether rows that meet these key sets need the key columns.
    pub(crate) fn needs_keys(&self, sets: &[usize]) -> bool {
        !sets.is_empty() || self.merge.is_some()
    }

    /// The rows of a batch that are left, as far as they can leave the scan now. Rows that spilled deletes may concern wait.
    pub(crate) fn rows(
        &self,
        run: &Run,
        columns: Vec<ArrayRef>,
        positions: Option<ArrayRef>,
        rows: usize,
        sets: &[usize],
    ) -> Result<Option<RecordBatch>> {
        run.context.counters.rows_read.add(rows as u64);
        let live = self.live(run, &columns, positions.as_ref(), rows, sets)?;
        let left = live.as_ref().map_or(rows, BooleanBuffer::count_set_bits);
        if left == 0 {
            return Ok(None);
        }
        let live = live.filter(|_| left < rows).map(|live| {
            let live = FilterBuilder::new(&BooleanArray::new(live, None));
            // The rows to keep are found once for all columns.
            if columns.len() > 1 { live.optimize().build() } else { live.build() }
        });
        let keep = |column: &ArrayRef| -> Result<ArrayRef> {
            match &live {
                Some(live) => Ok(live.filter(column)?),
                None => Ok(Arc::clone(column)),
            }
        };
        let positions = positions.as_ref().map(&keep).transpose()?;
        let outputs = self.outputs(run, &columns, positions.as_ref(), left, &keep)?;
        match &self.merge {
            None => {
                let options = RecordBatchOptions::new().with_row_count(Some(left));
                let batch =
                    RecordBatch::try_new_with_options(Arc::clone(&run.layout.schema), outputs, &options)?;
                Ok(Some(batch))
            }
            Some(test) => {
                let keys = test
                    .parts
                    .iter()
                    .map(|(places, threshold)| {
                        let keys = places
                            .iter()
                            .map(|place| keep(column(&columns, *place)?))
                            .collect::<Result<Vec<_>>>()?;
                        Ok((keys, *threshold))
                    })
                    .collect::<Result<Vec<_>>>()?;
                test.merge.admit(&test.route, outputs, keys, left)
            }
        }
    }

    /// The rows that position deletes and key sets leave, if any of them says something, counted.
    fn live(
        &self,
        run: &Run,
        columns: &[ArrayRef],
        positions: Option<&ArrayRef>,
        rows: usize,
        sets: &[usize],
    ) -> Result<Option<BooleanBuffer>> {
        let counters = &run.context.counters;
        let mut live = self.live_positions(positions)?;
        let before = live.as_ref().map_or(rows, BooleanBuffer::count_set_bits);
        counters.rows_deleted_by_position.add((rows - before) as u64);
        for test in sets.iter().filter_map(|number| self.sets.get(*number)) {
            let left = test.live(columns)?;
            live = Some(match live {
                Some(before) => &before & &left,
                None => left,
            });
        }
        let left = live.as_ref().map_or(rows, BooleanBuffer::count_set_bits);
        counters.rows_deleted_by_equality.add((before - left) as u64);
        Ok(live)
    }

    /// The rows that position deletes leave; for Parquet they are applied while reading.
    fn live_positions(&self, positions: Option<&ArrayRef>) -> Result<Option<BooleanBuffer>> {
        let (Body::Host(_, _), Some(deleted)) = (&self.body, &self.deleted) else {
            return Ok(None);
        };
        let positions = positions
            .and_then(|positions| positions.as_primitive_opt::<Int64Type>())
            .ok_or_else(|| EngineError::internal("Rows have no positions"))?;
        let values = positions.values();
        Ok(Some(BooleanBuffer::collect_bool(values.len(), |row| {
            u64::try_from(values[row]).is_ok_and(|position| !deleted.contains(position))
        })))
    }

    fn outputs(
        &self,
        run: &Run,
        columns: &[ArrayRef],
        positions: Option<&ArrayRef>,
        rows: usize,
        keep: &impl Fn(&ArrayRef) -> Result<ArrayRef>,
    ) -> Result<Vec<ArrayRef>> {
        let task = &self.task;
        let positions = || positions.cloned().ok_or_else(|| EngineError::internal("Rows have no positions"));
        run.layout
            .outputs
            .iter()
            .map(|output| {
                Ok(match output {
                    Output::Field(place, field) => to_output(keep(column(columns, *place)?)?, field)
                        .map_err(|error| error.with_field(&field.name))?,
                    Output::FilePath => Arc::new(StringArray::from(vec![task.identity.as_str(); rows])),
                    Output::RowPosition => positions()?,
                    Output::SpecId => Arc::new(Int32Array::from(vec![task.spec_id; rows])),
                    Output::Partition(_) => match &self.partition {
                        Some(value) => repeat(value, rows)?,
                        None => return Err(EngineError::internal("A file has no partition value")),
                    },
                    Output::RowId(place) => {
                        lineage::row_ids(&keep(column(columns, *place)?)?, &positions()?, task)
                    }
                    Output::LastUpdated(place) => {
                        lineage::sequence_numbers(&keep(column(columns, *place)?)?, task)
                    }
                    Output::DataSequence => Arc::new(Int64Array::from(vec![task.data_sequence_number; rows])),
                })
            })
            .collect()
    }
}

pub(crate) fn column(columns: &[ArrayRef], place: usize) -> Result<&ArrayRef> {
    columns.get(place).ok_or_else(|| EngineError::internal("A column was not read"))
}
