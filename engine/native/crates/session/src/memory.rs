//! Memory: one limit for the process, one for each query, and who may have what within a query.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use datafusion::common::human_readable_size;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use parking_lot::Mutex;

/// Setting that bounds one query.
pub const QUERY_LIMIT: &str = "memory.query-limit";
/// Setting that bounds all queries together.
pub const PROCESS_LIMIT: &str = "memory.process-limit";

/// Per cent of a query's limit that spilling operators share as they come.
const SHARED: usize = 40;
/// Per cent that is kept so that each spilling operator finds its part of it, however late it starts.
const PROMISED: usize = 25;
/// Rows and keys in a merge take at most this many per cent of what the sorter held (which counts batches twice).
const MERGE_OF_RUN: usize = 170;
/// Per cent that the merges of spilled runs share.
const MERGES: usize = 20;
/// How many of the largest users an error names.
const NAMED_USERS: usize = 4;

/// Frees memory that is kept without need, so many bytes if it can.
type GiveBack = Box<dyn Fn(usize) + Send + Sync>;

/// What all queries of the process have reserved, and what caches keep beside them.
pub struct ProcessMemory {
    limit: usize,
    used: AtomicUsize,
    peak: AtomicUsize,
    /// The part of `used` that caches keep.
    kept: AtomicUsize,
    give_back: OnceLock<GiveBack>,
}

impl fmt::Debug for ProcessMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessMemory")
            .field("limit", &self.limit)
            .field("used", &self.used)
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}

impl ProcessMemory {
    /// An empty process pool.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            used: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            kept: AtomicUsize::new(0),
            give_back: OnceLock::new(),
        }
    }

    /// What to call before a query is refused memory. Only the first call counts.
    pub fn on_shortage(&self, give_back: impl Fn(usize) + Send + Sync + 'static) {
        self.give_back.get_or_init(|| Box::new(give_back));
    }

    /// Bytes that queries have reserved now.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed).saturating_sub(self.kept.load(Ordering::Relaxed))
    }

    /// The most that was ever reserved.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Takes memory for a query; caches give theirs back if there is not enough.
    fn try_take(&self, bytes: usize) -> bool {
        if self.try_take_free(bytes) {
            return true;
        }
        self.give_back.get().is_some_and(|give_back| {
            give_back(bytes);
            self.try_take_free(bytes)
        })
    }

    fn try_take_free(&self, bytes: usize) -> bool {
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|sum| *sum <= self.limit)
        });
        match taken {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    fn take(&self, bytes: usize) {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        self.peak.fetch_max(before.saturating_add(bytes), Ordering::Relaxed);
    }

    fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The pool of what caches keep between queries: a share of the process's memory that queries get back when they need it.
#[derive(Debug)]
pub struct KeptMemory {
    limit: usize,
    process: Arc<ProcessMemory>,
}

impl KeptMemory {
    /// An empty pool.
    pub fn new(limit: usize, process: Arc<ProcessMemory>) -> Self {
        Self { limit, process }
    }
}

impl MemoryPool for KeptMemory {
    fn name(&self) -> &str {
        "kept"
    }

    fn grow(&self, _reservation: &MemoryReservation, additional: usize) {
        self.process.kept.fetch_add(additional, Ordering::Relaxed);
        self.process.take(additional);
    }

    fn shrink(&self, _reservation: &MemoryReservation, shrink: usize) {
        self.process.give_back(shrink);
        self.process.kept.fetch_sub(shrink, Ordering::Relaxed);
    }

    fn try_grow(&self, _reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let kept = &self.process.kept;
        let fits = |kept: usize| kept.checked_add(additional).filter(|sum| *sum <= self.limit);
        let refused = || DataFusionError::ResourcesExhausted("Caches have no more room".to_owned());
        kept.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map_err(|_| refused())?;
        if !self.process.try_take_free(additional) {
            kept.fetch_sub(additional, Ordering::Relaxed);
            return Err(refused());
        }
        Ok(())
    }

    fn reserved(&self) -> usize {
        self.process.kept.load(Ordering::Relaxed)
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.limit)
    }
}

impl fmt::Display for KeptMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PROCESS_LIMIT} (kept) {}", human_readable_size(self.limit))
    }
}

/// How a consumer answers a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It spills and asks again.
    Spilling,
    /// A sorter's merge: takes over what the sorter held, and fails when refused.
    Merging,
    /// It fails.
    Fixed,
}

#[derive(Debug)]
struct User {
    name: String,
    kind: Kind,
    bytes: usize,
    /// The most a sorter held since its merge was last empty.
    run: usize,
    /// Of a merge: its sorter. Of a sorter: its merge.
    partner: Option<usize>,
}

#[derive(Debug, Default)]
struct State {
    users: HashMap<usize, User>,
    spilling: usize,
    merging: usize,
    fixed: usize,
    peak: usize,
}

impl State {
    fn total(&self) -> usize {
        self.spilling + self.merging + self.fixed
    }

