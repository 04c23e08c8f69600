//! Skipping row groups and pages that hold no row the filter keeps.
//!
//! Statistics are used only where they are sound for the column as SQL sees it (rules R41 to R43): no upper bound of floats, because
//! bounds leave NaN out; no bounds of text or decimals in the old, wrongly ordered form; none of types whose order changes on the way
//! from the file to the table. A filter never changes which rows deletes hit, because positions are physical.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, UInt64Array, new_null_array};
use datafusion::arrow::compute::nullif;
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, Float64Type, SchemaRef};
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::{Column as NamedColumn, Result as DataFusionResult, ScalarValue};
use datafusion::physical_expr::utils::{Guarantee, LiteralGuarantee};
use datafusion::physical_expr::{PhysicalExpr, conjunction, split_conjunction};
use datafusion::physical_expr_common::physical_expr::snapshot_physical_expr;
use datafusion::physical_optimizer::pruning::{PruningPredicate, PruningPredicateBuilder};
use fulmar_error::Result;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use parquet::basic::{ColumnOrder, Type as PhysicalType};
use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::PageLocation;

use crate::adapter::{Adapter, Column, Node, repeat};
use crate::convert::Conversion;
use crate::field::TableField;
use crate::key_bounds::ColumnRange;
use crate::output::{differs, to_output};
use crate::parquet_file::{ParquetFile, RowGroupPlace};

/// The filters of a scan over the table's columns.
#[derive(Debug)]
pub(crate) struct Pruner {
    schema: SchemaRef,
    predicates: Vec<Arc<dyn PhysicalExpr>>,
}

/// What is known of a column in one file.
#[derive(Debug, Clone)]
pub(crate) enum Known {
    /// Every row has this value, in output form.
    Constant(ArrayRef),
    /// A stored column.
    Stored(Stored),
}

#[derive(Debug, Clone)]
pub(crate) struct Stored {
    leaf: usize,
    stored: Field,
    conversion: Conversion,
    output: DataType,
    bounds: Bounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Both,
    LowerOnly,
    None,
}

/// The columns of one file that filters may ask about, by the name that the scan's schema gives them.
pub(crate) type KnownColumns = HashMap<String, Known>;

/// Collects what a file tells about the given columns: the name in the scan's schema, the field, its place in the adapter.
pub(crate) fn known_columns<'a>(
    file: &ParquetFile,
    adapter: &Adapter,
    columns: impl Iterator<Item = (&'a str, &'a TableField, usize)>,
) -> KnownColumns {
    columns
        .filter_map(|(name, field, index)| {
            Some((name.to_owned(), known_column(file, adapter, field, index)?))
        })
        .collect()
}

/// What a file tells about the field at a place of the adapter.
pub(crate) fn known_column(
    file: &ParquetFile,
    adapter: &Adapter,
    field: &TableField,
    index: usize,
) -> Option<Known> {
    match adapter.column(index)? {
        Column::Constant(value) => Some(Known::Constant(to_output(Arc::clone(value), field).ok()?)),
        Column::Stored { node: Node::Leaf(conversion), leaf: Some(leaf), .. } => {
            Some(Known::Stored(stored(file, field, conversion, *leaf)?))
        }
        Column::Stored { .. } => None,
    }
}

/// What the statistics of a row group say of a column.
pub(crate) fn column_range(file: &ParquetFile, column: &Known, place: &RowGroupPlace) -> ColumnRange {
    let known = KnownColumns::new();
    let groups = file.metadata.row_groups().get(place.index).into_iter().collect();
    let statistics = GroupStatistics { file, known: &known, groups };
    ColumnRange::of_statistics(
        statistics.bound(column, false),
        statistics.bound(column, true),
        statistics.nulls(column),
    )
}

fn stored(file: &ParquetFile, field: &TableField, conversion: &Conversion, leaf: usize) -> Option<Stored> {
    let root = file.columns.roots.iter().find(|root| root.leaves.start == leaf)?;
    let physical = file.schema().columns().get(leaf)?.physical_type();
    Some(Stored {
        leaf,
        stored: Field::new(&root.name, root.data_type.clone(), true),
        conversion: conversion.clone(),
        output: field.output_type(),
        bounds: bounds(&file.metadata, field, conversion, leaf, physical, &root.data_type),
    })
}

