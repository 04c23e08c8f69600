//! Lists. Elements equal as in comparisons; NULL elements equal each other where elements are told apart.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray, UInt32Array, make_comparator,
    new_empty_array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::kernels::interleave::interleave;
use datafusion::arrow::compute::{SortOptions, concat as concat_arrays, sort_to_indices, take};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::row::{RowConverter, SortField};
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::strings::text_at;
use super::{Call, declared_integer};
use crate::casts::value_text;
use crate::comparison::canonical;
use crate::expressions::Typed;
use crate::kernel::{Arguments, Kernel, invalid, overflow, unexpected};
use crate::texts::Texts;
use crate::types::element_field;

fn list_of(args: &Arguments, index: usize) -> Result<ListArray> {
    let array = args.array(index)?;
    array.as_list_opt::<i32>().cloned().ok_or_else(|| unexpected(&array))
}

/// The element type of a list argument.
fn element_type(call: &Call, index: usize) -> Result<DataType> {
    match call.type_of(index)? {
        DataType::List(field) => Ok(field.data_type().clone()),
        _ => Err(call.bad_type(index)),
    }
}

fn list_type(element: DataType) -> DataType {
    DataType::List(element_field(element))
}

/// Offsets of lists of these lengths.
fn offsets(lengths: impl Iterator<Item = usize>) -> Result<OffsetBuffer<i32>> {
    let mut total = 0usize;
    let mut all = vec![0i32];
    for length in lengths {
        total += length;
        all.push(i32::try_from(total).map_err(|_| overflow("a batch of lists has too many elements"))?);
    }
    Ok(OffsetBuffer::new(all.into()))
}

/// Lists of picked rows of a values array.
fn picked(field: &DataType, values: &ArrayRef, rows: &[Option<Vec<u32>>]) -> Result<ArrayRef> {
    let offsets = offsets(rows.iter().map(|row| row.as_ref().map_or(0, Vec::len)))?;
    let indices = UInt32Array::from_iter_values(rows.iter().flatten().flatten().copied());
    let values = take(values, &indices, None)?;
    let nulls = NullBuffer::from_iter(rows.iter().map(Option::is_some));
    let list = ListArray::try_new(element_field(field.clone()), offsets, values, Some(nulls))?;
    Ok(Arc::new(list))
}

/// The rows of a list's values that belong to a row.
fn span(list: &ListArray, row: usize) -> std::ops::Range<u32> {
    let offsets = list.value_offsets();
    let at = |index: usize| offsets.get(index).and_then(|v| u32::try_from(*v).ok()).unwrap_or_default();
    at(row)..at(row + 1)
}

/// ARRAY (elements), in the declared element type.
pub(super) fn constructor(mut call: Call) -> Result<Typed> {
    let DataType::List(field) = call.declared.clone() else {
        return Err(call.reject("is declared no array"));
    };
    let element = field.data_type().clone();
    call.widen(0..call.args.len(), &element)?;
    let result = list_type(element.clone());
    if call.args.is_empty() {
        // one value for each row: a kernel without arguments would be taken for a constant all the same
        let empty = ListArray::try_new(
            element_field(element.clone()),
            OffsetBuffer::from_lengths([0]),
            new_empty_array(&element),
            None,
        )?;
        return Ok(Typed::literal(datafusion::common::ScalarValue::List(Arc::new(empty))));
    }
    Ok(call.kernel("array", result, move |args| {
        let columns = (0..args.len()).map(|index| args.array(index)).collect::<Result<Vec<_>>>()?;
        let references: Vec<&dyn Array> = columns.iter().map(|column| column.as_ref()).collect();
        let places: Vec<(usize, usize)> =
            (0..args.rows()).flat_map(|row| (0..references.len()).map(move |column| (column, row))).collect();
        let values =
            if places.is_empty() { new_empty_array(&element) } else { interleave(&references, &places)? };
        let offsets = offsets((0..args.rows()).map(|_| references.len()))?;
        Ok(Arc::new(ListArray::try_new(element_field(element.clone()), offsets, values, None)?))
    }))
}

/// ARRAY_ELEMENT (list, index from 1): NULL outside.
pub(super) fn element(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    call.widen([1], &DataType::Int64)?;
    let element = element_type(&call, 0)?;
    Ok(call.kernel("array_element", element, |args| {
        let (list, indexes) = (list_of(args, 0)?, args.integers(1)?);
        let places: UInt32Array = (0..args.rows())
            .map(|row| {
                let span = span(&list, row);
                let inside = list.is_valid(row) && indexes.is_valid(row) && indexes.value(row) >= 1;
                let at =
                    i64::from(span.start) + if inside { indexes.value(row).min(i64::MAX / 2) - 1 } else { 0 };
                u32::try_from(at).ok().filter(|at| inside && span.contains(at))
            })
            .collect();
        Ok(take(list.values(), &places, None)?)
    }))
}

