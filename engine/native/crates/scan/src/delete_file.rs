//! Reading delete files, whatever their format.

use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{DeleteFile, FileFormat};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};

use crate::adapter::{Adapter, Constants, FieldPath};
use crate::context::{HostFile, ScanContext, checked_columns, file_format};
use crate::field::{Kind, TableField};
use crate::parquet_file::ReaderOptions;
use crate::storage::parquet_error;

/// Batches of the key columns of an equality-delete file, in the table's current types and internal form. A key column that the
/// file lacks is read like any column that a file lacks (rule R30).
pub(crate) async fn key_columns(
    context: &Arc<ScanContext>,
    delete: &DeleteFile,
    paths: &[FieldPath],
    batch_rows: usize,
) -> Result<BoxStream<'static, Result<Vec<ArrayRef>>>> {
    let format = file_format(delete.format, &delete.identity)?;
    context.counters.delete_files_read.add(1);
    match format {
        FileFormat::Parquet => parquet_keys(context, delete, paths, batch_rows).await,
        FileFormat::Orc | FileFormat::Avro => host_keys(context, delete, format, paths, batch_rows),
        FileFormat::Puffin | FileFormat::Unspecified => Err(EngineError::new(
            ErrorCode::UnsupportedFile,
            "An equality-delete file cannot be a Puffin file",
        )
        .with_file(&delete.identity)),
    }
}

async fn parquet_keys(
    context: &Arc<ScanContext>,
    delete: &DeleteFile,
    paths: &[FieldPath],
    batch_rows: usize,
) -> Result<BoxStream<'static, Result<Vec<ArrayRef>>>> {
    let file = context
        .open_parquet(&delete.location, &delete.identity, delete.file_bytes, false, ReaderOptions::default())
        .await?;
    file.check_rows(delete.record_count)?;
    let identity = delete.identity.clone();
    let adapter =
        Adapter::plan(&file.columns, paths, &Constants::new()).map_err(|error| error.with_file(&identity))?;
    let groups = (0..file.metadata.num_row_groups()).collect();
    let stream = file.read(groups, adapter.mask(file.schema()), None, batch_rows)?;
    let name = identity.clone();
    Ok(stream
        .map_err(move |error| parquet_error(error, &name))
        .map(move |batch| {
            let columns = adapter.adapt(&batch?);
            columns.map_err(|error| error.with_file(&identity))
        })
        .boxed())
}

fn host_keys(
    context: &Arc<ScanContext>,
    delete: &DeleteFile,
    format: FileFormat,
    paths: &[FieldPath],
    batch_rows: usize,
) -> Result<BoxStream<'static, Result<Vec<ArrayRef>>>> {
    let plan = HostColumns::plan(context, paths)?;
    let identity = delete.identity.clone();
    let expected = delete.record_count;
    let mut seen = 0_u64;
    let batches = context.host_file(HostFile::deletes(delete, format), plan.fields.clone(), batch_rows);
    let ended = identity.clone();
    let counted = batches
        .map(move |batch| {
            let batch = batch?;
            let columns = checked_columns(&batch, &plan.types, &identity)?;
            Ok((batch.num_rows() as u64, plan.extract(&columns)?))
        })
        .map(Some)
        .chain(futures::stream::once(async { None }));
    Ok(counted
        .filter_map(move |item| {
            let result = match item {
                Some(Ok((rows, columns))) => {
                    seen += rows;
                    Some(Ok(columns))
                }
                Some(Err(error)) => Some(Err(error)),
                None => check_count(seen, expected, &ended).err().map(Err),
            };
            futures::future::ready(result)
        })
        .boxed())
}

/// Fails when a file has another number of rows than its manifest says.
pub(crate) fn check_count(rows: u64, expected: u64, identity: &str) -> Result<()> {
    if expected != 0 && rows != expected {
        return Err(EngineError::new(
            ErrorCode::CorruptFile,
            format!("The file has {rows} rows, the manifest says {expected}: it is not the file that was committed"),
        )
        .with_file(identity));
    }
    Ok(())
}

/// The top-level fields that the host is to read for a set of field paths, and how to get at the fields.
pub(crate) struct HostColumns {
    pub(crate) fields: Vec<fulmar_proto::SchemaField>,
    pub(crate) types: Vec<datafusion::arrow::datatypes::DataType>,
    steps: Vec<(usize, Vec<usize>)>,
}

impl HostColumns {
    pub(crate) fn plan(context: &ScanContext, paths: &[FieldPath]) -> Result<Self> {
        let mut plan = Self { fields: Vec::new(), types: Vec::new(), steps: Vec::new() };
        for path in paths {
            let root = path.first().ok_or_else(|| EngineError::internal("A field path is empty"))?;
            let known = plan.fields.iter().position(|field| field.id == root.id);
            let ordinal = match known {
                Some(ordinal) => ordinal,
                None => {
                    let message = match context.schema.root_message(root.id) {
                        Some(message) => message.clone(),
                        None => crate::lineage::message(root)?,
                    };
                    plan.fields.push(message);
                    plan.types.push(root.internal_type());
                    plan.fields.len() - 1
                }
            };
            let children = path.windows(2).map(child_ordinal).collect::<Result<_>>()?;
            plan.steps.push((ordinal, children));
        }
        Ok(plan)
    }

    /// The columns at the ends of the paths.
    pub(crate) fn extract(&self, columns: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        self.steps
            .iter()
            .map(|(root, children)| {
                let mut column = columns
                    .get(*root)
                    .cloned()
                    .ok_or_else(|| EngineError::internal("The host left out a column"))?;
                for child in children {
                    column = crate::adapter::child_column(&column, *child)?;
                }
                Ok(column)
            })
            .collect()
    }
}

fn child_ordinal(step: &[Arc<TableField>]) -> Result<usize> {
    if let [parent, child] = step
        && let Kind::Struct(children) = &parent.kind
        && let Some(ordinal) = children.iter().position(|own| own.id == child.id)
    {
        return Ok(ordinal);
    }
    Err(EngineError::internal("A field path is broken"))
}