fn bounds(
    metadata: &ParquetMetaData,
    field: &TableField,
    conversion: &Conversion,
    leaf: usize,
    physical: PhysicalType,
    stored: &DataType,
) -> Bounds {
    if differs(&field.kind) || !conversion.keeps_order() || physical == PhysicalType::INT96 {
        return Bounds::None;
    }
    let ordered = matches!(metadata.file_metadata().column_order(leaf), ColumnOrder::TYPE_DEFINED_ORDER(_));
    match stored {
        DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Date32
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Timestamp(_, _) => Bounds::Both,
        DataType::Decimal128(_, _) | DataType::Utf8 if ordered => Bounds::Both,
        DataType::Float32 | DataType::Float64 => Bounds::LowerOnly,
        _ => Bounds::None,
    }
}

impl Pruner {
    /// Filters over the columns of `schema`; none if there is nothing to prune by.
    pub(crate) fn new(schema: SchemaRef, predicates: Vec<Arc<dyn PhysicalExpr>>) -> Option<Self> {
        (!predicates.is_empty()).then_some(Self { schema, predicates })
    }

    /// The filter as it stands now: dynamic filters grow while the query runs.
    fn current(&self) -> Vec<Arc<dyn PhysicalExpr>> {
        self.predicates
            .iter()
            .filter_map(|predicate| snapshot_physical_expr(Arc::clone(predicate)).ok())
            .collect()
    }

    fn prunable(&self, filter: Arc<dyn PhysicalExpr>) -> DataFusionResult<PruningPredicate> {
        PruningPredicateBuilder::new().with_file_schema(Arc::clone(&self.schema)).try_build(filter)
    }

    /// The row groups that may hold a row the filter keeps, by their statistics.
    pub(crate) fn row_groups(
        &self,
        file: &ParquetFile,
        known: &KnownColumns,
        places: Vec<RowGroupPlace>,
    ) -> Vec<RowGroupPlace> {
        let Ok(predicate) = self.prunable(conjunction(self.current())) else {
            return places;
        };
        if predicate.always_true() || places.is_empty() {
            return places;
        }
        let groups = places.iter().filter_map(|place| file.metadata.row_groups().get(place.index)).collect();
        let statistics = GroupStatistics { file, known, groups };
        match predicate.prune(&statistics) {
            Ok(keep) if keep.len() == places.len() => {
                places.into_iter().zip(keep).filter_map(|(place, keep)| keep.then_some(place)).collect()
            }
            _ => places,
        }
    }

    /// The pages of a row group that may hold such a row; none if all of them may.
    pub(crate) fn pages(
        &self,
        file: &ParquetFile,
        known: &KnownColumns,
        place: &RowGroupPlace,
    ) -> Option<RowSelection> {
        let rows = usize::try_from(place.rows).ok()?;
        let whole = conjunction(self.current());
        let mut selection: Option<RowSelection> = None;
        for part in split_conjunction(&whole) {
            let Ok(predicate) = self.prunable(Arc::clone(part)) else {
                continue;
            };
            let Some(name) =
                predicate.required_columns().single_column().map(|column| column.name().to_owned())
            else {
                continue;
            };
            let Some(Known::Stored(stored)) = known.get(&name) else {
                continue;
            };
            let Some(found) = page_selection(file, stored, &name, &predicate, place.index, rows) else {
                continue;
            };
            selection = Some(match selection {
                Some(before) => before.intersection(&found),
                None => found,
            });
        }
        selection.filter(|selection| selection.row_count() < rows)
    }

