//! The columns of a scan: what each output column is made of, and which fields a task reads.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use fulmar_error::{EngineError, Result};
use fulmar_proto::{MetadataColumn, ScanColumn, scan_column};
use fulmar_transport::types::required_type;

use crate::adapter::FieldPath;
use crate::field::{TableField, TableSchema};
use crate::lineage;

/// All columns of a scan, before projection.
#[derive(Debug)]
pub(crate) struct TableColumns {
    pub(crate) schema: SchemaRef,
    sources: Vec<Source>,
}

#[derive(Debug, Clone)]
enum Source {
    Field(FieldPath),
    Metadata(MetadataColumn, DataType),
}

/// The projected columns.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) schema: SchemaRef,
    pub(crate) outputs: Vec<Output>,
    /// The fields that the outputs need, each once.
    pub(crate) paths: Vec<FieldPath>,
}

/// What an output column is made of. Numbers are places in [`Layout::paths`].
#[derive(Debug, Clone)]
pub(crate) enum Output {
    Field(usize, Arc<TableField>),
    FilePath,
    RowPosition,
    SpecId,
    Partition(DataType),
    RowId(usize),
    LastUpdated(usize),
    DataSequence,
}

impl TableColumns {
    pub(crate) fn new(columns: &[ScanColumn], table: &TableSchema) -> Result<Self> {
        let mut names = HashSet::new();
        let mut fields = Vec::with_capacity(columns.len());
        let mut sources = Vec::with_capacity(columns.len());
        for (ordinal, column) in columns.iter().enumerate() {
            let declared = required_type(column.r#type.as_ref())?;
            sources.push(source(column, &declared, table)?);
            let mut name = column.name.clone();
            while !names.insert(name.clone()) {
                name = format!("{name}:{ordinal}");
            }
            fields.push(Field::new(name, declared, true));
        }
        Ok(Self { schema: Arc::new(Schema::new(fields)), sources })
    }

    /// The columns at the given places.
    pub(crate) fn project(&self, projection: &[usize]) -> Result<Layout> {
        let schema = Arc::new(self.schema.project(projection)?);
        let mut layout = Layout { schema, outputs: Vec::with_capacity(projection.len()), paths: Vec::new() };
        for ordinal in projection {
            let source = self
                .sources
                .get(*ordinal)
                .ok_or_else(|| EngineError::internal("A projection is out of range"))?;
            let output = layout.output(source)?;
            layout.outputs.push(output);
        }
        Ok(layout)
    }

    /// The columns that are fields, with their names: what filters can be judged by.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &FieldPath)> {
        self.schema.fields().iter().zip(&self.sources).filter_map(|(field, source)| match source {
            Source::Field(path) => Some((field.name().as_str(), path)),
            Source::Metadata(_, _) => None,
        })
    }
}

fn source(column: &ScanColumn, declared: &DataType, table: &TableSchema) -> Result<Source> {
    let refused = |message: String| EngineError::plan(message).with_field(&column.name);
    match &column.source {
        Some(scan_column::Source::Field(path)) => {
            let path = table.path(path.field_id)?;
            let found = path.last().map(|field| field.output_type());
            if found.as_ref() != Some(declared) {
                return Err(refused(format!(
                    "Column '{}' is declared {declared}, its field has {}",
                    column.name,
                    found.map_or_else(String::new, |found| found.to_string())
                )));
            }
            Ok(Source::Field(path))
        }
        Some(scan_column::Source::Metadata(number)) => {
            let kind = MetadataColumn::try_from(*number)
                .map_err(|_| refused(format!("Unknown metadata column {number}")))?;
            let expected = match kind {
                MetadataColumn::FilePath => DataType::Utf8,
                MetadataColumn::SpecId => DataType::Int32,
                MetadataColumn::Partition => declared.clone(),
                MetadataColumn::RowPosition
                | MetadataColumn::RowId
                | MetadataColumn::LastUpdatedSequenceNumber
                | MetadataColumn::DataSequenceNumber => DataType::Int64,
                MetadataColumn::Unspecified => {
                    return Err(refused("A metadata column is not named".to_owned()));
                }
            };
            if expected != *declared {
                return Err(refused(format!(
                    "Column '{}' is declared {declared}, not {expected}",
                    column.name
                )));
            }
            Ok(Source::Metadata(kind, expected))
        }
        None => Err(refused(format!("Column '{}' has no source", column.name))),
    }
}

impl Layout {
    fn output(&mut self, source: &Source) -> Result<Output> {
        Ok(match source {
            Source::Field(path) => {
                let field = path.last().ok_or_else(|| EngineError::internal("A field path is empty"))?;
                Output::Field(place(&mut self.paths, path), Arc::clone(field))
            }
            Source::Metadata(kind, data_type) => match kind {
                MetadataColumn::FilePath => Output::FilePath,
                MetadataColumn::RowPosition => Output::RowPosition,
                MetadataColumn::SpecId => Output::SpecId,
                MetadataColumn::Partition => Output::Partition(data_type.clone()),
                MetadataColumn::RowId => Output::RowId(place(&mut self.paths, &lineage::row_id())),
                MetadataColumn::LastUpdatedSequenceNumber => {
                    Output::LastUpdated(place(&mut self.paths, &lineage::last_updated()))
                }
                MetadataColumn::DataSequenceNumber => Output::DataSequence,
                MetadataColumn::Unspecified => {
                    return Err(EngineError::plan("A metadata column is not named"));
                }
            },
        })
    }

    /// Whether rows need their position.
    pub(crate) fn needs_positions(&self) -> bool {
        self.outputs.iter().any(|output| matches!(output, Output::RowPosition | Output::RowId(_)))
    }
}

/// The place of a field among those that are read; it is added if it is new.
pub(crate) fn place(paths: &mut Vec<FieldPath>, path: &FieldPath) -> usize {
    let id = path.last().map(|field| field.id);
    let known = paths.iter().position(|own| own.last().map(|field| field.id) == id);
    known.unwrap_or_else(|| {
        paths.push(path.clone());
        paths.len() - 1
    })
}
