//! The keys that a group of equality deletes removes, each with its highest sequence number.
//!
//! Sequence numbers are kept as ranks: a data file of sequence `s` loses the rows whose key has a rank above the number of the
//! group's sequence numbers that are not greater than `s` (rule R10).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::BooleanBufferBuilder;
use datafusion::arrow::buffer::BooleanBuffer;
use fulmar_error::{EngineError, Result};
use parking_lot::Mutex;

use crate::bloom::Bloom;
use crate::key_table::{ByteTable, FixedTable, SHARDS, shard};
use crate::keys::{ByteKeys, KeyBatch, Keys, Shape};
use crate::memory::{Budget, Refused, Reservation};

const CONSUMER: &str = "IcebergScan[delete keys]";
const NULL_KEY_BYTES: usize = 64;
/// Tables of fewer keys stay in the processor's cache.
const FILTERED_KEYS: u64 = 20_000;

/// The distinct sequence numbers of a group's delete files, ascending.
#[derive(Debug, Clone)]
pub(crate) struct Ranks(Vec<i64>);

impl Ranks {
    pub(crate) fn new(numbers: impl Iterator<Item = i64>) -> Self {
        let mut distinct: Vec<i64> = numbers.collect();
        distinct.sort_unstable();
        distinct.dedup();
        Self(distinct)
    }

    /// The rank of a delete file; from 1.
    pub(crate) fn of_deletes(&self, sequence: i64) -> u32 {
        self.of_data(sequence)
    }

