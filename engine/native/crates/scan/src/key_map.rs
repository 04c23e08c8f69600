//! The keys that a group of equality deletes removes, each with its highest sequence number.
//!
//! Sequence numbers are kept as ranks: a data file of sequence `s` loses the rows whose key has a rank above the number of the
//! group's sequence numbers that are not greater than `s` (rule R10).

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::buffer::BooleanBuffer;
use fulmar_error::{EngineError, Result};
use parking_lot::{Mutex, RwLock};

use crate::bloom::Bloom;
use crate::dense::{DenseBuilder, DenseKeys};
use crate::key_bounds::{Bound, ColumnRange, KeyBounds};
use crate::key_table::{ByteTable, FixedTable, SHARDS, shard};
use crate::keys::{ByteKeys, Integers, KeyBatch, KeyLayout, Keys, Shape, borrowed_integers};
use crate::memory::{Budget, Refused, Reservation};

const CONSUMER: &str = "IcebergScan[delete keys]";
const NULL_KEY_BYTES: usize = 64;
/// Tables of fewer keys stay in the processor's cache.
const FILTERED_KEYS: u64 = 20_000;
const WORD_BITS: usize = u64::BITS as usize;

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

enum Building {
    Int(Vec<Mutex<FixedTable<u64>>>),
    Wide(Vec<Mutex<FixedTable<u128>>>),
    Bytes(Vec<Mutex<ByteTable>>),
}

enum Finished {
    Dense(DenseKeys),
    Int(Vec<FixedTable<u64>>),
    Wide(Vec<FixedTable<u128>>),
    Bytes(Vec<ByteTable>),
}

type NullKeys = HashMap<(u8, NullKey), u32>;

/// The columns of a key with a NULL that are not NULL.
type NullKey = u128;

/// A key map that several tasks fill.
pub(crate) struct KeyMapBuilder {
    expected: u64,
    /// Whether a Bloom filter is to stand in front of many keys.
    filtered: bool,
    /// Takes the keys as long as they lie close together; then the tables do.
    dense: RwLock<Option<DenseBuilder>>,
    tables: Building,
    filter: OnceLock<Bloom>,
    nulls: Mutex<NullKeys>,
    bounds: Mutex<KeyBounds>,
    budget: Budget,
    memory: Reservation,
    stopped: AtomicBool,
}

/// A key map to probe.
pub(crate) struct KeyMap {
    tables: Finished,
    filter: Option<Bloom>,
    nulls: NullKeys,
    bounds: KeyBounds,
    memory: Mutex<Reservation>,
}

fn shards<T: Default>() -> Vec<T> {
    (0..SHARDS).map(|_| T::default()).collect()
}

impl KeyMapBuilder {
    /// `expected` keys at most will come, as far as is known. Room for them is taken at once if it is a small part of the budget.
    pub(crate) fn new(shape: Shape, expected: u64, budget: &Budget) -> Result<Self, Refused> {
        let this = Self::empty(shape, expected, false, budget);
        this.reserve()?;
        Ok(this)
    }

    /// The same for the keys of a whole group, which have so many ranks: where integers lie close together they become bits, and
    /// other keys get a Bloom filter in front of them.
    pub(crate) fn of_group(
        shape: Shape,
        expected: u64,
        ranks: u32,
        budget: &Budget,
    ) -> Result<Self, Refused> {
        let mut this = Self::empty(shape, expected, true, budget);
        if shape == Shape::Int {
            this.dense = RwLock::new(DenseBuilder::new(expected, ranks, &this.memory));
        }
        if this.dense.get_mut().is_none() {
            this.reserve()?;
        }
        Ok(this)
    }

    fn empty(shape: Shape, expected: u64, filtered: bool, budget: &Budget) -> Self {
        let tables = match shape {
            Shape::Int => Building::Int(shards()),
            Shape::Wide => Building::Wide(shards()),
            Shape::Bytes | Shape::Rows => Building::Bytes(shards()),
        };
        Self {
            expected,
            filtered,
            dense: RwLock::new(None),
            tables,
            filter: OnceLock::new(),
            nulls: Mutex::new(NullKeys::new()),
            bounds: Mutex::default(),
            budget: budget.clone(),
            memory: budget.reservation(CONSUMER),
            stopped: AtomicBool::new(false),
        }
    }

