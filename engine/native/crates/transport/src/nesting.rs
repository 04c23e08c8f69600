//! Structure of nested values: relabelling and field access.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray, make_array};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::DataType;
use fulmar_error::{EngineError, Result};

use crate::expressions::Typed;
use crate::kernel::{Kernel, unexpected};
use crate::types::sql_name;

/// The same values under a type whose nested fields have other names.
pub(crate) fn relabel(typed: Typed, target: &DataType) -> Typed {
    let wanted = target.clone();
    let kernel = Kernel::new("relabel", target.clone(), move |args| relabel_array(&args.array(0)?, &wanted));
    Typed::new(kernel.call(vec![typed.expr]), target.clone())
}

/// The array under a type that is the same but for names and nullability of nested fields.
pub(crate) fn relabel_array(array: &ArrayRef, target: &DataType) -> Result<ArrayRef> {
    if array.data_type() == target {
        return Ok(Arc::clone(array));
    }
    Ok(match target {
        DataType::List(field) => {
            let list = array.as_list_opt::<i32>().ok_or_else(|| unexpected(array))?;
            Arc::new(ListArray::try_new(
                Arc::clone(field),
                list.offsets().clone(),
                relabel_array(list.values(), field.data_type())?,
                list.nulls().cloned(),
            )?)
        }
        DataType::Struct(fields) => {
            let structs = array.as_struct_opt().ok_or_else(|| unexpected(array))?;
            let columns = structs
                .columns()
                .iter()
                .zip(fields)
                .map(|(column, field)| relabel_array(column, field.data_type()))
                .collect::<Result<_>>()?;
            Arc::new(StructArray::try_new_with_length(
                fields.clone(),
                columns,
                array.nulls().cloned(),
                array.len(),
            )?)
        }
        DataType::Map(field, sorted) => {
            let map = array.as_map_opt().ok_or_else(|| unexpected(array))?;
            let entries: ArrayRef = Arc::new(map.entries().clone());
            Arc::new(MapArray::try_new(
                Arc::clone(field),
                map.offsets().clone(),
                relabel_array(&entries, field.data_type())?.as_struct().clone(),
                map.nulls().cloned(),
                *sorted,
            )?)
        }
        _ => return Err(unexpected(array)),
    })
}

/// A field of a struct; NULL where the struct is.
pub(crate) fn access_field(input: Typed, ordinal: u32) -> Result<Typed> {
    let index = ordinal as usize;
    let field = match &input.data_type {
        DataType::Struct(fields) => fields.get(index),
        _ => None,
    };
    let data_type = field
        .ok_or_else(|| EngineError::plan(format!("{} has no field {ordinal}", sql_name(&input.data_type))))?
        .data_type()
        .clone();
    let kernel = Kernel::new("field", data_type.clone(), move |args| {
        let array = args.array(0)?;
        let structs = array.as_struct_opt().ok_or_else(|| unexpected(&array))?;
        let column = structs.columns().get(index).ok_or_else(|| unexpected(&array))?;
        with_nulls(column, structs.nulls())
    })
    .parameters(ordinal.to_string());
    Ok(Typed::new(kernel.call(vec![input.expr]), data_type))
}

/// The array with further rows NULL.
pub(crate) fn with_nulls(array: &ArrayRef, nulls: Option<&NullBuffer>) -> Result<ArrayRef> {
    if nulls.is_none_or(|nulls| nulls.null_count() == 0) || *array.data_type() == DataType::Null {
        return Ok(Arc::clone(array));
    }
    let nulls = NullBuffer::union(array.nulls(), nulls);
    let data = array.to_data().into_builder().nulls(nulls).build()?;
    Ok(make_array(data))
}

/// A map's entries as a list of structs.
pub(crate) fn map_entries(array: &ArrayRef) -> Result<ArrayRef> {
    let map: &MapArray = array.as_map_opt().ok_or_else(|| unexpected(array))?;
    let entries: ArrayRef = Arc::new(map.entries().clone());
    let field = crate::types::element_field(entries.data_type().clone());
    Ok(Arc::new(ListArray::try_new(field, map.offsets().clone(), entries, map.nulls().cloned())?))
}
