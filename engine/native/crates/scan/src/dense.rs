//! Integer keys as bits, one for each integer of the ranges where keys lie close together.
//!
//! Ranges of 64 Ki integers are blocks of 8 KiB, made when a key needs them. Keys that lie far apart do not fit: a hash table is
//! smaller for them, and the builder says so early.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::buffer::{BooleanBuffer, MutableBuffer};
use parking_lot::{Mutex, RwLock};

use crate::memory::{Refused, Reservation};

const BLOCK_BITS: u32 = 16;
const BLOCK_WORDS: usize = (1 << BLOCK_BITS) / WORD_BITS;
const BLOCK_BYTES: usize = BLOCK_WORDS * size_of::<u64>();
const WORD_BITS: usize = u64::BITS as usize;
/// What a hash table takes for each key, with its filter: blocks may take as much.
const TABLE_BYTES_PER_KEY: u64 = 20;
/// Blocks that any set may have.
const FEWEST_BLOCKS: usize = 16;
/// Ranges between the first and the last block, so that an integer's distance from any other fits 32 bits.
const MOST_SPAN: usize = 1 << (31 - BLOCK_BITS);
/// Ranges without keys cost a directory entry each; so many for each block are fine.
const SPAN_PER_BLOCK: usize = 64;

type Block = Box<[AtomicU64]>;

/// The keys lie too far apart, or memory was refused.
#[derive(Debug)]
pub(crate) struct NotTaken;

/// The blocks and the way to them.
#[derive(Debug)]
struct Blocks {
    /// The range of the directory's first entry.
    first: i64,
    /// For each range the number of its block; block 0 has no keys.
    directory: Vec<u32>,
    blocks: Vec<Block>,
}

/// Keys of one batch, as distances from the origin.
#[derive(Debug)]
struct Run {
    rank: u16,
    offsets: Vec<i32>,
}

/// A set that several tasks fill.
#[derive(Debug)]
pub(crate) struct DenseBuilder {
    blocks: RwLock<Blocks>,
    origin: OnceLock<i64>,
    /// What was added, if ranks differ.
    runs: Option<Mutex<Vec<Run>>>,
    most_blocks: usize,
    most_span: usize,
}

/// A set to probe.
#[derive(Debug)]
pub(crate) struct DenseKeys {
    blocks: Blocks,
    origin: i64,
    len: usize,
    /// Keys are of this rank at least, and of no other if there are no batches.
    lowest: u32,
    one_rank: bool,
    /// Batches to make ranks of when they are asked for.
    runs: Mutex<Vec<Run>>,
    ranks: OnceLock<RankArray>,
}

/// The rank of each key, by the number of keys before it.
#[derive(Debug)]
struct RankArray {
    /// Keys before each word of each block, within the block.
    before: Vec<u16>,
    /// Keys before each block.
    starts: Vec<usize>,
    ranks: Vec<u16>,
}

fn empty_block() -> Block {
    (0..BLOCK_WORDS).map(|_| AtomicU64::new(0)).collect()
}

fn range_of(key: i64) -> i64 {
    key >> BLOCK_BITS
}

fn place_in_block(key: i64) -> (usize, u64) {
    let place = (key & ((1 << BLOCK_BITS) - 1)) as usize;
    (place / WORD_BITS, 1 << (place % WORD_BITS))
}

impl Blocks {
    /// The words of the range that holds the key.
    fn block(&self, key: i64) -> &[AtomicU64] {
        let number = self.number(range_of(key));
        self.blocks.get(number).map_or(&[], |block| block.as_ref())
    }

    fn number(&self, range: i64) -> usize {
        let entry = range.wrapping_sub(self.first) as usize;
        self.directory.get(entry).map_or(0, |number| *number as usize)
    }

    fn contains(&self, key: i64) -> bool {
        let (word, mask) = place_in_block(key);
        self.block(key).get(word).is_some_and(|word| word.load(Ordering::Relaxed) & mask != 0)
    }

    fn bytes(&self) -> usize {
        self.blocks.len() * BLOCK_BYTES + self.directory.len() * size_of::<u32>()
    }

