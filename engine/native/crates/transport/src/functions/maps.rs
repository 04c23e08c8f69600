//! Structs, maps, JSON and TYPEOF.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, ListArray, MapArray, StructArray, UInt32Array, make_comparator, new_empty_array,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::kernels::interleave::interleave;
use datafusion::arrow::compute::{SortOptions, take};
use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::arrow::row::{RowConverter, SortField};
use fulmar_error::{ErrorCode, Result};
use fulmar_proto::ScalarFunction as F;

use super::Call;
use super::strings::text_at;
use crate::comparison::canonical;
use crate::expressions::Typed;
use crate::json::{Path, value_to_json};
use crate::kernel::{Arguments, Kernel, invalid, unexpected};
use crate::texts::Texts;
use crate::types::{element_field, sql_name};

fn map_of(args: &Arguments, index: usize) -> Result<MapArray> {
    let array = args.array(index)?;
    array.as_map_opt().cloned().ok_or_else(|| unexpected(&array))
}

/// The types of a map argument's keys and values.
fn entry_types(data_type: &DataType) -> Option<(DataType, DataType)> {
    match data_type {
        DataType::Map(field, _) => match field.data_type() {
            DataType::Struct(fields) => match fields.as_ref() {
                [key, value] => Some((key.data_type().clone(), value.data_type().clone())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// MAP_VALUE (map, key): NULL if absent.
pub(super) fn value(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    let (key, value) = entry_types(call.type_of(0)?).ok_or_else(|| call.bad_type(0))?;
    call.widen([1], &key)?;
    Ok(call.kernel("map_value", value, |args| {
        let map = map_of(args, 0)?;
        let keys = canonical(map.keys())?;
        let wanted = canonical(&args.array(1)?)?;
        let compare = make_comparator(&keys, &wanted, SortOptions::default())?;
        let places: UInt32Array = (0..args.rows())
            .map(|row| {
                let (start, end) = span(&map, row);
                let usable = map.is_valid(row) && wanted.is_valid(row);
                (start..end).find(|at| usable && compare(*at as usize, row).is_eq())
            })
            .collect();
        Ok(take(map.values(), &places, None)?)
    }))
}

fn span(map: &MapArray, row: usize) -> (u32, u32) {
    let offsets = map.value_offsets();
    let at = |index: usize| offsets.get(index).and_then(|v| u32::try_from(*v).ok()).unwrap_or_default();
    (at(row), at(row + 1))
}

/// MAP_KEYS and MAP_VALUES: lists in the map's order.
pub(super) fn parts(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let (key, value) = entry_types(call.type_of(0)?).ok_or_else(|| call.bad_type(0))?;
    let keys = call.function == F::MapKeys;
    let (name, element) = if keys { ("map_key_list", key) } else { ("map_value_list", value) };
    Ok(call.kernel(name, DataType::List(element_field(element.clone())), move |args| {
        let map = map_of(args, 0)?;
        let values = if keys { map.keys() } else { map.values() };
        Ok(Arc::new(ListArray::try_new(
            element_field(element.clone()),
            map.offsets().clone(),
            Arc::clone(values),
            map.nulls().cloned(),
        )?))
    }))
}

/// ROW (fields): a struct with the declared names.
pub(super) fn row(mut call: Call) -> Result<Typed> {
    let DataType::Struct(fields) = call.declared.clone() else {
        return Err(call.reject("is declared no row"));
    };
    call.arity(fields.len(), fields.len())?;
    for (index, field) in fields.iter().enumerate() {
        call.widen([index], field.data_type())?;
    }
    if fields.is_empty() {
        let empty = StructArray::new_empty_fields(1, None);
        return Ok(Typed::literal(datafusion::common::ScalarValue::Struct(Arc::new(empty))));
    }
    let result = call.declared.clone();
    Ok(call.kernel("row", result, move |args| {
        let columns = (0..args.len()).map(|index| args.array(index)).collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), columns, None, args.rows())?))
    }))
}

/// MAP_OF (key, value, ...): a NULL or repeated key is an invalid argument.
pub(super) fn constructor(mut call: Call) -> Result<Typed> {
    let (key, value) = entry_types(&call.declared).ok_or_else(|| call.reject("is declared no map"))?;
    if !call.args.len().is_multiple_of(2) {
        return Err(call.reject("has a key without a value"));
    }
    for index in 0..call.args.len() {
        call.widen([index], if index % 2 == 0 { &key } else { &value })?;
    }
    let result = call.declared.clone();
    if call.args.is_empty() {
        let empty = empty_map(&result)?;
        return Ok(Typed::literal(datafusion::common::ScalarValue::Map(Arc::new(empty))));
    }
    let wanted = result.clone();
    Ok(call.fallible("map_of", result, move |args| {
        let columns = (0..args.len()).map(|index| args.array(index)).collect::<Result<Vec<_>>>()?;
        let pairs = columns.len() / 2;
        let woven = |first: usize| -> Result<ArrayRef> {
            let parts: Vec<&dyn Array> =
                columns.iter().skip(first).step_by(2).map(|column| column.as_ref()).collect();
            let places: Vec<(usize, usize)> =
                (0..args.rows()).flat_map(|row| (0..pairs).map(move |column| (column, row))).collect();
            if places.is_empty() {
                return Ok(new_empty_array(columns.get(first).map_or(&DataType::Null, |c| c.data_type())));
            }
            Ok(interleave(&parts, &places)?)
        };
        let (keys, values) = (woven(0)?, woven(1)?);
        check_keys(&keys, pairs)?;
        let DataType::Map(field, sorted) = &wanted else { return Err(unexpected(&keys)) };
        let DataType::Struct(fields) = field.data_type() else { return Err(unexpected(&keys)) };
        let entries = StructArray::try_new(fields.clone(), vec![keys, values], None)?;
        let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(pairs, args.rows()));
        Ok(Arc::new(MapArray::try_new(Arc::clone(field), offsets, entries, None, *sorted)?))
    }))
}