    /// Whether Bloom filters rule a row group out.
    pub(crate) async fn ruled_out(
        &self,
        file: &ParquetFile,
        known: &KnownColumns,
        place: &RowGroupPlace,
    ) -> Result<bool> {
        let guarantees = LiteralGuarantee::analyze(&conjunction(self.current()));
        for guarantee in guarantees.iter().filter(|guarantee| guarantee.guarantee == Guarantee::In) {
            let Some(Known::Stored(stored)) = known.get(guarantee.column.name()) else {
                continue;
            };
            if stored.conversion != Conversion::Same || !hashes_plainly(&stored.output) {
                continue;
            }
            let filter = file
                .builder()
                .get_row_group_column_bloom_filter(place.index, stored.leaf)
                .await
                .map_err(|error| crate::storage::parquet_error(error, file.file.identity()))?;
            let Some(filter) = filter else { continue };
            if !guarantee.literals.iter().any(|value| may_contain(&filter, value)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Types whose values enter a Bloom filter as they are.
fn hashes_plainly(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Int32 | DataType::Int64 | DataType::Date32 | DataType::Utf8)
}

fn may_contain(filter: &Sbbf, value: &ScalarValue) -> bool {
    match value {
        ScalarValue::Int32(Some(value)) | ScalarValue::Date32(Some(value)) => filter.check(value),
        ScalarValue::Int64(Some(value)) => filter.check(value),
        ScalarValue::Utf8(Some(value)) => filter.check(value.as_bytes()),
        _ => true,
    }
}

struct GroupStatistics<'a> {
    file: &'a ParquetFile,
    known: &'a KnownColumns,
    groups: Vec<&'a RowGroupMetaData>,
}

impl GroupStatistics<'_> {
    fn bound(&self, column: &Known, upper: bool) -> Option<ArrayRef> {
        match column {
            Known::Constant(value) => constant_bound(value, self.groups.len()),
            Known::Stored(stored) => {
                if stored.bounds == Bounds::None || (upper && stored.bounds == Bounds::LowerOnly) {
                    return None;
                }
                let converter = stored.converter(self.file)?;
                let groups = self.groups.iter().copied();
                let values =
                    if upper { converter.row_group_maxes(groups) } else { converter.row_group_mins(groups) };
                let values = stored.convert(&values.ok()?)?;
                self.without_old_bounds(stored, values)
            }
        }
    }

    fn nulls(&self, column: &Known) -> Option<ArrayRef> {
        match column {
            Known::Constant(value) => {
                let null = value.data_type().is_null() || value.is_null(0);
                Some(counts(self.groups.iter().map(|group| if null { row_count(group) } else { 0 })))
            }
            Known::Stored(stored) => {
                let converter = stored.converter(self.file)?;
                let nulls = converter.row_group_null_counts(self.groups.iter().copied());
                nulls.ok().map(|counts| Arc::new(counts) as ArrayRef)
            }
        }
    }

    /// Leaves out bounds in the old form, whose order is right for plain integers only.
    fn without_old_bounds(&self, stored: &Stored, values: ArrayRef) -> Option<ArrayRef> {
        let old: Vec<bool> = self
            .groups
            .iter()
            .map(|group| {
                group
                    .columns()
                    .get(stored.leaf)
                    .and_then(|column| column.statistics())
                    .is_some_and(|statistics| statistics.is_min_max_deprecated())
            })
            .collect();
        let plain = !matches!(stored.stored.data_type(), DataType::Utf8 | DataType::Decimal128(_, _));
        if plain || !old.contains(&true) {
            return Some(values);
        }
        nullif(&values, &BooleanArray::from(old)).ok()
    }
}

impl Stored {
    fn converter<'a>(&'a self, file: &'a ParquetFile) -> Option<StatisticsConverter<'a>> {
        StatisticsConverter::from_column_index(self.leaf, &self.stored, file.schema())
            .ok()
            .map(|converter| converter.with_missing_null_counts_as_zero(false))
    }

    /// Bounds as the table's values; floats so that they stay below every value that equals them.
    fn convert(&self, values: &ArrayRef) -> Option<ArrayRef> {
        let converted = self.conversion.apply(values).ok()?;
        if *converted.data_type() != self.output {
            return None;
        }
        Some(match converted.data_type() {
            DataType::Float32 => {
                Arc::new(converted.as_primitive::<Float32Type>().unary_opt::<_, Float32Type>(|value| {
                    (!value.is_nan()).then_some(if value == 0.0 { -0.0 } else { value })
                }))
            }
            DataType::Float64 => {
                Arc::new(converted.as_primitive::<Float64Type>().unary_opt::<_, Float64Type>(|value| {
                    (!value.is_nan()).then_some(if value == 0.0 { -0.0 } else { value })
                }))
            }
            _ => converted,
        })
    }
}

/// A constant bounds itself; NULL has no bounds, and neither have values whose order is not that of their bits.
fn constant_bound(value: &ArrayRef, count: usize) -> Option<ArrayRef> {
    let bounded =
        !value.data_type().is_nested() && !value.data_type().is_floating() && !value.data_type().is_null();
    if !bounded || value.is_null(0) {
        return None;
    }
    repeat(value, count).ok()
}

fn counts(values: impl Iterator<Item = u64>) -> ArrayRef {
    Arc::new(UInt64Array::from_iter_values(values))
}

impl PruningStatistics for GroupStatistics<'_> {
    fn min_values(&self, column: &NamedColumn) -> Option<ArrayRef> {
        self.bound(self.known.get(column.name())?, false)
    }