    fn len(&self) -> usize {
        let words = self.blocks.iter().flat_map(|block| block.iter());
        words.map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum()
    }
}

impl DenseBuilder {
    /// For at most `expected` keys of `ranks` different ranks; none if there are too many ranks.
    pub(crate) fn new(expected: u64, ranks: u32, memory: &Reservation) -> Option<Self> {
        u16::try_from(ranks).ok()?;
        memory.try_grow(BLOCK_BYTES).ok()?;
        let affordable = expected.saturating_mul(TABLE_BYTES_PER_KEY) / BLOCK_BYTES as u64;
        let most_blocks = usize::try_from(affordable).unwrap_or(usize::MAX).max(FEWEST_BLOCKS);
        Some(Self {
            blocks: RwLock::new(Blocks { first: 0, directory: Vec::new(), blocks: vec![empty_block()] }),
            origin: OnceLock::new(),
            runs: (ranks > 1).then(Mutex::default),
            most_blocks,
            most_span: most_blocks.saturating_mul(SPAN_PER_BLOCK).min(MOST_SPAN),
        })
    }

    /// Adds the keys of the rows that `skipped` does not name. Nothing is lost if it fails: [`Self::drain`] gives all keys of batches
    /// taken before, and the batch may be added elsewhere as a whole.
    pub(crate) fn insert(
        &self,
        keys: &[u64],
        skipped: Option<&[u8]>,
        rank: u32,
        memory: &Reservation,
    ) -> Result<(), NotTaken> {
        let wanted = |row: usize| skipped.is_none_or(|masks| masks.get(row).is_none_or(|mask| *mask == 0));
        let rows = || keys.iter().enumerate().filter(|(row, _)| wanted(*row)).map(|(_, key)| *key as i64);
        let Some(first) = rows().next() else {
            return Ok(());
        };
        let origin = *self.origin.get_or_init(|| first);
        let mut missing = Vec::new();
        {
            let blocks = self.blocks.read();
            for key in rows() {
                let number = blocks.number(range_of(key));
                match blocks.blocks.get(number) {
                    Some(block) if number > 0 => add(block, key),
                    _ => missing.push(key),
                }
            }
        }
        if !missing.is_empty() {
            let mut blocks = self.blocks.write();
            for key in missing {
                let number = self.make_block(&mut blocks, range_of(key), memory)?;
                if let Some(block) = blocks.blocks.get(number) {
                    add(block, key);
                }
            }
        }
        let Some(runs) = &self.runs else {
            return Ok(());
        };
        let rank = u16::try_from(rank).map_err(|_| NotTaken)?;
        memory.try_grow(keys.len() * size_of::<i32>()).map_err(|_| NotTaken)?;
        let mut offsets = Vec::with_capacity(keys.len());
        for key in rows() {
            offsets.push(i32::try_from(key.wrapping_sub(origin)).map_err(|_| NotTaken)?);
        }
        runs.lock().push(Run { rank, offsets });
        Ok(())
    }

    fn make_block(&self, blocks: &mut Blocks, range: i64, memory: &Reservation) -> Result<usize, NotTaken> {
        let known = blocks.number(range);
        if known > 0 {
            return Ok(known);
        }
        if blocks.blocks.len() > self.most_blocks {
            return Err(NotTaken);
        }
        let last = blocks.first + blocks.directory.len() as i64;
        let (first, end) = if blocks.directory.is_empty() {
            (range, range + 1)
        } else {
            (blocks.first.min(range), last.max(range + 1))
        };
        let span = usize::try_from(end.saturating_sub(first)).unwrap_or(usize::MAX);
        if span > self.most_span {
            return Err(NotTaken);
        }
        let added = span - blocks.directory.len();
        memory.try_grow(BLOCK_BYTES + added * size_of::<u32>()).map_err(|_| NotTaken)?;
        if first < blocks.first || blocks.directory.is_empty() {
            let mut directory = vec![0; added];
            directory.append(&mut blocks.directory);
            blocks.directory = directory;
            blocks.first = first;
        } else {
            blocks.directory.resize(span, 0);
        }
        let number = blocks.blocks.len();
        blocks.blocks.push(empty_block());
        let entry = usize::try_from(range - blocks.first).unwrap_or(usize::MAX);
        if let (Some(entry), Ok(number)) = (blocks.directory.get_mut(entry), u32::try_from(number)) {
            *entry = number;
        }
        Ok(number)
    }