/// CARDINALITY of a list or map, in the declared integer type.
pub(super) fn cardinality(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    if !matches!(call.type_of(0)?, DataType::List(_) | DataType::Map(_, _)) {
        return Err(call.bad_type(0));
    }
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let natural = call.kernel("cardinality_of", DataType::Int64, |args| {
        let array = args.array(0)?;
        let offsets = match array.data_type() {
            DataType::Map(_, _) => array.as_map().offsets().clone(),
            _ => array.as_list::<i32>().offsets().clone(),
        };
        let counts: Int64Array = offsets
            .lengths()
            .enumerate()
            .map(|(row, length)| array.is_valid(row).then_some(length as i64))
            .collect();
        Ok(Arc::new(counts))
    });
    declared_integer(natural, &declared, node, &session)
}

/// ARRAY_CONTAINS (list, value): NULL if absent among NULLs. ARRAY_POSITION (list, value): from 1, NULL if absent.
pub(super) fn search(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    let element = element_type(&call, 0)?;
    call.widen([1], &element)?;
    let positions = call.function == F::ArrayPosition;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let (name, result) = if positions {
        ("array_position_of", DataType::Int64)
    } else {
        ("array_contains_value", DataType::Boolean)
    };
    let natural = call.kernel(name, result, move |args| {
        let list = list_of(args, 0)?;
        let values = canonical(list.values())?;
        let wanted = canonical(&args.array(1)?)?;
        let compare = make_comparator(&values, &wanted, SortOptions::default())?;
        let find = |row: usize| {
            span(&list, row).find(|at| values.is_valid(*at as usize) && compare(*at as usize, row).is_eq())
        };
        let usable = |row: usize| list.is_valid(row) && wanted.is_valid(row);
        if positions {
            let found: Int64Array = (0..args.rows())
                .map(|row| {
                    let at = usable(row).then(|| find(row)).flatten()?;
                    Some(i64::from(at - span(&list, row).start) + 1)
                })
                .collect();
            return Ok(Arc::new(found) as ArrayRef);
        }
        let found: BooleanArray = (0..args.rows())
            .map(|row| {
                if !usable(row) {
                    return None;
                }
                let present = find(row).is_some();
                let unknown = span(&list, row).any(|at| values.is_null(at as usize));
                (present || !unknown).then_some(present)
            })
            .collect();
        Ok(Arc::new(found))
    });
    if positions { declared_integer(natural, &declared, node, &session) } else { Ok(natural) }
}

/// ARRAY_TO_STRING (list, separator[, text for NULL]): NULL elements are skipped without it.
pub(super) fn to_string(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    element_type(&call, 0)?;
    call.widen(1..call.args.len(), &DataType::Utf8)?;
    let zone = call.session.zone;
    let kernel = Kernel::new("array_text", DataType::Utf8, move |args| {
        let (list, separators) = (list_of(args, 0)?, args.strings(1)?);
        let nulls = if args.len() == 3 { Some(args.strings(2)?) } else { None };
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let Some(separator) = text_at(&separators, row).filter(|_| list.is_valid(row)) else {
                texts.push(None::<&str>)?;
                continue;
            };
            let null = nulls.as_ref().and_then(|nulls| text_at(nulls, row));
            let mut parts = Vec::new();
            for at in span(&list, row) {
                if list.values().is_valid(at as usize) {
                    parts.push(value_text(list.values(), at as usize, zone)?);
                } else if let Some(null) = null {
                    parts.push(null.to_owned());
                }
            }
            texts.push(Some(parts.join(separator)))?;
        }
        Ok(texts.finish())
    })
    .parameters(zone.name())
    .fallible(call.node);
    Ok(Typed::new(kernel.apply(call.args), DataType::Utf8))
}

/// STRING_TO_ARRAY (text, separator[, text for NULL]): NULL separator splits into characters.
pub(super) fn from_string(mut call: Call) -> Result<Typed> {
    call.arity(2, 3)?;
    call.widen(0..call.args.len(), &DataType::Utf8)?;
    Ok(call.kernel("split_text", list_type(DataType::Utf8), |args| {
        let (strings, separators) = (args.strings(0)?, args.strings(1)?);
        let nulls = if args.len() == 3 { Some(args.strings(2)?) } else { None };
        let mut texts = Texts::new(args.rows());
        let mut lengths = Vec::with_capacity(args.rows());
        for row in 0..args.rows() {
            let null = nulls.as_ref().and_then(|nulls| text_at(nulls, row));
            let parts = text_at(&strings, row).map(|text| split(text, text_at(&separators, row)));
            lengths.push(parts.as_ref().map_or(0, Vec::len));
            for part in parts.into_iter().flatten() {
                texts.push((Some(part.as_str()) != null).then_some(part))?;
            }
        }
        let offsets = offsets(lengths.into_iter())?;
        let field = element_field(DataType::Utf8);
        Ok(Arc::new(ListArray::try_new(field, offsets, texts.finish(), strings.nulls().cloned())?))
    }))
}

