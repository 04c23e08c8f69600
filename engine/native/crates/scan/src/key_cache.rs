//! Key sets that outlive their query: delete files do not change, so the next query finds their keys here.
//!
//! A set is known by its delete files and by what reading them depends on: the key fields as the table has them, and the name mapping.
//! The memory of kept sets is that of a pool of its own, which bounds it; the least recently used set that no query uses goes first.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::execution::memory_pool::MemoryPool;
use fulmar_error::Result;
use parking_lot::Mutex;

use crate::context::ScanContext;
use crate::groups::KeyGroup;
use crate::key_map::KeyMap;
use crate::memory::Reservation;

const CONSUMER: &str = "IcebergScan[kept delete keys]";
/// Decides, with the location, which bytes are read.
const ENDPOINT: &str = "s3.endpoint";

/// The key sets that are kept.
pub(crate) struct KeyCache {
    pool: Arc<dyn MemoryPool>,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    by_key: HashMap<CacheKey, Entry>,
    clock: u64,
}

struct Entry {
    slot: Arc<Slot>,
    used: u64,
}

/// The place of one set. Who loads it holds the lock, so that others wait instead of reading the same files.
pub(crate) type Slot = tokio::sync::Mutex<Option<Arc<KeyMap>>>;

/// What a set is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey(Arc<str>);

impl CacheKey {
    /// The key of a group. Local files that took the place of others have other keys.
    pub(crate) async fn of(context: &ScanContext, group: &KeyGroup) -> Result<Self> {
        let locations = group.files.iter().map(|file| file.location.clone()).collect();
        let versions = context.resources.storage.versions(locations).await?;
        let files: Vec<_> = group
            .files
            .iter()
            .zip(versions)
            .map(|(file, version)| {
                let sizes = (file.file_bytes, file.record_count, file.format);
                (&file.identity, &file.location, sizes, file.data_sequence_number, version)
            })
            .collect();
        let endpoint = context.properties.get(ENDPOINT);
        let text = format!("{:?}", (files, group.layout.paths(), &context.name_mapping, endpoint));
        Ok(Self(text.into()))
    }
}

impl KeyCache {
    /// A cache whose sets are reserved from `pool`.
    pub(crate) fn new(pool: Arc<dyn MemoryPool>) -> Self {
        Self { pool, entries: Mutex::default() }
    }

    /// The place of a set, which may be empty.
    pub(crate) fn slot(&self, key: &CacheKey) -> Arc<Slot> {
        let mut entries = self.entries.lock();
        // A query that ended while it loaded a set left an empty place.
        entries.by_key.retain(|_, entry| Arc::strong_count(&entry.slot) > 1 || entry.is_filled());
        entries.clock += 1;
        let used = entries.clock;
        let entry = entries.by_key.entry(key.clone()).or_insert_with(|| Entry { slot: Arc::default(), used });
        entry.used = used;
        Arc::clone(&entry.slot)
    }

    /// Makes the set's memory the cache's, if there is room or if others make room. The caller puts the set in its slot if so.
    pub(crate) fn keep(&self, key: &CacheKey, slot: &Arc<Slot>, map: &KeyMap) -> bool {
        let reservation = Reservation::of_pool(&self.pool, CONSUMER);
        let bytes = map.reserved() + key.0.len();
        let mut entries = self.entries.lock();
        while reservation.try_grow(bytes).is_err() {
            if !entries.drop_oldest() {
                entries.by_key.remove(key);
                return false;
            }
        }
        entries.clock += 1;
        let used = entries.clock;
        entries.by_key.insert(key.clone(), Entry { slot: Arc::clone(slot), used });
        // A query's pool asks for memory while it is locked, so no other pool may be asked for anything under the lock here.
        drop(entries);
        map.adopt(reservation);
        true
    }

    /// Forgets a place that stayed empty.
    pub(crate) fn forget(&self, key: &CacheKey) {
        self.entries.lock().by_key.remove(key);
    }

    /// Frees sets that no query uses until so many bytes are free, or none is left.
    pub(crate) fn give_back(&self, bytes: usize) {
        let mut entries = self.entries.lock();
        let before = self.pool.reserved();
        while before.saturating_sub(self.pool.reserved()) < bytes && entries.drop_oldest() {}
    }
}

impl Entry {
    fn is_filled(&self) -> bool {
        self.slot.try_lock().is_ok_and(|map| map.is_some())
    }

    /// Whether there is a set that no query uses.
    fn is_idle(&self) -> bool {
        let held = self.slot.try_lock();
        held.is_ok_and(|map| map.as_ref().is_some_and(|map| Arc::strong_count(map) == 1))
    }
}

impl Entries {
    /// Drops the set that was asked for longest ago, of those that no query uses.
    fn drop_oldest(&mut self) -> bool {
        let idle = self.by_key.iter().filter(|(_, entry)| entry.is_idle());
        let oldest = idle.min_by_key(|(_, entry)| entry.used);
        let Some(key) = oldest.map(|(key, _)| key.clone()) else {
            return false;
        };
        self.by_key.remove(&key).is_some()
    }
}
