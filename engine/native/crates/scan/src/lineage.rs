//! The reserved columns of row lineage (rules R35 and R36).

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, new_null_array};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use fulmar_error::{EngineError, Result};
use fulmar_proto::{FileTask, IcebergType, PrimitiveType, SchemaField, iceberg_type};

use crate::adapter::FieldPath;
use crate::field::{Kind, TableField};

const ROW_ID: i32 = 2_147_483_540;
const LAST_UPDATED: i32 = 2_147_483_539;

/// The stored `_row_id`, where a file has one.
pub(crate) fn row_id() -> FieldPath {
    vec![Arc::new(optional_long(ROW_ID, "_row_id"))]
}

/// The stored `_last_updated_sequence_number`, where a file has one.
pub(crate) fn last_updated() -> FieldPath {
    vec![Arc::new(optional_long(LAST_UPDATED, "_last_updated_sequence_number"))]
}

fn optional_long(id: i32, name: &str) -> TableField {
    TableField {
        id,
        name: name.to_owned(),
        required: false,
        kind: Kind::Primitive(PrimitiveType::IcebergLong),
        default: None,
    }
}

/// The message of a reserved column, for reads that the host makes.
pub(crate) fn message(field: &TableField) -> Result<SchemaField> {
    if field.id != ROW_ID && field.id != LAST_UPDATED {
        return Err(EngineError::internal(format!("Field {} is not in the schema", field.id)));
    }
    Ok(SchemaField {
        id: field.id,
        name: field.name.clone(),
        required: false,
        r#type: Some(Box::new(IcebergType {
            kind: Some(iceberg_type::Kind::Primitive(PrimitiveType::IcebergLong.into())),
        })),
        initial_default: None,
    })
}

/// `_row_id`: the stored one, else the file's first id plus the position. Files without a first id have none.
pub(crate) fn row_ids(stored: &ArrayRef, positions: &ArrayRef, task: &FileTask) -> ArrayRef {
    let Some(first) = task.first_row_id else {
        return new_null_array(&DataType::Int64, stored.len());
    };
    let stored = stored.as_primitive::<Int64Type>();
    let positions = positions.as_primitive::<Int64Type>();
    let ids = stored
        .iter()
        .zip(positions.values())
        .map(|(id, position)| Some(id.unwrap_or(first.wrapping_add(*position))));
    Arc::new(Int64Array::from_iter(ids))
}

/// `_last_updated_sequence_number`: the stored one, else the file's data sequence number. Files without a first id have none.
pub(crate) fn sequence_numbers(stored: &ArrayRef, task: &FileTask) -> ArrayRef {
    if task.first_row_id.is_none() {
        return new_null_array(&DataType::Int64, stored.len());
    }
    let own = task.data_sequence_number;
    let numbers = stored.as_primitive::<Int64Type>().iter().map(|number| Some(number.unwrap_or(own)));
    Arc::new(Int64Array::from_iter(numbers))
}
