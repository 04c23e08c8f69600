//! The C allocator decides how much memory stays resident.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const TRIM_INTERVAL_MILLIS: u64 = 1000;

static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
static LAST_TRIM: AtomicU64 = AtomicU64::new(0);

/// Few arenas: glibc keeps freed memory in each of them.
pub fn limit_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt only sets a tunable; it takes no pointers.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Returns freed memory to the system, at most once in [`TRIM_INTERVAL_MILLIS`]: it walks the whole heap.
pub fn trim() {
    let now = u64::try_from(STARTED.elapsed().as_millis()).unwrap_or(u64::MAX);
    let last = LAST_TRIM.load(Ordering::Relaxed);
    if last != 0 && now.saturating_sub(last) < TRIM_INTERVAL_MILLIS {
        return;
    }
    LAST_TRIM.store(now.max(1), Ordering::Relaxed);
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim takes no pointers and may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