    /// The rank of the last delete files.
    pub(crate) fn highest(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Keys of higher rank delete rows of a data file with this sequence number.
    pub(crate) fn of_data(&self, sequence: i64) -> u32 {
        let count = self.0.partition_point(|number| *number <= sequence);
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

enum Tables<I, W, B> {
    Int(I),
    Wide(W),
    Bytes(B),
}

type Building = Tables<Vec<Mutex<FixedTable<u64>>>, Vec<Mutex<FixedTable<u128>>>, Vec<Mutex<ByteTable>>>;

type Finished = Tables<Vec<FixedTable<u64>>, Vec<FixedTable<u128>>, Vec<ByteTable>>;

type NullKeys = HashMap<(u8, NullKey), u32>;

/// The columns of a key with a NULL that are not NULL.
type NullKey = u128;

/// A key map that several tasks fill.
pub(crate) struct KeyMapBuilder {
    tables: Building,
    filter: Option<Bloom>,
    nulls: Mutex<NullKeys>,
    memory: Reservation,
    stopped: AtomicBool,
}

/// A key map to probe.
pub(crate) struct KeyMap {
    tables: Finished,
    filter: Option<Bloom>,
    nulls: NullKeys,
    _memory: Reservation,
}

fn shards<T: Default>() -> Vec<T> {
    (0..SHARDS).map(|_| T::default()).collect()
}

impl KeyMapBuilder {
    /// `expected` keys at most will come, as far as is known. Room for them is taken at once if it is a small part of the budget.
    pub(crate) fn new(shape: Shape, expected: u64, budget: &Budget) -> Result<Self, Refused> {
        let tables = match shape {
            Shape::Int => Tables::Int(shards()),
            Shape::Wide => Tables::Wide(shards()),
            Shape::Bytes | Shape::Rows => Tables::Bytes(shards()),
        };
        let this = Self {
            tables,
            filter: None,
            nulls: Mutex::new(NullKeys::new()),
            memory: budget.reservation(CONSUMER),
            stopped: AtomicBool::new(false),
        };
        let each = usize::try_from(expected).unwrap_or(usize::MAX) / SHARDS;
        let each = each.saturating_add(each / 32);
        let affordable = |bytes: usize| bytes.saturating_mul(SHARDS) <= budget.left() / 4;
        match &this.tables {
            Tables::Int(tables) if affordable(FixedTable::<u64>::bytes_for(each)) => {
                for table in tables {
                    table.lock().reserve(each, &this.memory)?;
                }
            }
            Tables::Wide(tables) if affordable(FixedTable::<u128>::bytes_for(each)) => {
                for table in tables {
                    table.lock().reserve(each, &this.memory)?;
                }
            }
            _ => {}
        }
        Ok(this)
    }

    /// Puts a Bloom filter in front of the tables, if there will be so many keys that it pays. Keys are added later only.
    pub(crate) fn with_filter(mut self, expected: u64, budget: &Budget) -> Self {
        if expected > FILTERED_KEYS {
            self.filter = Bloom::new(expected, budget);
        }
        self
    }

    /// Lets everyone who still fills the map come to an end.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Adds the keys of a batch; `ranks` gives the rank of each row.
    pub(crate) fn insert(
        &self,
        batch: &KeyBatch,
        ranks: impl Fn(usize) -> u32,
    ) -> Result<Result<(), Refused>> {
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(Err(Refused::stopped()));
        }
        let by_shard = self.scatter(batch, &ranks)?;
        let by_shard = match by_shard {
            Ok(by_shard) => by_shard,
            Err(refused) => return Ok(Err(refused)),
        };
        for (number, rows) in by_shard.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let inserted = match (&self.tables, &batch.keys) {
                (Tables::Int(tables), Keys::Int(keys)) => {
                    insert_fixed(&tables[number], keys, batch, rows, &ranks, &self.memory)
                }
                (Tables::Wide(tables), Keys::Wide(keys)) => {
                    insert_fixed(&tables[number], keys, batch, rows, &ranks, &self.memory)
                }
                (Tables::Bytes(tables), Keys::Bytes(keys)) => {
                    insert_bytes(&tables[number], keys, batch, rows, &ranks, &self.memory)
                }
                _ => return Err(EngineError::internal("Keys of another layout")),
            };
            if let Err(refused) = inserted {
                return Ok(Err(refused));
            }
        }
        Ok(Ok(()))
    }

    /// The rows of each shard; keys with a NULL go to a table of their own.
    fn scatter(
        &self,
        batch: &KeyBatch,
        ranks: &impl Fn(usize) -> u32,
    ) -> Result<Result<Vec<Vec<u32>>, Refused>> {
        let room = batch.hashes.len() / SHARDS + 16;
        let mut by_shard: Vec<Vec<u32>> = (0..SHARDS).map(|_| Vec::with_capacity(room)).collect();
        for (row, hash) in batch.hashes.iter().enumerate() {
            let mask = batch.nulls.as_ref().map_or(0, |nulls| nulls[row]);
            if mask != 0 {
                let key = (mask, batch.null_key(row));
                let mut nulls = self.nulls.lock();
                if !nulls.contains_key(&key)
                    && let Err(refused) = self.memory.try_grow(NULL_KEY_BYTES)
                {
                    return Ok(Err(refused));
                }
                let known = nulls.entry(key).or_insert(0);
                *known = (*known).max(ranks(row));
                continue;
            }
            let row = u32::try_from(row).map_err(|_| EngineError::internal("A batch is too long"))?;
            if let Some(filter) = &self.filter {
                filter.add(*hash);
            }
            by_shard[shard(*hash)].push(row);
        }
        Ok(Ok(by_shard))
    }

    pub(crate) fn finish(self) -> KeyMap {
        fn open<T>(tables: Vec<Mutex<T>>) -> Vec<T> {
            tables.into_iter().map(Mutex::into_inner).collect()
        }
        let tables = match self.tables {
            Tables::Int(tables) => Tables::Int(open(tables)),
            Tables::Wide(tables) => Tables::Wide(open(tables)),
            Tables::Bytes(tables) => Tables::Bytes(open(tables)),
        };
        KeyMap { tables, filter: self.filter, nulls: self.nulls.into_inner(), _memory: self.memory }
    }
}

impl KeyBatch {
    fn null_key(&self, row: usize) -> NullKey {
        match &self.keys {
            Keys::Int(keys) => u128::from(keys[row]),
            Keys::Wide(keys) => keys[row],
            Keys::Bytes(_) => 0,
        }
    }
}

fn insert_fixed<K: crate::key_table::FixedKey>(
    table: &Mutex<FixedTable<K>>,
    keys: &[K],
    batch: &KeyBatch,
    rows: &[u32],
    ranks: &impl Fn(usize) -> u32,
    memory: &Reservation,
) -> Result<(), Refused> {
    let mut table = table.lock();
    table.reserve(rows.len(), memory)?;
    for row in rows {
        let row = *row as usize;
        table.insert(keys[row], batch.hashes[row], ranks(row));
    }
    Ok(())
}

fn insert_bytes(
    table: &Mutex<ByteTable>,
    keys: &ByteKeys,
    batch: &KeyBatch,
    rows: &[u32],
    ranks: &impl Fn(usize) -> u32,
    memory: &Reservation,
) -> Result<(), Refused> {
    let mut table = table.lock();
    let bytes = rows.iter().map(|row| keys.get(*row as usize).len()).sum();
    table.reserve(rows.len(), bytes, memory)?;
    for row in rows {
        let row = *row as usize;
        table.insert(keys, row, batch.hashes[row], ranks(row));
    }
    Ok(())
}

impl KeyMap {
    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        let keys: usize = match &self.tables {
            Tables::Int(tables) => tables.iter().map(FixedTable::len).sum(),
            Tables::Wide(tables) => tables.iter().map(FixedTable::len).sum(),
            Tables::Bytes(tables) => tables.iter().map(ByteTable::len).sum(),
        };
        keys + self.nulls.len()
    }