    /// Takes room in the tables, and makes the filter, before the first key comes to them.
    fn reserve(&self) -> Result<(), Refused> {
        let each = usize::try_from(self.expected).unwrap_or(usize::MAX) / SHARDS;
        let each = each.saturating_add(each / 32);
        let affordable = |bytes: usize| bytes.saturating_mul(SHARDS) <= self.budget.left() / 4;
        match &self.tables {
            Building::Int(tables) if affordable(FixedTable::<u64>::bytes_for(each)) => {
                for table in tables {
                    table.lock().reserve(each, &self.memory)?;
                }
            }
            Building::Wide(tables) if affordable(FixedTable::<u128>::bytes_for(each)) => {
                for table in tables {
                    table.lock().reserve(each, &self.memory)?;
                }
            }
            _ => {}
        }
        if self.filtered
            && self.expected > FILTERED_KEYS
            && let Some(filter) = Bloom::new(self.expected, &self.budget)
        {
            self.filter.get_or_init(|| filter);
        }
        Ok(())
    }

    /// Lets everyone who still fills the map come to an end.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Adds the keys of a batch of a delete file, given as columns.
    pub(crate) fn insert_file(
        &self,
        layout: &KeyLayout,
        columns: &[ArrayRef],
        rank: u32,
    ) -> Result<Result<(), Refused>> {
        self.bounds.lock().widen(columns);
        let batch = layout.encode(columns)?;
        if let Keys::Int(keys) = &batch.keys {
            let nulls = batch.nulls.as_deref();
            let taken = self.dense.read().as_ref().map(|dense| dense.insert(keys, nulls, rank, &self.memory));
            match taken {
                Some(Ok(())) if nulls.is_none() => return Ok(Ok(())),
                Some(Ok(())) => return Ok(self.insert_nulls(&batch, rank)),
                Some(Err(_)) => {
                    if let Err(refused) = self.leave_dense()? {
                        return Ok(Err(refused));
                    }
                }
                None => {}
            }
        }
        self.insert(&batch, |_| rank)
    }

    fn insert_nulls(&self, batch: &KeyBatch, rank: u32) -> Result<(), Refused> {
        let mut masks = batch.nulls.iter().flatten().enumerate().filter(|(_, mask)| **mask != 0);
        masks.try_for_each(|(row, mask)| self.insert_null((*mask, batch.null_key(row)), rank))
    }

    /// Moves all keys to the tables.
    fn leave_dense(&self) -> Result<Result<(), Refused>> {
        let mut dense = self.dense.write();
        let Some(keys) = dense.take() else {
            return Ok(Ok(()));
        };
        if let Err(refused) = self.reserve() {
            return Ok(Err(refused));
        }
        let mut failure = None;
        let moved = keys.drain(&self.memory, |keys, rank| {
            match self.insert(&KeyBatch::of_integers(keys.to_vec()), |_| rank) {
                Ok(inserted) => inserted,
                Err(error) => {
                    failure = Some(error);
                    Err(Refused::stopped())
                }
            }
        });
        failure.map_or(Ok(moved), Err)
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
                (Building::Int(tables), Keys::Int(keys)) => {
                    insert_fixed(&tables[number], keys, batch, rows, &ranks, &self.memory)
                }
                (Building::Wide(tables), Keys::Wide(keys)) => {
                    insert_fixed(&tables[number], keys, batch, rows, &ranks, &self.memory)
                }
                (Building::Bytes(tables), Keys::Bytes(keys)) => {
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

    fn insert_null(&self, key: (u8, NullKey), rank: u32) -> Result<(), Refused> {
        let mut nulls = self.nulls.lock();
        if !nulls.contains_key(&key) {
            self.memory.try_grow(NULL_KEY_BYTES)?;
        }
        let known = nulls.entry(key).or_insert(0);
        *known = (*known).max(rank);
        Ok(())
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
                if let Err(refused) = self.insert_null((mask, batch.null_key(row)), ranks(row)) {
                    return Ok(Err(refused));
                }
                continue;
            }
            let row = u32::try_from(row).map_err(|_| EngineError::internal("A batch is too long"))?;
            if let Some(filter) = self.filter.get() {
                filter.add(*hash);
            }
            by_shard[shard(*hash)].push(row);
        }
        Ok(Ok(by_shard))
    }

