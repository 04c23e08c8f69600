//! From the internal form of a column to what SQL sees.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryBuilder, ListArray, MapArray, StringBuilder, StructArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::PrimitiveType;
use parquet::variant::{Variant, VariantArray, unshred_variant, variant_to_json};

use crate::field::{Kind, TableField, element_field, map_type, variant_type};

/// The column as SQL sees it.
pub(crate) fn to_output(array: ArrayRef, field: &TableField) -> Result<ArrayRef> {
    if !differs(&field.kind) {
        return Ok(array);
    }
    match &field.kind {
        Kind::Primitive(PrimitiveType::IcebergUuid) => uuid_text(&array),
        Kind::Primitive(PrimitiveType::IcebergVariant) => variant_json(&array),
        Kind::Primitive(_) | Kind::Decimal(_, _) => Ok(array),
        Kind::Fixed(_) => fixed_to_binary(&array),
        Kind::Struct(children) => struct_output(&array, children, field),
        Kind::List(element) => {
            let list = array.as_list_opt::<i32>().ok_or_else(|| wrong_shape(&array, "a list"))?;
            let values = to_output(Arc::clone(list.values()), element)?;
            Ok(Arc::new(ListArray::try_new(
                element_field(values.data_type().clone()),
                list.offsets().clone(),
                values,
                list.nulls().cloned(),
            )?))
        }
        Kind::Map(key, value) => map_output(&array, key, value),
    }
}

/// Whether the two forms of a field differ.
pub(crate) fn differs(kind: &Kind) -> bool {
    match kind {
        Kind::Primitive(primitive) => {
            matches!(primitive, PrimitiveType::IcebergUuid | PrimitiveType::IcebergVariant)
        }
        Kind::Decimal(_, _) => false,
        Kind::Fixed(_) => true,
        Kind::Struct(children) => children.iter().any(|child| differs(&child.kind)),
        Kind::List(element) => differs(&element.kind),
        Kind::Map(key, value) => differs(&key.kind) || differs(&value.kind),
    }
}

fn wrong_shape(array: &ArrayRef, expected: &str) -> EngineError {
    EngineError::internal(format!("Expected {expected}, found {}", array.data_type()))
}

fn struct_output(array: &ArrayRef, children: &[Arc<TableField>], field: &TableField) -> Result<ArrayRef> {
    let parts = array.as_struct_opt().ok_or_else(|| wrong_shape(array, "a struct"))?;
    let columns = parts
        .columns()
        .iter()
        .zip(children)
        .map(|(column, child)| to_output(Arc::clone(column), child))
        .collect::<Result<Vec<_>>>()?;
    let DataType::Struct(fields) = field.output_type() else {
        return Err(wrong_shape(array, "a struct"));
    };
    Ok(Arc::new(StructArray::try_new_with_length(fields, columns, parts.nulls().cloned(), parts.len())?))
}

fn map_output(array: &ArrayRef, key: &TableField, value: &TableField) -> Result<ArrayRef> {
    let map = array.as_map_opt().ok_or_else(|| wrong_shape(array, "a map"))?;
    let keys = to_output(Arc::clone(map.keys()), key)?;
    let values = to_output(Arc::clone(map.values()), value)?;
    map_array(keys, values, map)
}

/// A map of other keys and values, at the places of `shape`.
pub(crate) fn map_array(keys: ArrayRef, values: ArrayRef, shape: &MapArray) -> Result<ArrayRef> {
    let data_type = map_type(keys.data_type().clone(), values.data_type().clone());
    if let DataType::Map(entries_field, _) = &data_type
        && let DataType::Struct(fields) = entries_field.data_type()
    {
        let entries = StructArray::try_new(fields.clone(), vec![keys, values], None)?;
        return Ok(Arc::new(MapArray::try_new(
            Arc::clone(entries_field),
            shape.offsets().clone(),
            entries,
            shape.nulls().cloned(),
            false,
        )?));
    }
    Err(EngineError::internal(format!("{data_type} is no map")))
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn uuid_text(array: &ArrayRef) -> Result<ArrayRef> {
    let bytes = array.as_fixed_size_binary_opt().ok_or_else(|| wrong_shape(array, "uuids"))?;
    let mut builder = StringBuilder::with_capacity(bytes.len(), bytes.len() * 36);
    let mut text = String::with_capacity(36);
    for value in bytes.iter() {
        let Some(value) = value else {
            builder.append_null();
            continue;
        };
        text.clear();
        for (index, byte) in value.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(HEX.get(usize::from(digit)).copied().unwrap_or(b'0')));
            }
        }
        builder.append_value(&text);
    }
    Ok(Arc::new(builder.finish()))
}

fn fixed_to_binary(array: &ArrayRef) -> Result<ArrayRef> {
    let bytes = array.as_fixed_size_binary_opt().ok_or_else(|| wrong_shape(array, "fixed-size binary"))?;
    let width = usize::try_from(bytes.value_length()).unwrap_or(0);
    let mut builder = BinaryBuilder::with_capacity(bytes.len(), bytes.len() * width);
    for value in bytes.iter() {
        builder.append_option(value);
    }
    Ok(Arc::new(builder.finish()))
}

/// JSON text of variants, shredded or not.
fn variant_json(array: &ArrayRef) -> Result<ArrayRef> {
    let parts = array.as_struct_opt().ok_or_else(|| wrong_shape(array, "a variant"))?;
    let whole = VariantArray::try_new(parts)
        .and_then(|shredded| unshred_variant(&shredded))
        .map_err(unreadable_variant)?
        .into_inner();
    let metadata = binary_part(&whole, "metadata")?;
    let value = binary_part(&whole, "value")?;
    for row in (0..whole.len()).filter(|row| whole.is_valid(*row)) {
        if metadata.is_null(row) || value.is_null(row) {
            return Err(unreadable_variant(ArrowError::InvalidArgumentError("it has no value".to_owned())));
        }
        Variant::try_new(metadata.value(row), value.value(row)).map_err(unreadable_variant)?;
    }
    let DataType::Struct(fields) = variant_type() else {
        return Err(wrong_shape(array, "a variant"));
    };
    let columns: Vec<ArrayRef> = vec![Arc::new(metadata), Arc::new(value)];
    let plain: ArrayRef = Arc::new(StructArray::try_new(fields, columns, whole.nulls().cloned())?);
    Ok(Arc::new(variant_to_json(&plain).map_err(unreadable_variant)?))
}

fn binary_part(whole: &StructArray, name: &str) -> Result<BinaryArray> {
    let part = whole
        .column_by_name(name)
        .ok_or_else(|| unreadable_variant(ArrowError::InvalidArgumentError(format!("it has no {name}"))))?;
    Ok(cast(part, &DataType::Binary)?.as_binary::<i32>().clone())
}

fn unreadable_variant(error: ArrowError) -> EngineError {
    EngineError::new(ErrorCode::UnsupportedFile, format!("A variant cannot be read: {error}"))
}