fn empty_map(data_type: &DataType) -> Result<MapArray> {
    let (field, fields): (_, &Fields) = match data_type {
        DataType::Map(field, _) => match field.data_type() {
            DataType::Struct(fields) => (field, fields),
            _ => return Err(invalid("a map without entries")),
        },
        _ => return Err(invalid("no map")),
    };
    let columns = fields.iter().map(|field| new_empty_array(field.data_type())).collect();
    let entries = StructArray::try_new(fields.clone(), columns, None)?;
    Ok(MapArray::try_new(Arc::clone(field), OffsetBuffer::from_lengths([0]), entries, None, false)?)
}

fn check_keys(keys: &ArrayRef, pairs: usize) -> Result<()> {
    if keys.null_count() > 0 {
        return Err(invalid("a map key is NULL"));
    }
    let keys = canonical(keys)?;
    let converter = RowConverter::new(vec![SortField::new(keys.data_type().clone())])?;
    let rows = converter.convert_columns(std::slice::from_ref(&keys))?;
    for start in (0..keys.len()).step_by(pairs.max(1)) {
        let mut seen = HashSet::new();
        if !(start..start + pairs).all(|at| seen.insert(rows.row(at))) {
            return Err(invalid("a map has a key twice"));
        }
    }
    Ok(())
}

/// TO_JSON: the JSON text of any value; NULL stays NULL.
pub(super) fn to_json(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let zone = call.session.zone;
    let kernel = Kernel::new("to_json_text", DataType::Utf8, move |args| {
        let array = args.array(0)?;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let null = array.is_null(row) || *array.data_type() == DataType::Null;
            texts.push(if null { None } else { Some(value_to_json(&array, row, zone)?) })?;
        }
        Ok(texts.finish())
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), DataType::Utf8))
}

/// JSON_VALUE (text, path): the scalar as text; NULL for a text that is no JSON.
pub(super) fn json_value(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen(0..2, &DataType::Utf8)?;
    if let Some(Some(Some(path))) = call.arg(1)?.as_literal().map(|value| value.try_as_str()) {
        Path::parse(path)
            .map_err(|error| fulmar_error::EngineError::new(ErrorCode::InvalidArgument, error.message()))?;
    }
    Ok(call.fallible("json_scalar", DataType::Utf8, |args| {
        let (documents, paths) = (args.strings(0)?, args.strings(1)?);
        let mut last: Option<(String, Path)> = None;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let Some((document, text)) = text_at(&documents, row).zip(text_at(&paths, row)) else {
                texts.push(None::<&str>)?;
                continue;
            };
            if last.as_ref().is_none_or(|(known, _)| known != text) {
                last = Some((text.to_owned(), Path::parse(text)?));
            }
            texts.push(last.as_ref().and_then(|(_, path)| path.scalar(document)))?;
        }
        Ok(texts.finish())
    }))
}

/// TYPEOF: the SQL name of the argument's type.
pub(super) fn type_name(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let name = sql_name(call.type_of(0)?);
    Ok(Typed::literal(name.as_str().into()))
}
