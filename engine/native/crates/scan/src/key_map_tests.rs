use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryArray, Date32Array, Decimal128Array, FixedSizeBinaryArray, Float64Array, Int32Array,
    Int64Array, StringArray, TimestampMicrosecondArray,
};
use datafusion::execution::memory_pool::{GreedyMemoryPool, MemoryPool};
use fulmar_proto::PrimitiveType as P;

use super::*;
use crate::field::{Kind, TableField};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % bound
    }
}

/// A column type: its Iceberg type, and how values look. Different values look different, except as [`canonical`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Column {
    Int,
    Long,
    /// Values far apart.
    SparseLong,
    Date,
    Timestamp,
    Decimal,
    Uuid,
    Double,
    Text,
    Binary,
}

type Value = Option<i64>;

impl Column {
    fn kind(self) -> Kind {
        match self {
            Self::Int => Kind::Primitive(P::IcebergInt),
            Self::Long | Self::SparseLong => Kind::Primitive(P::IcebergLong),
            Self::Date => Kind::Primitive(P::IcebergDate),
            Self::Timestamp => Kind::Primitive(P::IcebergTimestamp),
            Self::Decimal => Kind::Decimal(20, 2),
            Self::Uuid => Kind::Primitive(P::IcebergUuid),
            Self::Double => Kind::Primitive(P::IcebergDouble),
            Self::Text => Kind::Primitive(P::IcebergString),
            Self::Binary => Kind::Primitive(P::IcebergBinary),
        }
    }

    fn array(self, values: &[Value]) -> ArrayRef {
        let small = || values.iter().map(|value| value.map(|value| value as i32));
        match self {
            Self::Int => Arc::new(small().collect::<Int32Array>()),
            Self::Date => Arc::new(small().collect::<Date32Array>()),
            Self::Long => Arc::new(values.iter().copied().collect::<Int64Array>()),
            Self::SparseLong => {
                let far = |value: i64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64);
                Arc::new(values.iter().map(|value| value.map(far)).collect::<Int64Array>())
            }
            Self::Timestamp => Arc::new(values.iter().copied().collect::<TimestampMicrosecondArray>()),
            Self::Decimal => {
                let wide = values.iter().map(|value| value.map(|value| i128::from(value) << 40));
                Arc::new(wide.collect::<Decimal128Array>().with_precision_and_scale(38, 2).unwrap())
            }
            Self::Uuid => {
                let bytes = values.iter().map(|value| value.map(|value| i128::from(value).to_be_bytes()));
                Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, 16).unwrap())
            }
            Self::Double => Arc::new(values.iter().map(|value| value.map(double)).collect::<Float64Array>()),
            Self::Text => Arc::new(values.iter().map(|value| value.map(text)).collect::<StringArray>()),
            Self::Binary => {
                let bytes: Vec<_> =
                    values.iter().map(|value| value.map(|value| text(value).into_bytes())).collect();
                Arc::new(BinaryArray::from_iter(bytes))
            }
        }
    }

    fn canonical(self, value: Value) -> Value {
        if self == Self::Double && value == Some(3) { Some(2) } else { value }
    }
}

fn text(value: i64) -> String {
    if value == 0 { String::new() } else { format!("{:>1$}", value, (value.unsigned_abs() % 20) as usize) }
}

fn double(value: i64) -> f64 {
    match value {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => f64::from_bits(f64::NAN.to_bits() | 1 << 63 | 77),
        other => other as f64 / 3.0,
    }
}

fn layout(columns: &[Column]) -> KeyLayout {
    let field = |(number, column): (usize, &Column)| {
        vec![Arc::new(TableField {
            id: number as i32 + 1,
            name: format!("c{number}"),
            required: false,
            kind: column.kind(),
            default: None,
        })]
    };
    KeyLayout::new(columns.iter().enumerate().map(field).collect()).unwrap()
}

fn rows(random: &mut Random, count: usize, width: usize, spread: u64, nulls: bool) -> Vec<Vec<Value>> {
    let value = |random: &mut Random| {
        (!nulls || random.below(10) > 0).then(|| random.below(spread) as i64 - (spread / 4) as i64)
    };
    (0..width).map(|_| (0..count).map(|_| value(random)).collect()).collect()
}

fn arrays(columns: &[Column], values: &[Vec<Value>]) -> Vec<ArrayRef> {
    columns.iter().zip(values).map(|(column, values)| column.array(values)).collect()
}

fn key(columns: &[Column], values: &[Vec<Value>], row: usize) -> Vec<Value> {
    columns.iter().zip(values).map(|(column, values)| column.canonical(values[row])).collect()
}

fn pool(bytes: usize) -> Arc<dyn MemoryPool> {
    Arc::new(GreedyMemoryPool::new(bytes))
}