fn split(text: &str, separator: Option<&str>) -> Vec<String> {
    match separator {
        None => text.chars().map(String::from).collect(),
        Some(_) if text.is_empty() => Vec::new(),
        Some("") => vec![text.to_owned()],
        Some(separator) => text.split(separator).map(str::to_owned).collect(),
    }
}

/// ARRAY_CONCAT (lists): NULL with NULL.
pub(super) fn concat(mut call: Call) -> Result<Typed> {
    call.arity(1, usize::MAX)?;
    let DataType::List(field) = call.declared.clone() else {
        return Err(call.reject("is declared no array"));
    };
    let element = field.data_type().clone();
    let result = list_type(element.clone());
    call.widen(0..call.args.len(), &result)?;
    Ok(call.kernel("array_concat_lists", result, move |args| {
        let lists = (0..args.len()).map(|index| list_of(args, index)).collect::<Result<Vec<_>>>()?;
        let parts: Vec<&dyn Array> = lists.iter().map(|list| list.values().as_ref()).collect();
        let values = concat_arrays(&parts)?;
        let mut base = 0u32;
        let bases: Vec<u32> = parts
            .iter()
            .map(|part| {
                let start = base;
                base += part.len() as u32;
                start
            })
            .collect();
        let rows: Vec<Option<Vec<u32>>> = (0..args.rows())
            .map(|row| {
                let complete = lists.iter().all(|list| list.is_valid(row));
                complete.then(|| {
                    lists
                        .iter()
                        .zip(&bases)
                        .flat_map(|(list, base)| span(list, row).map(move |at| base + at))
                        .collect()
                })
            })
            .collect();
        picked(&element, &values, &rows)
    }))
}

/// ARRAY_DISTINCT: each element once, in order.
pub(super) fn distinct(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let element = element_type(&call, 0)?;
    Ok(call.kernel("array_distinct_values", list_type(element.clone()), move |args| {
        let list = list_of(args, 0)?;
        let values = canonical(list.values())?;
        let converter = RowConverter::new(vec![SortField::new(element.clone())])?;
        let keys = converter.convert_columns(std::slice::from_ref(&values))?;
        let rows: Vec<Option<Vec<u32>>> = (0..args.rows())
            .map(|row| {
                let mut seen = HashSet::new();
                list.is_valid(row)
                    .then(|| span(&list, row).filter(|at| seen.insert(keys.row(*at as usize))).collect())
            })
            .collect();
        picked(&element, list.values(), &rows)
    }))
}

/// ARRAY_SLICE (list, from, to): positions from 1, both included, negative ones from the end.
pub(super) fn slice(mut call: Call) -> Result<Typed> {
    call.arity(3, 3)?;
    call.widen(1..3, &DataType::Int64)?;
    let element = element_type(&call, 0)?;
    Ok(call.kernel("array_slice_of", list_type(element.clone()), move |args| {
        let (list, starts, ends) = (list_of(args, 0)?, args.integers(1)?, args.integers(2)?);
        let rows: Vec<Option<Vec<u32>>> = (0..args.rows())
            .map(|row| {
                if list.is_null(row) || starts.is_null(row) || ends.is_null(row) {
                    return None;
                }
                let span = span(&list, row);
                let length = i64::from(span.end - span.start);
                let place = |at: i64| if at < 0 { length.saturating_add(at).saturating_add(1) } else { at };
                let (from, to) = (place(starts.value(row)).max(1), place(ends.value(row)).min(length));
                Some(
                    (from..=to).filter_map(|at| u32::try_from(i64::from(span.start) + at - 1).ok()).collect(),
                )
            })
            .collect();
        picked(&element, list.values(), &rows)
    }))
}

/// ARRAY_SORT (list): ascending, NULL last.
pub(super) fn sort(call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let element = element_type(&call, 0)?;
    if element.is_nested() {
        return Err(invalid("ARRAY_SORT of nested elements"));
    }
    Ok(call.kernel("array_sorted", list_type(element.clone()), move |args| {
        let list = list_of(args, 0)?;
        let values = canonical(list.values())?;
        let options = Some(SortOptions { descending: false, nulls_first: false });
        let mut rows = Vec::with_capacity(args.rows());
        for row in 0..args.rows() {
            let span = span(&list, row);
            rows.push(if list.is_valid(row) {
                let part = values.slice(span.start as usize, (span.end - span.start) as usize);
                let order = sort_to_indices(&part, options, None)?;
                Some(order.values().iter().map(|at| at + span.start).collect())
            } else {
                None
            });
        }
        picked(&element, list.values(), &rows)
    }))
}
