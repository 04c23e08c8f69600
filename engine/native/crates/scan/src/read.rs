//! Reading a part of a data file into rows of the scan.

use std::sync::Arc;

use datafusion::arrow::record_batch::RecordBatch;
use fulmar_error::{EngineError, Result};
use fulmar_proto::FileFormat;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use parquet::arrow::arrow_reader::RowSelection;

use crate::context::{HostFile, checked_columns};
use crate::delete_file::{HostColumns, check_count};
use crate::open::{Body, OpenFile, ParquetBody, Unit};
use crate::parquet_file::RowGroupPlace;
use crate::positions::LiveRows;
use crate::run::Run;
use crate::storage::parquet_error;
use datafusion::arrow::datatypes::DataType;

type Batches = BoxStream<'static, Result<RecordBatch>>;

/// The rows of a unit. Faults name the file.
pub(crate) fn unit_stream(run: Arc<Run>, unit: Unit) -> Batches {
    let identity = unit.file.task.identity.clone();
    futures::stream::once(open_unit(run, unit))
        .try_flatten()
        .map_err(move |error| error.with_file(&identity))
        .boxed()
}

async fn open_unit(run: Arc<Run>, unit: Unit) -> Result<Batches> {
    let file = Arc::clone(&unit.file);
    match (&file.body, unit.place) {
        (Body::Parquet(body), Some(place)) => match row_group(&run, &file, body, &place).await? {
            Wanted::Nothing => Ok(futures::stream::empty().boxed()),
            Wanted::Everything => parquet_rows(run, unit, place, None),
            Wanted::Rows(selection) => parquet_rows(run, unit, place, Some(selection)),
        },
        (Body::Host(format, columns), _) => Ok(host_rows(run, unit, *format, columns)),
        (Body::Parquet(_), None) => Err(EngineError::internal("A row group is not named")),
    }
}

/// What to read of a row group.
enum Wanted {
    Nothing,
    Everything,
    Rows(RowSelection),
}

async fn row_group(
    run: &Arc<Run>,
    file: &OpenFile,
    body: &ParquetBody,
    place: &RowGroupPlace,
) -> Result<Wanted> {
    if place.rows == 0 {
        return Ok(Wanted::Nothing);
    }
    let mut selection = None;
    if let Some(pruner) = &run.pruner {
        // Filters may have grown since the file was opened.
        if pruner.row_groups(&body.file, &body.known, vec![*place]).is_empty()
            || pruner.ruled_out(&body.file, &body.known, place).await?
        {
            return Ok(Wanted::Nothing);
        }
        selection = pruner.pages(&body.file, &body.known, place);
    }
    if let Some(deleted) = &file.deleted {
        let (count, live) = deleted.live(place);
        match live {
            LiveRows::All => {}
            LiveRows::None => {
                run.context.counters.rows_deleted_by_position.add(count);
                return Ok(Wanted::Nothing);
            }
            LiveRows::Some(live) => {
                run.context.counters.rows_deleted_by_position.add(count);
                selection = Some(match selection {
                    Some(pages) => pages.intersection(&live),
                    None => live,
                });
            }
        }
    }
    Ok(match selection {
        None => Wanted::Everything,
        Some(selection) if selection.selects_any() => Wanted::Rows(selection),
        Some(_) => Wanted::Nothing,
    })
}

fn parquet_rows(
    run: Arc<Run>,
    unit: Unit,
    place: RowGroupPlace,
    selection: Option<RowSelection>,
) -> Result<Batches> {
    let Body::Parquet(body) = &unit.file.body else {
        return Err(EngineError::internal("A row group of another file"));
    };
    let counters = &run.context.counters;
    counters.row_groups_read.add(1);
    let with_keys = unit.file.needs_keys(&unit.sets);
    let mask = body.adapter(with_keys).mask(body.file.schema());
    let stream = body.file.read(vec![place.index], mask, selection, run.batch_rows)?;
    let rows = stream.map(move |batch| {
        let Body::Parquet(body) = &unit.file.body else {
            return Err(EngineError::internal("A row group of another file"));
        };
        let batch = batch.map_err(|error| parquet_error(error, &unit.file.task.identity))?;
        let columns = body.adapter(with_keys).adapt(&batch)?;
        let positions = if body.row_numbers { batch.columns().last().cloned() } else { None };
        unit.file.rows(&run, columns, positions, batch.num_rows(), &unit.sets)
    });
    Ok(rows.filter_map(|rows| futures::future::ready(rows.transpose())).boxed())
}

fn host_rows(run: Arc<Run>, unit: Unit, format: FileFormat, columns: &HostColumns) -> Batches {
    let file = unit.file;
    let mut types = columns.types.clone();
    types.push(DataType::Int64);
    let batches =
        run.context.host_file(HostFile::data(&file.task, format), columns.fields.clone(), run.batch_rows);
    let mut read = 0_u64;
    let ended = Arc::clone(&file);
    let rows = batches.map(Some).chain(futures::stream::once(async { None })).map(move |batch| {
        let Some(batch) = batch else {
            check_count(read, ended.task.record_count, &ended.task.identity)?;
            return Ok(None);
        };
        let batch = batch?;
        read += batch.num_rows() as u64;
        let Body::Host(_, plan) = &file.body else {
            return Err(EngineError::internal("Rows of another file"));
        };
        let mut all = checked_columns(&batch, &types, &file.task.identity)?;
        let positions = all.pop();
        file.rows(&run, plan.extract(&all)?, positions, batch.num_rows(), &unit.sets)
    });
    rows.filter_map(|rows| futures::future::ready(rows.transpose())).boxed()
}
