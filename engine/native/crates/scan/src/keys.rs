//! Keys of equality deletes: columns of one batch as values that compare bit by bit.
//!
//! NULL equals NULL (rule R16); floats compare by canonical bits, so that NaN equals NaN and the zeros differ (rule R20).

use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::buffer::{Buffer, NullBuffer, OffsetBuffer};
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int32Type, Int64Type,
    Time64MicrosecondType, TimeUnit, TimestampMicrosecondType, TimestampNanosecondType,
};
use datafusion::arrow::row::{RowConverter, Rows, SortField};
use fulmar_error::{EngineError, Result};
use hashbrown::DefaultHashBuilder;

use crate::adapter::FieldPath;

/// One hash function for the whole process: keys and rows must agree.
static BYTE_HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// How the keys of one id set are represented.
pub(crate) struct KeyLayout {
    paths: Vec<FieldPath>,
    shape: Shape,
    rows: Option<RowConverter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One integer, date, time or timestamp.
    Int,
    /// Two of them, or one decimal or uuid.
    Wide,
    /// One text or binary column.
    Bytes,
    /// Anything else, in Arrow's row format.
    Rows,
}

/// Integers of a key column, not copied.
pub(crate) enum Integers<'a> {
    Int32(&'a [i32]),
    Int64(&'a [i64]),
}

/// The keys of one batch.
pub(crate) struct KeyBatch {
    pub(crate) keys: Keys,
    pub(crate) hashes: Vec<u64>,
    /// For each row, one bit for each NULL column; none where no row has one.
    pub(crate) nulls: Option<Vec<u8>>,
}

pub(crate) enum Keys {
    Int(Vec<u64>),
    Wide(Vec<u128>),
    Bytes(ByteKeys),
}

/// Keys of any length.
pub(crate) enum ByteKeys {
    Column(OffsetBuffer<i32>, Buffer),
    Rows(Rows),
}

impl ByteKeys {
    pub(crate) fn get(&self, row: usize) -> &[u8] {
        match self {
            Self::Column(offsets, data) => {
                let start = usize::try_from(offsets[row]).unwrap_or(0);
                let end = usize::try_from(offsets[row + 1]).unwrap_or(0);
                &data[start..end]
            }
            Self::Rows(rows) => rows.row(row).data(),
        }
    }
}

impl KeyBatch {
    /// Keys of one integer column without NULLs.
    pub(crate) fn of_integers(keys: Vec<u64>) -> Self {
        let hashes = keys.iter().map(|key| mix(*key)).collect();
        Self { keys: Keys::Int(keys), hashes, nulls: None }
    }
}

impl KeyLayout {
    /// The layout for the fields of an id set, whose order does not matter.
    pub(crate) fn new(mut paths: Vec<FieldPath>) -> Result<Self> {
        paths.sort_by_key(|path| path.last().map_or(0, |field| field.id));
        let types: Vec<DataType> =
            paths.iter().filter_map(|path| path.last()).map(|field| field.internal_type()).collect();
        let shape = shape(&types);
        let rows = match shape {
            Shape::Rows => Some(RowConverter::new(types.iter().cloned().map(SortField::new).collect())?),
            _ => None,
        };
        Ok(Self { paths, shape, rows })
    }

    /// The key fields, by ascending id. Columns are given in this order.
    pub(crate) fn paths(&self) -> &[FieldPath] {
        &self.paths
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The keys of a batch.
    pub(crate) fn encode(&self, columns: &[ArrayRef]) -> Result<KeyBatch> {
        match (self.shape, columns) {
            (Shape::Int, [column]) => {
                let values = integers(column)?;
                let hashes = values.iter().map(|value| mix(*value)).collect();
                Ok(KeyBatch { keys: Keys::Int(values), hashes, nulls: null_bits(columns) })
            }
            (Shape::Wide, _) => {
                let values = wide(columns)?;
                let hashes = values.iter().map(|value| hash_wide(*value)).collect();
                Ok(KeyBatch { keys: Keys::Wide(values), hashes, nulls: null_bits(columns) })
            }
            (Shape::Bytes, [column]) => {
                let (offsets, data) = byte_column(column)?;
                Ok(Self::byte_batch(ByteKeys::Column(offsets, data), column.len(), null_bits(columns)))
            }
            _ => {
                let converter = self
                    .rows
                    .as_ref()
                    .ok_or_else(|| EngineError::internal("Key columns do not fit their layout"))?;
                let canonical: Vec<ArrayRef> = columns.iter().map(canonical_floats).collect();
                let rows = converter.convert_columns(&canonical)?;
                let count = rows.num_rows();
                Ok(Self::byte_batch(ByteKeys::Rows(rows), count, None))
            }
        }
    }

    fn byte_batch(keys: ByteKeys, rows: usize, nulls: Option<Vec<u8>>) -> KeyBatch {
        let hashes = (0..rows).map(|row| hash_bytes(keys.get(row))).collect();
        KeyBatch { keys: Keys::Bytes(keys), hashes, nulls }
    }
}

fn shape(types: &[DataType]) -> Shape {
    match types {
        [one] if is_integer(one) => Shape::Int,
        [DataType::Decimal128(_, _) | DataType::FixedSizeBinary(16)] => Shape::Wide,
        [first, second] if is_integer(first) && is_integer(second) => Shape::Wide,
        [DataType::Utf8 | DataType::Binary] => Shape::Bytes,
        _ => Shape::Rows,
    }
}

fn is_integer(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Int32
            | DataType::Int64
            | DataType::Date32
            | DataType::Time64(TimeUnit::Microsecond)
            | DataType::Timestamp(TimeUnit::Microsecond | TimeUnit::Nanosecond, _)
    )
}

/// Spreads the bits of an integer over all of the hash.
pub(crate) fn mix(value: u64) -> u64 {
    let mut hash = value ^ (value >> 32);
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

pub(crate) fn hash_wide(value: u128) -> u64 {
    let low = value as u64;
    let high = (value >> 64) as u64;
    mix(low ^ mix(high.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

pub(crate) fn hash_bytes(value: &[u8]) -> u64 {
    BYTE_HASHER.hash_one(value)
}

/// The values of an integer column; those of NULLs mean nothing.
pub(crate) fn borrowed_integers(column: &ArrayRef) -> Result<Integers<'_>> {
    let unfit = || EngineError::internal("A key column is no integer");
    Ok(match column.data_type() {
        DataType::Int32 => {
            Integers::Int32(column.as_primitive_opt::<Int32Type>().ok_or_else(unfit)?.values())
        }
        DataType::Date32 => {
            Integers::Int32(column.as_primitive_opt::<Date32Type>().ok_or_else(unfit)?.values())
        }
        DataType::Int64 => {
            Integers::Int64(column.as_primitive_opt::<Int64Type>().ok_or_else(unfit)?.values())
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            Integers::Int64(column.as_primitive_opt::<Time64MicrosecondType>().ok_or_else(unfit)?.values())
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Integers::Int64(column.as_primitive_opt::<TimestampMicrosecondType>().ok_or_else(unfit)?.values())
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            Integers::Int64(column.as_primitive_opt::<TimestampNanosecondType>().ok_or_else(unfit)?.values())
        }
        _ => return Err(unfit()),
    })
}

/// The values as 64-bit patterns, 0 where NULL.
fn integers(column: &ArrayRef) -> Result<Vec<u64>> {
    let mut bits: Vec<u64> = match borrowed_integers(column)? {
        Integers::Int32(values) => values.iter().map(|value| i64::from(*value) as u64).collect(),
        Integers::Int64(values) => values.iter().map(|value| *value as u64).collect(),
    };
    clear_nulls(&mut bits, column.nulls());
    Ok(bits)
}

fn clear_nulls<T: Default>(values: &mut [T], nulls: Option<&NullBuffer>) {
    if let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) {
        for (value, valid) in values.iter_mut().zip(nulls.iter()) {
            if !valid {
                *value = T::default();
            }
        }
    }
}

fn wide(columns: &[ArrayRef]) -> Result<Vec<u128>> {
    let unfit = || EngineError::internal("Key columns do not fit their layout");
    match columns {
        [one] => {
            let mut values: Vec<u128> = match one.data_type() {
                DataType::Decimal128(_, _) => {
                    let decimals = one.as_primitive::<Decimal128Type>().values();
                    decimals.iter().map(|value| *value as u128).collect()
                }
                _ => {
                    let bytes = one.as_fixed_size_binary_opt().ok_or_else(unfit)?;
                    bytes
                        .values()
                        .as_chunks::<16>()
                        .0
                        .iter()
                        .skip(bytes.offset())
                        .take(bytes.len())
                        .map(|chunk| u128::from_be_bytes(*chunk))
                        .collect()
                }
            };
            clear_nulls(&mut values, one.nulls());
            Ok(values)
        }
        [first, second] => {
            let high = integers(first)?;
            let low = integers(second)?;
            Ok(high
                .into_iter()
                .zip(low)
                .map(|(high, low)| (u128::from(high) << 64) | u128::from(low))
                .collect())
        }
        _ => Err(unfit()),
    }
}

fn null_bits(columns: &[ArrayRef]) -> Option<Vec<u8>> {
    if columns.iter().all(|column| column.null_count() == 0) {
        return None;
    }
    let rows = columns.first().map_or(0, |column| column.len());
    let mut bits = vec![0_u8; rows];
    for (index, column) in columns.iter().enumerate() {
        if let Some(nulls) = column.nulls() {
            for (bit, valid) in bits.iter_mut().zip(nulls.iter()) {
                if !valid {
                    *bit |= 1 << index;
                }
            }
        }
    }
    Some(bits)
}

fn byte_column(column: &ArrayRef) -> Result<(OffsetBuffer<i32>, Buffer)> {
    match column.data_type() {
        DataType::Utf8 => {
            let text = column.as_string::<i32>();
            Ok((text.offsets().clone(), text.values().clone()))
        }
        DataType::Binary => {
            let bytes = column.as_binary::<i32>();
            Ok((bytes.offsets().clone(), bytes.values().clone()))
        }
        other => Err(EngineError::internal(format!("A key column has the type {other}"))),
    }
}

fn canonical_floats(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Float32 => Arc::new(
            column
                .as_primitive::<Float32Type>()
                .unary::<_, Float32Type>(|value| if value.is_nan() { f32::NAN } else { value }),
        ),
        DataType::Float64 => Arc::new(
            column
                .as_primitive::<Float64Type>()
                .unary::<_, Float64Type>(|value| if value.is_nan() { f64::NAN } else { value }),
        ),
        _ => Arc::clone(column),
    }
}
