//! An open Parquet file: footer, columns, and readers of its row groups.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, TimeUnit};
use fulmar_error::{EngineError, ErrorCode, Result};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, RowSelection};
use parquet::arrow::async_reader::{ParquetRecordBatchStream, ParquetRecordBatchStreamBuilder};
use parquet::arrow::{ProjectionMask, RowNumber};
use parquet::basic::Type as PhysicalType;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::schema::types::SchemaDescriptor;

use crate::columns::{FileColumns, MappedField};
use crate::storage::{ParquetSource, StoredFile, parquet_error};

/// A Parquet file that is ready to be read.
pub(crate) struct ParquetFile {
    pub(crate) file: StoredFile,
    pub(crate) metadata: Arc<ParquetMetaData>,
    pub(crate) columns: FileColumns,
    reader: ArrowReaderMetadata,
}

/// What else the reader is to do.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReaderOptions {
    /// Adds the row's physical position as the last column of each batch.
    pub(crate) row_numbers: bool,
    /// Reads this top-level text column as a dictionary, given by field id and name.
    pub(crate) dictionary: Option<(i32, &'static str)>,
}

/// Position and length of a row group in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowGroupPlace {
    pub(crate) index: usize,
    pub(crate) first_row: u64,
    pub(crate) rows: u64,
}

impl ParquetFile {
    pub(crate) fn new(
        file: StoredFile,
        metadata: Arc<ParquetMetaData>,
        mapping: Option<&[MappedField]>,
        options: ReaderOptions,
    ) -> Result<Self> {
        let describe = |error| parquet_error(error, file.identity());
        let plain = ArrowReaderMetadata::try_new(
            Arc::clone(&metadata),
            ArrowReaderOptions::new().with_skip_arrow_metadata(true),
        )
        .map_err(describe)?;
        let parquet_schema = metadata.file_metadata().schema_descr();
        let hinted = hinted_schema(plain.schema(), parquet_schema, options);
        let mut reader_options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        if hinted != *plain.schema().as_ref() {
            reader_options = reader_options.with_schema(Arc::new(hinted.clone()));
        }
        if options.row_numbers {
            reader_options =
                reader_options.with_virtual_columns(vec![row_number_field()]).map_err(describe)?;
        }
        let reader = ArrowReaderMetadata::try_new(Arc::clone(&metadata), reader_options).map_err(describe)?;
        let columns = FileColumns::new(parquet_schema, &hinted, mapping);
        Ok(Self { columns, reader, metadata, file })
    }

    pub(crate) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// The number of rows, which must be what the manifest says where it says anything.
    pub(crate) fn check_rows(&self, expected: u64) -> Result<u64> {
        let rows = u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0);
        if expected != 0 && rows != expected {
            return Err(EngineError::new(
                ErrorCode::CorruptFile,
                format!("The file has {rows} rows, the manifest says {expected}: it is not the file that was committed"),
            )
            .with_file(self.file.identity()));
        }
        Ok(rows)
    }

    /// The row groups whose first byte lies in the split. A length of 0 means the whole file.
    pub(crate) fn row_groups(&self, start: u64, length: u64) -> Vec<RowGroupPlace> {
        let end = start.saturating_add(length);
        let mut first_row = 0;
        let mut places = Vec::new();
        for (index, group) in self.metadata.row_groups().iter().enumerate() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let first_byte = group.columns().first().map_or(start, first_byte);
            if length == 0 || (start..end).contains(&first_byte) {
                places.push(RowGroupPlace { index, first_row, rows });
            }
            first_row += rows;
        }
        places
    }

    /// A stream over row groups.
    pub(crate) fn read(
        &self,
        row_groups: Vec<usize>,
        mask: ProjectionMask,
        selection: Option<RowSelection>,
        batch_rows: usize,
    ) -> Result<ParquetRecordBatchStream<ParquetSource>> {
        let mut builder =
            self.builder().with_row_groups(row_groups).with_projection(mask).with_batch_size(batch_rows);
        if let Some(selection) = selection {
            builder = builder.with_row_selection(selection);
        }
        builder.build().map_err(|error| parquet_error(error, self.file.identity()))
    }

    /// A reader of the file, to be configured.
    pub(crate) fn builder(&self) -> ParquetRecordBatchStreamBuilder<ParquetSource> {
        let source = ParquetSource { file: self.file.clone(), metadata: Arc::clone(&self.metadata) };
        ParquetRecordBatchStreamBuilder::new_with_metadata(source, self.reader.clone())
    }
}

/// Where the pages of a column begin; a dictionary offset that cannot be one is left aside.
fn first_byte(column: &ColumnChunkMetaData) -> u64 {
    let data = column.data_page_offset();
    let first = column.dictionary_page_offset().filter(|offset| (1..data).contains(offset)).unwrap_or(data);
    u64::try_from(first).unwrap_or(0)
}

fn row_number_field() -> FieldRef {
    Arc::new(Field::new("fulmar.row_number", DataType::Int64, false).with_extension_type(RowNumber))
}

/// The Arrow schema to read with: INT96 as microseconds, which reach every year, and a dictionary where it is asked for.
fn hinted_schema(schema: &Schema, parquet: &SchemaDescriptor, options: ReaderOptions) -> Schema {
    let mut leaf = 0;
    let fields: Fields = schema
        .fields()
        .iter()
        .map(|field| {
            let data_type = hinted_type(field.data_type(), parquet, &mut leaf);
            let wanted = options.dictionary.is_some_and(|(id, name)| is_column(field, id, name));
            let data_type = if wanted && data_type == DataType::Utf8 {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            } else {
                data_type
            };
            field.as_ref().clone().with_data_type(data_type)
        })
        .collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn is_column(field: &Field, id: i32, name: &str) -> bool {
    match field.metadata().get(parquet::arrow::PARQUET_FIELD_ID_META_KEY) {
        Some(own) => own.parse() == Ok(id),
        None => field.name() == name,
    }
}

fn hinted_type(data_type: &DataType, parquet: &SchemaDescriptor, leaf: &mut usize) -> DataType {
    let mut hinted = |field: &FieldRef| -> FieldRef {
        let inner = hinted_type(field.data_type(), parquet, leaf);
        Arc::new(field.as_ref().clone().with_data_type(inner))
    };
    match data_type {
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(&mut hinted).collect()),
        DataType::List(element) => DataType::List(hinted(element)),
        DataType::Map(entries, sorted) => DataType::Map(hinted(entries), *sorted),
        _ => {
            let index = *leaf;
            *leaf += 1;
            let stored = parquet.columns().get(index).map(|column| column.physical_type());
            match stored {
                Some(PhysicalType::INT96) => DataType::Timestamp(TimeUnit::Microsecond, None),
                _ => data_type.clone(),
            }
        }
    }
}