    fn of(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Spilling => &mut self.spilling,
            Kind::Merging => &mut self.merging,
            Kind::Fixed => &mut self.fixed,
        }
    }

    fn spillers(&self) -> impl Iterator<Item = (&usize, &User)> {
        self.users.iter().filter(|(_, user)| user.kind == Kind::Spilling)
    }

    fn merge_bytes(&self, sorter: &User) -> usize {
        sorter.partner.and_then(|id| self.users.get(&id)).map_or(0, |merge| merge.bytes)
    }

    /// Spilling consumers that hold something, in their own name or in their merge's, and this one.
    fn active_sorters_and_others(&self, id: usize) -> usize {
        let others = self
            .spillers()
            .filter(|(other, user)| **other != id && (user.bytes > 0 || self.merge_bytes(user) > 0));
        others.count() + 1
    }

    /// What spilling consumers hold beyond their promise; a sorter's rows count also while they move to its merge.
    fn excess(&self, promise: usize) -> usize {
        let held = |user: &User| user.bytes.max(self.merge_bytes(user) * 100 / MERGE_OF_RUN);
        self.spillers().map(|(_, user)| held(user).saturating_sub(promise)).sum()
    }

    /// The most that a merge's sorter held for it.
    fn run_of(&self, merge: usize) -> usize {
        let sorter = self.users.get(&merge).and_then(|user| user.partner);
        sorter.and_then(|id| self.users.get(&id)).map_or(0, |sorter| sorter.run)
    }

    fn active_merges(&self, id: usize) -> usize {
        let others = self
            .users
            .iter()
            .filter(|(other, user)| **other != id && user.kind == Kind::Merging && user.bytes > 0);
        others.count() + 1
    }

    /// What other merges took beyond their promise and their sorter's run.
    fn merge_excess(&self, besides: usize, promise: usize) -> usize {
        let merges = self.users.iter().filter(|(id, user)| **id != besides && user.kind == Kind::Merging);
        merges
            .map(|(id, merge)| {
                let due = percent(self.run_of(*id), MERGE_OF_RUN).max(promise);
                merge.bytes.saturating_sub(due)
            })
            .sum()
    }

    fn add(&mut self, id: usize, kind: Kind, bytes: usize) {
        *self.of(kind) += bytes;
        self.peak = self.peak.max(self.total());
        if let Some(user) = self.users.get_mut(&id) {
            user.bytes += bytes;
            user.run = user.run.max(user.bytes);
        }
    }

    fn remove(&mut self, id: usize, kind: Kind, bytes: usize) {
        let sum = self.of(kind);
        *sum = sum.saturating_sub(bytes);
        let Some(user) = self.users.get_mut(&id) else {
            return;
        };
        user.bytes = user.bytes.saturating_sub(bytes);
        let ended_merge = kind == Kind::Merging && user.bytes == 0;
        let partner = user.partner;
        if ended_merge && let Some(sorter) = partner.and_then(|id| self.users.get_mut(&id)) {
            sorter.run = sorter.bytes;
        }
    }
}

/// How the limit is divided now: what consumers that cannot spill hold is gone for the others.
#[derive(Debug)]
struct Shares {
    /// For each spilling consumer.
    promise: usize,
    /// For all spilling consumers beyond their promise.
    shared: usize,
    /// For all merges of spilled runs beyond their promise.
    merges: usize,
    /// Spilling consumers that are expected and have not registered.
    absent: usize,
}

impl Shares {
    fn of(limit: usize, expected: usize, state: &State) -> Self {
        let base = limit.saturating_sub(state.fixed);
        let present = state.spillers().count();
        Self {
            promise: promise(base, expected.max(present)),
            shared: percent(base, SHARED),
            merges: percent(base, MERGES),
            absent: expected.saturating_sub(present),
        }
    }

    fn unused_promises(&self, state: &State) -> usize {
        let held = |user: &User| user.bytes + state.merge_bytes(user);
        let present: usize = state.spillers().map(|(_, user)| self.promise.saturating_sub(held(user))).sum();
        present + self.absent * self.promise
    }
}

/// A query's pool.
///
/// DataFusion's operators cannot be asked to give memory back, so the pool plans for those that come later:
/// each spilling operator is promised its part of [`PROMISED`] per cent, and beyond it they share [`SHARED`] per cent
/// fairly among those that hold something. The rest is for operators that cannot spill and for merges. DataFusion's
/// sorter moves what it held from a spilling to an unspilling reservation while it merges, and adds sort keys: a merge
/// may take that much; a merge of spilled runs takes as much as it gets and is bounded to a part of [`MERGES`] per cent.
#[derive(Debug)]
pub struct QueryMemory {
    limit: usize,
    expected_spillers: AtomicUsize,
    process: Arc<ProcessMemory>,
    state: Mutex<State>,
}

impl QueryMemory {
    /// An empty pool of a query.
    pub fn new(limit: usize, process: Arc<ProcessMemory>) -> Self {
        Self { limit, expected_spillers: AtomicUsize::new(1), process, state: Mutex::new(State::default()) }
    }