    pub(crate) fn finish(self) -> Result<KeyMap, Refused> {
        fn open<T>(tables: Vec<Mutex<T>>) -> Vec<T> {
            tables.into_iter().map(Mutex::into_inner).collect()
        }
        let tables = match (self.dense.into_inner(), self.tables) {
            (Some(dense), _) => Finished::Dense(dense.finish(&self.memory)?),
            (None, Building::Int(tables)) => Finished::Int(open(tables)),
            (None, Building::Wide(tables)) => Finished::Wide(open(tables)),
            (None, Building::Bytes(tables)) => Finished::Bytes(open(tables)),
        };
        Ok(KeyMap {
            tables,
            filter: self.filter.into_inner(),
            nulls: self.nulls.into_inner(),
            bounds: self.bounds.into_inner(),
            memory: Mutex::new(self.memory),
        })
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
            Finished::Dense(keys) => keys.len(),
            Finished::Int(tables) => tables.iter().map(FixedTable::len).sum(),
            Finished::Wide(tables) => tables.iter().map(FixedTable::len).sum(),
            Finished::Bytes(tables) => tables.iter().map(ByteTable::len).sum(),
        };
        keys + self.nulls.len()
    }

    /// Bytes reserved.
    pub(crate) fn reserved(&self) -> usize {
        self.memory.lock().size() + self.filter.as_ref().map_or(0, Bloom::reserved)
    }

    /// Puts a reservation in the place of the map's own, of which nothing is left: not even its pool is held any more.
    pub(crate) fn adopt(&self, reservation: Reservation) {
        drop(std::mem::replace(&mut *self.memory.lock(), reservation));
        if let Some(filter) = &self.filter {
            filter.release();
        }
    }

    /// False if no row with values in these ranges has a key in the map.
    pub(crate) fn may_match(&self, columns: &[ColumnRange]) -> bool {
        if self.bounds.meet_nulls(columns) {
            return true;
        }
        match (&self.tables, columns) {
            (Finished::Dense(keys), [ColumnRange { bound: Some(Bound::Int(least, most)), .. }]) => {
                keys.any_within(*least, *most)
            }
            _ => self.bounds.meet(columns),
        }
    }

    /// One bit for each row of the key columns: set where no key of a rank above the threshold matches.
    pub(crate) fn live_columns(
        &self,
        layout: &KeyLayout,
        columns: &[ArrayRef],
        threshold: u32,
    ) -> Result<BooleanBuffer> {
        let (Finished::Dense(keys), [column]) = (&self.tables, columns) else {
            return self.live(&layout.encode(columns)?, |_| threshold);
        };
        let rows = column.len();
        let live = match borrowed_integers(column)? {
            Integers::Int32(values) => keys.live(rows, threshold, |row| i64::from(values[row])),
            Integers::Int64(values) => keys.live(rows, threshold, |row| values[row]),
        };
        let Some(nulls) = column.nulls().filter(|nulls| nulls.null_count() > 0) else {
            return Ok(live);
        };
        let rank_of_null = self.nulls.values().max().copied().unwrap_or(0);
        let valid = nulls.inner();
        Ok(if rank_of_null > threshold { &live & valid } else { &live | &!valid })
    }

    /// One bit for each row: set where no key of a rank above the row's threshold matches.
    pub(crate) fn live(&self, batch: &KeyBatch, thresholds: impl Fn(usize) -> u32) -> Result<BooleanBuffer> {
        match (&self.tables, &batch.keys) {
            (Finished::Dense(dense), Keys::Int(keys)) => {
                Ok(self.live_rows(batch, thresholds, |row, _| dense.rank(keys[row] as i64)))
            }
            (Finished::Int(tables), Keys::Int(keys)) => {
                Ok(self.live_rows(batch, thresholds, |row, hash| tables[shard(hash)].rank(keys[row], hash)))
            }
            (Finished::Wide(tables), Keys::Wide(keys)) => {
                Ok(self.live_rows(batch, thresholds, |row, hash| tables[shard(hash)].rank(keys[row], hash)))
            }
            (Finished::Bytes(tables), Keys::Bytes(keys)) => {
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
        let mut words = filter.suspects(&batch.hashes);
        for (number, word) in words.iter_mut().enumerate() {
            let start = number * WORD_BITS;
            if let Some(nulls) = &batch.nulls {
                let masks = nulls.iter().skip(start).take(WORD_BITS).enumerate();
                masks.for_each(|(bit, mask)| *word |= u64::from(*mask != 0) << bit);
            }
            let mut suspects = *word;
            let mut live = !suspects;
            while suspects != 0 {
                let bit = suspects.trailing_zeros();
                live |= u64::from(is_live(start + bit as usize)) << bit;
                suspects &= suspects - 1;
            }
            *word = live;
        }
        BooleanBuffer::new(words.into(), 0, rows)
    }

    /// The rank of a key with a NULL in it.
    fn null_rank(&self, batch: &KeyBatch, row: usize) -> Option<u32> {
        let mask = *batch.nulls.as_ref()?.get(row)?;
        (mask != 0).then(|| self.nulls.get(&(mask, batch.null_key(row))).copied().unwrap_or(0))
    }
}

#[cfg(test)]
#[path = "key_map_tests.rs"]
mod tests;