    /// Gives every key with its rank, in batches, and frees what it held.
    pub(crate) fn drain<E>(
        self,
        memory: &Reservation,
        mut add: impl FnMut(&[u64], u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let origin = self.origin.get().copied().unwrap_or(0);
        let blocks = self.blocks.into_inner();
        match self.runs {
            Some(runs) => {
                memory.shrink(blocks.bytes());
                drop(blocks);
                for run in runs.into_inner() {
                    let keys: Vec<u64> = run
                        .offsets
                        .iter()
                        .map(|offset| origin.wrapping_add(i64::from(*offset)) as u64)
                        .collect();
                    let bytes = run.offsets.len() * size_of::<i32>();
                    add(&keys, u32::from(run.rank))?;
                    drop(run);
                    memory.shrink(bytes);
                }
            }
            None => {
                for (entry, number) in blocks.directory.iter().enumerate().filter(|(_, number)| **number > 0)
                {
                    let start = (blocks.first + entry as i64) << BLOCK_BITS;
                    let words = blocks.blocks.get(*number as usize).map_or(&[][..], |block| block.as_ref());
                    let mut keys = Vec::new();
                    for (index, word) in words.iter().enumerate() {
                        let mut left = word.load(Ordering::Relaxed);
                        while left != 0 {
                            let bit = left.trailing_zeros() as usize;
                            keys.push((start + (index * WORD_BITS + bit) as i64) as u64);
                            left &= left - 1;
                        }
                    }
                    add(&keys, 1)?;
                }
                memory.shrink(blocks.bytes());
            }
        }
        Ok(())
    }

    /// The set. Ranks are made of what was added when a file asks for one.
    pub(crate) fn finish(self, memory: &Reservation) -> Result<DenseKeys, Refused> {
        let origin = self.origin.get().copied().unwrap_or(0);
        let runs = self.runs.map_or_else(Vec::new, Mutex::into_inner);
        let blocks = self.blocks.into_inner();
        let len = blocks.len();
        let lowest = runs.iter().map(|run| u32::from(run.rank)).min().unwrap_or(1);
        if !runs.is_empty() {
            memory.try_grow(RankArray::bytes(len, blocks.blocks.len()))?;
        }
        let one_rank = runs.is_empty();
        Ok(DenseKeys {
            blocks,
            origin,
            len,
            lowest,
            one_rank,
            runs: Mutex::new(runs),
            ranks: OnceLock::new(),
        })
    }
}

fn add(block: &Block, key: i64) {
    let (word, mask) = place_in_block(key);
    if let Some(word) = block.get(word) {
        word.fetch_or(mask, Ordering::Relaxed);
    }
}

impl DenseKeys {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The rank of a key, 0 if it is not in the set.
    pub(crate) fn rank(&self, key: i64) -> u32 {
        if !self.blocks.contains(key) {
            return 0;
        }
        if self.one_rank { self.lowest } else { self.ranks().of(&self.blocks, key) }
    }

    /// Whether some key lies between the two, both included.
    pub(crate) fn any_within(&self, least: i64, most: i64) -> bool {
        let blocks = &self.blocks;
        let last = blocks.first + blocks.directory.len() as i64 - 1;
        let (from, to) = (range_of(least).max(blocks.first), range_of(most).min(last));
        (from..=to).any(|range| {
            let words = blocks.blocks.get(blocks.number(range)).filter(|_| blocks.number(range) > 0);
            let start = range << BLOCK_BITS;
            words.is_some_and(|words| {
                words.iter().enumerate().any(|(index, word)| {
                    let first = start + (index * WORD_BITS) as i64;
                    word.load(Ordering::Relaxed) & bits_within(first, least, most) != 0
                })
            })
        })
    }

