//! Memory that the scan's deletes take: all of it reserved from the query's pool, and never more than a share of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use fulmar_error::{EngineError, ErrorCode};

/// The setting to raise when a query has too little memory.
pub(crate) const QUERY_LIMIT: &str = "memory.query-limit";

/// The part of the pool that key sets may take, so that the rest of the query can work: one of so many.
const SET_SHARE: usize = 2;
/// The part of the pool that the key parts of spilled groups may take.
const PART_SHARE: usize = 4;

/// Why memory was not given.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl Refused {
    pub(crate) fn into_error(self, what: &str) -> EngineError {
        EngineError::new(
            ErrorCode::MemoryLimitExceeded,
            format!("{what} need more memory than the query has: {}", self.0),
        )
        .with_setting(QUERY_LIMIT)
    }
}

/// A bound on what several reservations take together, on top of the pool's own.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    pool: Arc<dyn MemoryPool>,
    share: Arc<Share>,
}

#[derive(Debug)]
struct Share {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// The share for key sets of a query's pool.
    pub(crate) fn for_sets(pool: &Arc<dyn MemoryPool>, query_limit: u64) -> Self {
        Self::new(pool, query_limit, SET_SHARE)
    }

    /// The share for the keys of spilled parts.
    pub(crate) fn for_parts(pool: &Arc<dyn MemoryPool>, query_limit: u64) -> Self {
        Self::new(pool, query_limit, PART_SHARE)
    }

    fn new(pool: &Arc<dyn MemoryPool>, query_limit: u64, share: usize) -> Self {
        let pool_limit = match pool.memory_limit() {
            MemoryLimit::Finite(limit) => limit,
            _ => usize::MAX,
        };
        let query_limit = match usize::try_from(query_limit) {
            Ok(limit) if limit > 0 => limit,
            _ => usize::MAX,
        };
        let limit = pool_limit.min(query_limit);
        Self {
            pool: Arc::clone(pool),
            share: Arc::new(Share {
                limit: if limit == usize::MAX { limit } else { limit / share },
                used: AtomicUsize::new(0),
            }),
        }
    }

    /// The pool behind the share.
    pub(crate) fn pool(&self) -> &Arc<dyn MemoryPool> {
        &self.pool
    }

    /// The bound of the share.
    pub(crate) fn limit(&self) -> usize {
        self.share.limit
    }

    /// What is left of the share.
    pub(crate) fn left(&self) -> usize {
        self.share.limit.saturating_sub(self.share.used.load(Ordering::Relaxed))
    }

    /// An empty reservation within the share.
    pub(crate) fn reservation(&self, name: &str) -> Reservation {
        Reservation {
            inner: MemoryConsumer::new(name).register(&self.pool),
            pool: Arc::clone(&self.pool),
            share: Some(Arc::clone(&self.share)),
        }
    }
}

/// Memory that is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    inner: MemoryReservation,
    pool: Arc<dyn MemoryPool>,
    share: Option<Arc<Share>>,
}

impl Reservation {
    /// A reservation bounded by the pool alone.
    pub(crate) fn of_pool(pool: &Arc<dyn MemoryPool>, name: &str) -> Self {
        Self { inner: MemoryConsumer::new(name).register(pool), pool: Arc::clone(pool), share: None }
    }

    /// The pool that the memory is of.
    pub(crate) fn pool(&self) -> &Arc<dyn MemoryPool> {
        &self.pool
    }

    pub(crate) fn size(&self) -> usize {
        self.inner.size()
    }

    pub(crate) fn try_grow(&self, bytes: usize) -> Result<(), Refused> {
        if let Some(share) = &self.share {
            let before = share.used.fetch_add(bytes, Ordering::Relaxed);
            if before.saturating_add(bytes) > share.limit {
                share.used.fetch_sub(bytes, Ordering::Relaxed);
                return Err(Refused(format!(
                    "delete keys may take {} bytes, {before} are taken and {bytes} more are needed",
                    share.limit
                )));
            }
        }
        self.inner.try_grow(bytes).map_err(|error| {
            self.give_back(bytes);
            Refused(reason(&error))
        })
    }

    pub(crate) fn shrink(&self, bytes: usize) {
        let bytes = bytes.min(self.inner.size());
        self.inner.shrink(bytes);
        self.give_back(bytes);
    }

    fn give_back(&self, bytes: usize) {
        if let Some(share) = &self.share {
            share.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.give_back(self.inner.size());
    }
}

fn reason(error: &DataFusionError) -> String {
    error.strip_backtrace()
}

impl Refused {
    /// Another task was refused memory for the same keys.
    pub(crate) fn stopped() -> Self {
        Self("memory was refused to another task".to_owned())
    }

    /// A table that has reached the size its numbers allow.
    pub(crate) fn shard_full() -> Self {
        Self("a table of delete keys has reached 4 GiB".to_owned())
    }
}