    /// Tells how many consumers that spill the plan has; operators register late.
    pub fn expect_spillers(&self, count: usize) {
        self.expected_spillers.store(count.max(1), Ordering::Relaxed);
    }

    /// The most that was reserved at once, in bytes.
    pub fn peak(&self) -> usize {
        self.state.lock().peak
    }

    /// How many bytes more a consumer may have.
    fn room(&self, state: &State, id: usize, kind: Kind) -> usize {
        let shares = Shares::of(self.limit, self.expected_spillers.load(Ordering::Relaxed), state);
        let free = self.limit.saturating_sub(state.total());
        let own = state.users.get(&id).map_or(0, |user| user.bytes);
        match kind {
            Kind::Spilling => {
                let promised = shares.promise.saturating_sub(own);
                let excess = own.saturating_sub(shares.promise);
                let fair = (shares.shared / state.active_sorters_and_others(id)).saturating_sub(excess);
                let left = shares.shared.saturating_sub(state.excess(shares.promise));
                (promised + fair.min(left)).min(free)
            }
            Kind::Merging => {
                let run = percent(state.run_of(id), MERGE_OF_RUN);
                let most = (shares.merges / state.active_merges(id)).min(shares.merges / 2);
                let left = shares.merges.saturating_sub(state.merge_excess(id, shares.promise));
                run.max(shares.promise + most.min(left)).saturating_sub(own).min(free)
            }
            Kind::Fixed => free.saturating_sub(shares.unused_promises(state)),
        }
    }

    fn refused(&self, state: &State, name: &str, bytes: usize, setting: &str) -> DataFusionError {
        let mut users: Vec<_> = state.users.values().filter(|user| user.bytes > 0).collect();
        users.sort_by_key(|user| std::cmp::Reverse(user.bytes));
        let named: Vec<_> = users
            .iter()
            .take(NAMED_USERS)
            .map(|user| format!("{} {}", user.name, human_readable_size(user.bytes)))
            .collect();
        let limit = if setting == QUERY_LIMIT { self.limit } else { self.process.limit };
        DataFusionError::ResourcesExhausted(format!(
            "{name} asked for {} more than {setting} ({}) allows; largest users: {}",
            human_readable_size(bytes),
            human_readable_size(limit),
            if named.is_empty() { "none in this query".to_owned() } else { named.join(", ") },
        ))
    }
}

impl MemoryPool for QueryMemory {
    fn name(&self) -> &str {
        "query"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        let kind = kind_of(consumer);
        let mut state = self.state.lock();
        let id = consumer.id();
        let partner = if kind == Kind::Merging { newest_sorter(&state, consumer.name()) } else { None };
        if let Some(sorter) = partner.and_then(|sorter| state.users.get_mut(&sorter)) {
            sorter.partner = Some(id);
        }
        let name = consumer.name().to_owned();
        state.users.insert(id, User { name, kind, bytes: 0, run: 0, partner });
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.state.lock().users.remove(&consumer.id());
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        let consumer = reservation.consumer();
        self.state.lock().add(consumer.id(), kind_of(consumer), additional);
        self.process.take(additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        let consumer = reservation.consumer();
        self.state.lock().remove(consumer.id(), kind_of(consumer), shrink);
        self.process.give_back(shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let consumer = reservation.consumer();
        let kind = kind_of(consumer);
        let mut state = self.state.lock();
        if additional > self.room(&state, consumer.id(), kind) {
            return Err(self.refused(&state, consumer.name(), additional, QUERY_LIMIT));
        }
        if !self.process.try_take(additional) {
            return Err(self.refused(&state, consumer.name(), additional, PROCESS_LIMIT));
        }
        state.add(consumer.id(), kind, additional);
        Ok(())
    }

    fn reserved(&self) -> usize {
        self.state.lock().total()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.limit)
    }
}

impl fmt::Display for QueryMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{QUERY_LIMIT} {}", human_readable_size(self.limit))
    }
}

const SORTER: &str = "ExternalSorter[";
const SORTER_MERGE: &str = "ExternalSorterMerge[";

fn kind_of(consumer: &MemoryConsumer) -> Kind {
    if consumer.can_spill() {
        Kind::Spilling
    } else if consumer.name().starts_with(SORTER_MERGE) {
        Kind::Merging
    } else {
        Kind::Fixed
    }
}

/// The sorter that a merge belongs to: both register one after the other, under one partition number.
fn newest_sorter(state: &State, merge: &str) -> Option<usize> {
    let partition = merge.strip_prefix(SORTER_MERGE)?;
    let sorters = state
        .users
        .iter()
        .filter(|(_, user)| user.partner.is_none() && user.name.strip_prefix(SORTER) == Some(partition));
    sorters.map(|(id, _)| *id).max()
}

/// What each of so many spilling consumers is promised of a limit.
pub fn promise(limit: usize, spillers: usize) -> usize {
    percent(limit, PROMISED) / spillers.max(1)
}

fn percent(bytes: usize, share: usize) -> usize {
    (bytes / 100).saturating_mul(share)
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "memory_kept_tests.rs"]
mod kept_tests;