    /// One bit for each row: set where no key of a rank above the threshold matches.
    pub(crate) fn live(&self, rows: usize, threshold: u32, key: impl Fn(usize) -> i64) -> BooleanBuffer {
        let mut bytes = MutableBuffer::with_capacity(rows.div_ceil(WORD_BITS) * size_of::<u64>());
        for start in (0..rows).step_by(WORD_BITS) {
            let count = WORD_BITS.min(rows - start);
            let mut dead = 0_u64;
            for row in 0..count {
                dead |= u64::from(self.blocks.contains(key(start + row))) << row;
            }
            if dead != 0 && threshold >= self.lowest {
                dead =
                    if self.one_rank { 0 } else { self.outranking(dead, threshold, |row| key(start + row)) };
            }
            bytes.push(!dead);
        }
        BooleanBuffer::new(bytes.into(), 0, rows)
    }

    /// The hits whose rank is above the threshold.
    fn outranking(&self, hits: u64, threshold: u32, key: impl Fn(usize) -> i64) -> u64 {
        let ranks = self.ranks();
        let mut dead = hits;
        let mut left = hits;
        while left != 0 {
            let row = left.trailing_zeros();
            if ranks.of(&self.blocks, key(row as usize)) <= threshold {
                dead &= !(1 << row);
            }
            left &= left - 1;
        }
        dead
    }

    fn ranks(&self) -> &RankArray {
        self.ranks.get_or_init(|| {
            let runs = std::mem::take(&mut *self.runs.lock());
            RankArray::new(&self.blocks, self.origin, self.len, self.lowest, &runs)
        })
    }
}

/// The bits of the word that begins with `first` which lie between the two.
fn bits_within(first: i64, least: i64, most: i64) -> u64 {
    let last = first.wrapping_add(WORD_BITS as i64 - 1);
    if last < least || first > most {
        return 0;
    }
    let low = if least > first { u64::MAX << (least - first) } else { u64::MAX };
    let high = if most < last { u64::MAX >> (last - most) } else { u64::MAX };
    low & high
}

impl RankArray {
    fn bytes(keys: usize, blocks: usize) -> usize {
        keys * size_of::<u16>() + blocks * (BLOCK_WORDS * size_of::<u16>() + size_of::<usize>())
    }

    /// The highest rank of each key.
    fn new(blocks: &Blocks, origin: i64, keys: usize, lowest: u32, runs: &[Run]) -> Self {
        let mut before = Vec::with_capacity(blocks.blocks.len() * BLOCK_WORDS);
        let mut starts = Vec::with_capacity(blocks.blocks.len());
        let mut total = 0;
        for block in &blocks.blocks {
            starts.push(total);
            let mut within = 0_usize;
            for word in block {
                // The last word's keys are not before any word, so that the count fits.
                before.push(u16::try_from(within).unwrap_or(u16::MAX));
                within += word.load(Ordering::Relaxed).count_ones() as usize;
            }
            total += within;
        }
        let lowest = u16::try_from(lowest).unwrap_or(u16::MAX);
        let mut this = Self { before, starts, ranks: vec![lowest; keys] };
        for run in runs {
            for offset in &run.offsets {
                let place = this.place(blocks, origin.wrapping_add(i64::from(*offset)));
                if let Some(rank) = place.and_then(|place| this.ranks.get_mut(place)) {
                    *rank = (*rank).max(run.rank);
                }
            }
        }
        this
    }

    /// The number of keys before a key that is in the set.
    fn place(&self, blocks: &Blocks, key: i64) -> Option<usize> {
        let number = blocks.number(range_of(key));
        let (word, mask) = place_in_block(key);
        let bits = blocks.blocks.get(number)?.get(word)?.load(Ordering::Relaxed) & (mask - 1);
        let before = self.before.get(number * BLOCK_WORDS + word)?;
        Some(self.starts.get(number)? + usize::from(*before) + bits.count_ones() as usize)
    }

    fn of(&self, blocks: &Blocks, key: i64) -> u32 {
        self.place(blocks, key).and_then(|place| self.ranks.get(place)).map_or(0, |rank| u32::from(*rank))
    }
}
