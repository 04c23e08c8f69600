//! A Bloom filter of fixed size that tells rows which no spilled key can match.

use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::memory::{Budget, Reservation};

const CONSUMER: &str = "IcebergScan[delete filter]";
/// Bits for each key, where they can be had.
const BITS_PER_KEY: u64 = 12;
const WORD_BITS: u64 = u64::BITS as u64;
/// Fewer words are not worth having.
const FEWEST_WORDS: usize = 1024;
/// The filter takes at most one of so many parts of the share for keys.
const SHARE: usize = 4;

/// Each key sets four bits of one word.
pub(crate) struct Bloom {
    words: Vec<AtomicU64>,
    /// None where someone else has reserved the memory.
    memory: Mutex<Option<Reservation>>,
}

impl Bloom {
    /// A filter for so many keys, smaller if memory is short; none if there is not enough for a useful one.
    pub(crate) fn new(keys: u64, budget: &Budget) -> Option<Self> {
        let memory = Reservation::of_pool(budget.pool(), CONSUMER);
        let wanted = usize::try_from(keys.saturating_mul(BITS_PER_KEY) / WORD_BITS + 1).unwrap_or(usize::MAX);
        let mut words = wanted.min(budget.limit() / SHARE / size_of::<u64>()).max(FEWEST_WORDS);
        while memory.try_grow(words * size_of::<u64>()).is_err() {
            words /= 2;
            if words < FEWEST_WORDS {
                return None;
            }
        }
        Some(Self {
            words: (0..words).map(|_| AtomicU64::new(0)).collect(),
            memory: Mutex::new(Some(memory)),
        })
    }

    /// Bytes reserved.
    pub(crate) fn reserved(&self) -> usize {
        self.memory.lock().as_ref().map_or(0, Reservation::size)
    }

    /// Gives the reservation back; someone else has made one.
    pub(crate) fn release(&self) {
        drop(self.memory.lock().take());
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let word = ((u128::from(hash) * self.words.len() as u128) >> 64) as usize;
        // The word comes from the highest bits, so the lowest are free to choose among its bits.
        let bits = hash;
        let mask = (1_u64 << (bits & 63))
            | (1 << ((bits >> 6) & 63))
            | (1 << ((bits >> 12) & 63))
            | (1 << ((bits >> 18) & 63));
        (word, mask)
    }

    pub(crate) fn add(&self, hash: u64) {
        let (word, mask) = self.place(hash);
        if let Some(word) = self.words.get(word) {
            word.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// One bit for each hash, set where it may have been added. No step depends on the one before, so that the loads overlap.
    pub(crate) fn suspects(&self, hashes: &[u64]) -> Vec<u64> {
        let may_contain = |hash: &u64| u64::from(self.may_contain(*hash));
        hashes
            .chunks(u64::BITS as usize)
            .map(|chunk| {
                let bits = chunk.iter().enumerate().map(|(bit, hash)| may_contain(hash) << bit);
                bits.fold(0, |word, bit| word | bit)
            })
            .collect()
    }

    pub(crate) fn may_contain(&self, hash: u64) -> bool {
        let (word, mask) = self.place(hash);
        self.words.get(word).is_none_or(|word| word.load(Ordering::Relaxed) & mask == mask)
    }
}