    fn max_values(&self, column: &NamedColumn) -> Option<ArrayRef> {
        self.bound(self.known.get(column.name())?, true)
    }

    fn num_containers(&self) -> usize {
        self.groups.len()
    }

    fn null_counts(&self, column: &NamedColumn) -> Option<ArrayRef> {
        self.nulls(self.known.get(column.name())?)
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        Some(counts(self.groups.iter().map(|group| row_count(group))))
    }

    fn contained(&self, _column: &NamedColumn, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}

fn row_count(group: &RowGroupMetaData) -> u64 {
    u64::try_from(group.num_rows()).unwrap_or(0)
}

/// What the page index tells about one column of a row group.
struct PageStatistics<'a> {
    name: &'a str,
    rows: Vec<usize>,
    lower: Option<ArrayRef>,
    upper: Option<ArrayRef>,
    nulls: ArrayRef,
}

fn page_selection(
    file: &ParquetFile,
    stored: &Stored,
    name: &str,
    predicate: &PruningPredicate,
    group: usize,
    rows: usize,
) -> Option<RowSelection> {
    let index = file.metadata.column_index()?;
    let offsets = file.metadata.offset_index()?;
    index.get(group)?.get(stored.leaf)?;
    let page_rows = page_rows(offsets.get(group)?.get(stored.leaf)?.page_locations(), rows)?;
    let converter = stored.converter(file)?;
    let bound = |upper: bool| -> Option<ArrayRef> {
        if stored.bounds == Bounds::None || (upper && stored.bounds == Bounds::LowerOnly) {
            return None;
        }
        let values = if upper {
            converter.data_page_maxes(index, offsets, [&group])
        } else {
            converter.data_page_mins(index, offsets, [&group])
        };
        let values = stored.convert(&values.ok()?)?;
        (values.len() == page_rows.len()).then_some(values)
    };
    let nulls = converter
        .data_page_null_counts(index, offsets, [&group])
        .ok()
        .filter(|counts| counts.len() == page_rows.len())
        .map_or_else(
            || new_null_array(&DataType::UInt64, page_rows.len()),
            |counts| Arc::new(counts) as ArrayRef,
        );
    let statistics = PageStatistics { name, lower: bound(false), upper: bound(true), nulls, rows: page_rows };
    let keep = predicate.prune(&statistics).ok()?;
    if keep.len() != statistics.rows.len() || !keep.contains(&false) {
        return None;
    }
    let selectors: Vec<RowSelector> = statistics
        .rows
        .iter()
        .zip(keep)
        .map(|(rows, keep)| if keep { RowSelector::select(*rows) } else { RowSelector::skip(*rows) })
        .collect();
    Some(RowSelection::from(selectors))
}

/// The number of rows of each page, if the pages cover the row group from its first row.
fn page_rows(locations: &[PageLocation], rows: usize) -> Option<Vec<usize>> {
    let starts: Vec<usize> = locations
        .iter()
        .map(|location| usize::try_from(location.first_row_index).ok())
        .collect::<Option<_>>()?;
    if starts.first() != Some(&0) {
        return None;
    }
    let ends = starts.iter().skip(1).copied().chain([rows]);
    starts.iter().zip(ends).map(|(start, end)| end.checked_sub(*start)).collect()
}

impl PruningStatistics for PageStatistics<'_> {
    fn min_values(&self, column: &NamedColumn) -> Option<ArrayRef> {
        (column.name() == self.name).then(|| self.lower.clone())?
    }

    fn max_values(&self, column: &NamedColumn) -> Option<ArrayRef> {
        (column.name() == self.name).then(|| self.upper.clone())?
    }

    fn num_containers(&self) -> usize {
        self.rows.len()
    }

    fn null_counts(&self, column: &NamedColumn) -> Option<ArrayRef> {
        (column.name() == self.name).then(|| Arc::clone(&self.nulls))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        Some(counts(self.rows.iter().map(|rows| *rows as u64)))
    }

    fn contained(&self, _column: &NamedColumn, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}