/// Fills a map in batches and probes it, beside a model.
fn agree(columns: &[Column], seed: u64, ranks: u32, spread: u64, nulls: bool) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let layout = layout(columns);
    let pool = pool(64 << 20);
    let budget = Budget::for_sets(&pool, 0);
    let batches = 1 + random.below(12) as usize;
    let size = 1 + random.below(3000) as usize;
    let expected = (batches * size) as u64;
    let builder = KeyMapBuilder::of_group(layout.shape(), expected, ranks, &budget).unwrap();
    let mut model: HashMap<Vec<Value>, u32> = HashMap::new();
    for _ in 0..batches {
        let values = rows(&mut random, size, columns.len(), spread, nulls);
        let rank = 1 + random.below(u64::from(ranks)) as u32;
        builder.insert_file(&layout, &arrays(columns, &values), rank).unwrap().unwrap();
        for row in 0..size {
            let known = model.entry(key(columns, &values, row)).or_insert(0);
            *known = (*known).max(rank);
        }
    }
    let map = builder.finish().unwrap();
    assert_eq!(map.len(), model.len(), "{columns:?}");
    for threshold in [0, ranks / 2, ranks.saturating_sub(1)] {
        let count = random.below(500) as usize;
        let near = 1 + random.below(spread * 2);
        let values = rows(&mut random, count, columns.len(), near, nulls);
        let probed = arrays(columns, &values);
        let live = map.live_columns(&layout, &probed, threshold).unwrap();
        for row in 0..count {
            let rank = model.get(&key(columns, &values, row)).copied().unwrap_or(0);
            assert_eq!(live.value(row), rank <= threshold, "{columns:?} seed {seed} row {row}");
        }
        let ranges: Vec<ColumnRange> = probed.iter().map(ColumnRange::of_values).collect();
        let hit = (0..count).any(|row| model.contains_key(&key(columns, &values, row)));
        assert!(map.may_match(&ranges) || !hit, "{columns:?} seed {seed}");
    }
    drop(map);
    assert_eq!(pool.reserved(), 0);
}

#[test]
fn probes_agree_with_a_model() {
    use Column::*;
    let shapes: [&[Column]; 14] = [
        &[Int],
        &[Long],
        &[SparseLong],
        &[Date],
        &[Timestamp],
        &[Int, Long],
        &[Date, SparseLong],
        &[Decimal],
        &[Uuid],
        &[Text],
        &[Binary],
        &[Double],
        &[Text, Int],
        &[Int, Date, Double],
    ];
    for columns in shapes {
        for seed in 0..12 {
            let spread = [4, 300, 70_000, 3_000_000][seed as usize % 4];
            agree(columns, seed, [1, 2, 9, 2000][seed as usize / 3], spread, seed % 2 == 1);
        }
    }
}

fn of_longs(keys: &[i64], expected: u64, ranks: u32, budget: &Budget) -> KeyMap {
    let layout = layout(&[Column::Long]);
    let builder = KeyMapBuilder::of_group(layout.shape(), expected, ranks, budget).unwrap();
    for (number, keys) in keys.chunks(1000).enumerate() {
        let column: ArrayRef = Arc::new(Int64Array::from(keys.to_vec()));
        builder.insert_file(&layout, &[column], number as u32 % ranks + 1).unwrap().unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn keys_that_lie_close_together_take_a_bit_each() {
    let pool = pool(64 << 20);
    let budget = Budget::for_sets(&pool, 0);
    let close: Vec<i64> = (0..1_000_000).map(|key| key * 10 - 3_000_000).collect();
    let map = of_longs(&close, 1_000_000, 1, &budget);
    assert_eq!(map.len(), close.len());
    assert!(pool.reserved() < 2 << 20, "{}", pool.reserved());
    let ranked = of_longs(&close, 1_000_000, 50, &budget);
    assert!(pool.reserved() < 10 << 20, "{}", pool.reserved());
    drop((map, ranked));
    assert_eq!(pool.reserved(), 0);
}

#[test]
fn extreme_integers_have_a_place() {
    let pool = pool(64 << 20);
    let budget = Budget::for_sets(&pool, 0);
    let keys = [i64::MIN, i64::MAX, -1, 0, 1, i64::MIN + 1, 1 << 40];
    let layout = layout(&[Column::Long]);
    for some in [&keys[..], &keys[..1], &keys[1..2], &keys[2..5]] {
        let map = of_longs(some, some.len() as u64, 3, &budget);
        let probed: Vec<i64> =
            keys.iter().flat_map(|key| [*key, key.wrapping_add(7), key.wrapping_sub(7)]).collect();
        let column: ArrayRef = Arc::new(Int64Array::from(probed.clone()));
        let live = map.live_columns(&layout, &[column], 0).unwrap();
        for (row, key) in probed.iter().enumerate() {
            assert_eq!(live.value(row), !some.contains(key), "{key} of {some:?}");
        }
    }
}

#[test]
fn ranges_without_a_key_are_known() {
    let pool = pool(64 << 20);
    let budget = Budget::for_sets(&pool, 0);
    let range = |least, most| ColumnRange { bound: Some(Bound::Int(least, most)), nulls: true };
    let map = of_longs(&[100, 5_000, 200_000], 3, 1, &budget);
    for (least, most, expected) in [
        (0, 99, false),
        (0, 100, true),
        (100, 100, true),
        (101, 4_999, false),
        (4_990, 5_001, true),
        (5_001, 199_999, false),
        (i64::MIN, i64::MAX, true),
        (200_001, i64::MAX, false),
        (i64::MIN, 99, false),
    ] {
        assert_eq!(map.may_match(&[range(least, most)]), expected, "{least} to {most}");
    }
    assert!(map.may_match(&[ColumnRange::UNKNOWN]));
}

#[test]
fn too_little_memory_is_refused() {
    let pool = pool(256 << 10);
    let budget = Budget::for_sets(&pool, 0);
    let layout = layout(&[Column::Long]);
    let builder = KeyMapBuilder::of_group(layout.shape(), 1_000_000, 3, &budget).unwrap();
    let refused = (0..1000_i64).any(|batch| {
        let column: ArrayRef =
            Arc::new(Int64Array::from_iter_values((0..1000).map(|row| (batch * 1000 + row) * 37)));
        builder.insert_file(&layout, &[column], 2).unwrap().is_err()
    });
    assert!(refused);
    drop(builder);
    assert_eq!(pool.reserved(), 0);
}