    /// One bit for each row: set where no key of a rank above the row's threshold matches.
    pub(crate) fn live(&self, batch: &KeyBatch, thresholds: impl Fn(usize) -> u32) -> Result<BooleanBuffer> {
        match (&self.tables, &batch.keys) {
            (Tables::Int(tables), Keys::Int(keys)) => {
                Ok(self.live_rows(batch, thresholds, |row, hash| tables[shard(hash)].rank(keys[row], hash)))
            }
            (Tables::Wide(tables), Keys::Wide(keys)) => {
                Ok(self.live_rows(batch, thresholds, |row, hash| tables[shard(hash)].rank(keys[row], hash)))
            }
            (Tables::Bytes(tables), Keys::Bytes(keys)) => {
                Ok(self
                    .live_rows(batch, thresholds, |row, hash| tables[shard(hash)].rank(keys.get(row), hash)))
            }
            _ => Err(EngineError::internal("Keys of another layout")),
        }
    }

    fn live_rows(
        &self,
        batch: &KeyBatch,
        thresholds: impl Fn(usize) -> u32,
        rank: impl Fn(usize, u64) -> u32,
    ) -> BooleanBuffer {
        let rows = batch.hashes.len();
        let is_live = |row: usize| {
            let found = self.null_rank(batch, row).unwrap_or_else(|| rank(row, batch.hashes[row]));
            found <= thresholds(row)
        };
        let Some(filter) = &self.filter else {
            return BooleanBuffer::collect_bool(rows, is_live);
        };
        // The filter answers for all rows first: it fits the processor's cache where the tables do not.
        let suspects = BooleanBuffer::collect_bool(rows, |row| {
            filter.may_contain(batch.hashes[row]) || batch.nulls.as_ref().is_some_and(|nulls| nulls[row] != 0)
        });
        let mut live = BooleanBufferBuilder::new(rows);
        live.append_n(rows, true);
        for row in suspects.set_indices() {
            if !is_live(row) {
                live.set_bit(row, false);
            }
        }
        live.finish()
    }

    /// The rank of a key with a NULL in it.
    fn null_rank(&self, batch: &KeyBatch, row: usize) -> Option<u32> {
        let mask = *batch.nulls.as_ref()?.get(row)?;
        (mask != 0).then(|| self.nulls.get(&(mask, batch.null_key(row))).copied().unwrap_or(0))
    }
}
