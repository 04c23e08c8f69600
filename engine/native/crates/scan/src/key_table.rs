//! Open-addressing tables from key to rank, one shard of a key map each. Rank 0 means absent.

use std::mem;

use crate::keys::{ByteKeys, hash_bytes, hash_wide, mix};
use crate::memory::{Refused, Reservation};

/// Slots that may be taken, of 16.
const LOAD: usize = 10;
const SMALLEST: usize = 16;

/// The slot of a hash in a table of `capacity` slots. The highest bits chose the shard.
pub(crate) fn slot(hash: u64, capacity: usize) -> usize {
    let spread = hash << SHARD_BITS;
    ((u128::from(spread) * capacity as u128) >> 64) as usize
}

/// Bits of the hash that choose a shard.
pub(crate) const SHARD_BITS: u32 = 4;
/// Shards of a map.
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;

/// The shard of a hash.
pub(crate) fn shard(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

fn capacity_for(keys: usize) -> usize {
    (keys.saturating_mul(16) / LOAD + 1).max(SMALLEST)
}

/// A key of fixed size, whose default marks a free slot.
pub(crate) trait FixedKey: Copy + Eq + Default {
    fn hash(self) -> u64;
}

impl FixedKey for u64 {
    fn hash(self) -> u64 {
        mix(self)
    }
}

impl FixedKey for u128 {
    fn hash(self) -> u64 {
        hash_wide(self)
    }
}

/// Keys of fixed size, in place.
#[derive(Debug, Default)]
pub(crate) struct FixedTable<K> {
    keys: Vec<K>,
    ranks: Vec<u32>,
    len: usize,
    /// The rank of the key that is the default.
    of_default: u32,
}

impl<K: FixedKey> FixedTable<K> {
    /// Bytes that a table for `keys` keys takes.
    pub(crate) fn bytes_for(keys: usize) -> usize {
        capacity_for(keys).saturating_mul(size_of::<K>() + size_of::<u32>())
    }

    pub(crate) fn len(&self) -> usize {
        self.len + usize::from(self.of_default > 0)
    }

    /// Makes room for `additional` keys.
    pub(crate) fn reserve(&mut self, additional: usize, memory: &Reservation) -> Result<(), Refused> {
        let wanted = capacity_for(self.len + additional);
        if wanted <= self.keys.len() {
            return Ok(());
        }
        let capacity =
            if self.keys.is_empty() { wanted } else { wanted.max(self.keys.len() + self.keys.len() / 2) };
        let entry = size_of::<K>() + size_of::<u32>();
        memory.try_grow(capacity * entry)?;
        let keys = mem::replace(&mut self.keys, vec![K::default(); capacity]);
        let ranks = mem::replace(&mut self.ranks, vec![0; capacity]);
        self.len = 0;
        for (key, rank) in keys.iter().zip(&ranks) {
            if *rank > 0 {
                self.put(*key, key.hash(), *rank);
            }
        }
        memory.shrink(keys.len() * entry);
        Ok(())
    }

    /// Keeps the higher rank. There must be room.
    pub(crate) fn insert(&mut self, key: K, hash: u64, rank: u32) {
        if key == K::default() {
            self.of_default = self.of_default.max(rank);
        } else {
            self.put(key, hash, rank);
        }
    }

    fn put(&mut self, key: K, hash: u64, rank: u32) {
        let capacity = self.keys.len();
        let mut at = slot(hash, capacity);
        loop {
            if self.keys[at] == key {
                self.ranks[at] = self.ranks[at].max(rank);
                return;
            }
            if self.keys[at] == K::default() {
                self.keys[at] = key;
                self.ranks[at] = rank;
                self.len += 1;
                return;
            }
            at += 1;
            if at == capacity {
                at = 0;
            }
        }
    }

    /// The rank of a key.
    pub(crate) fn rank(&self, key: K, hash: u64) -> u32 {
        if key == K::default() {
            return self.of_default;
        }
        if self.len == 0 {
            return 0;
        }
        let capacity = self.keys.len();
        let mut at = slot(hash, capacity);
        loop {
            let met = self.keys[at];
            if met == key {
                return self.ranks[at];
            }
            if met == K::default() {
                return 0;
            }
            at += 1;
            if at == capacity {
                at = 0;
            }
        }
    }
}

/// Keys of any length, one behind the other; slots hold a piece of the hash and the key's number.
#[derive(Debug, Default)]
pub(crate) struct ByteTable {
    slots: Vec<u64>,
    ends: Vec<u32>,
    ranks: Vec<u32>,
    bytes: Vec<u8>,
}

impl ByteTable {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Makes room for `additional` keys of `bytes` bytes together.
    pub(crate) fn reserve(
        &mut self,
        additional: usize,
        bytes: usize,
        memory: &Reservation,
    ) -> Result<(), Refused> {
        grow(&mut self.bytes, bytes, memory)?;
        grow(&mut self.ends, additional, memory)?;
        grow(&mut self.ranks, additional, memory)?;
        let wanted = capacity_for(self.ends.len() + additional);
        if wanted <= self.slots.len() {
            return Ok(());
        }
        let capacity =
            if self.slots.is_empty() { wanted } else { wanted.max(self.slots.len() + self.slots.len() / 2) };
        memory.try_grow(capacity * size_of::<u64>())?;
        let before = mem::replace(&mut self.slots, vec![0; capacity]);
        for number in 0..self.ends.len() {
            let hash = hash_bytes(self.key(number));
            self.place(hash, number);
        }
        memory.shrink(before.len() * size_of::<u64>());
        Ok(())
    }

    fn key(&self, number: usize) -> &[u8] {
        let end = self.ends[number] as usize;
        let start = match number.checked_sub(1) {
            Some(previous) => self.ends[previous] as usize,
            None => 0,
        };
        &self.bytes[start..end]
    }

    fn place(&mut self, hash: u64, number: usize) {
        let capacity = self.slots.len();
        let mut at = slot(hash, capacity);
        while self.slots[at] != 0 {
            at += 1;
            if at == capacity {
                at = 0;
            }
        }
        self.slots[at] = entry(hash, number);
    }

    fn find(&self, key: &[u8], hash: u64) -> Option<usize> {
        let capacity = self.slots.len();
        if capacity == 0 {
            return None;
        }
        let tag = tag(hash);
        let mut at = slot(hash, capacity);
        loop {
            let met = self.slots[at];
            if met == 0 {
                return None;
            }
            if met >> 32 == tag {
                let number = (met & u64::from(u32::MAX)) as usize - 1;
                if self.key(number) == key {
                    return Some(number);
                }
            }
            at += 1;
            if at == capacity {
                at = 0;
            }
        }
    }

    /// Keeps the higher rank. There must be room.
    pub(crate) fn insert(&mut self, keys: &ByteKeys, row: usize, hash: u64, rank: u32) {
        let key = keys.get(row);
        if let Some(number) = self.find(key, hash) {
            self.ranks[number] = self.ranks[number].max(rank);
            return;
        }
        self.bytes.extend_from_slice(key);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
        self.ranks.push(rank);
        self.place(hash, self.ends.len() - 1);
    }

    pub(crate) fn rank(&self, key: &[u8], hash: u64) -> u32 {
        self.find(key, hash).and_then(|number| self.ranks.get(number).copied()).unwrap_or(0)
    }
}

fn tag(hash: u64) -> u64 {
    (hash >> 16) & u64::from(u32::MAX)
}

fn entry(hash: u64, number: usize) -> u64 {
    (tag(hash) << 32) | (number as u64 + 1)
}

/// Room in a vector, reserved before it is taken. A shard stays below 4 GiB.
fn grow<T>(values: &mut Vec<T>, additional: usize, memory: &Reservation) -> Result<(), Refused> {
    let wanted = values.len() + additional;
    if u32::try_from(wanted).is_err() {
        return Err(Refused::shard_full());
    }
    if wanted <= values.capacity() {
        return Ok(());
    }
    let before = values.capacity();
    let capacity = wanted.max(before + before / 2);
    memory.try_grow(capacity * size_of::<T>())?;
    values.reserve_exact(capacity - values.len());
    memory.shrink(before * size_of::<T>());
    Ok(())
}
