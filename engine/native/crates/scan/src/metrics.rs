//! Counters of a scan.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fulmar_proto::ScanMetrics;
use parking_lot::Mutex;

/// Counts over every execution of one scan.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) tasks: Counter,
    pub(crate) files: Counter,
    pub(crate) row_groups_total: Counter,
    pub(crate) row_groups_read: Counter,
    pub(crate) rows_read: Counter,
    pub(crate) rows_deleted_by_position: Counter,
    pub(crate) rows_deleted_by_equality: Counter,
    pub(crate) delete_files_read: Counter,
    pub(crate) delete_keys: Counter,
    pub(crate) delete_keys_cached: Counter,
    pub(crate) row_groups_without_deleted_keys: Counter,
    pub(crate) bytes_read: Arc<AtomicU64>,
    forms: Mutex<Vec<String>>,
}

/// One number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    /// Notes the form that a delete group took.
    pub(crate) fn form(&self, name: &str) {
        self.forms.lock().push(name.to_owned());
    }

    /// The forms so far, one for each delete group used.
    pub(crate) fn forms(&self) -> Vec<String> {
        self.forms.lock().clone()
    }

    pub(crate) fn snapshot(&self, scan_id: u32) -> ScanMetrics {
        ScanMetrics {
            scan_id,
            tasks: self.tasks.value(),
            files: self.files.value(),
            row_groups_total: self.row_groups_total.value(),
            row_groups_read: self.row_groups_read.value(),
            rows_read: self.rows_read.value(),
            rows_deleted_by_position: self.rows_deleted_by_position.value(),
            rows_deleted_by_equality: self.rows_deleted_by_equality.value(),
            delete_files_read: self.delete_files_read.value(),
            delete_keys: self.delete_keys.value(),
            bytes_read: self.bytes_read.load(Ordering::Relaxed),
            delete_forms: self.forms(),
            delete_keys_cached: self.delete_keys_cached.value(),
            row_groups_without_deleted_keys: self.row_groups_without_deleted_keys.value(),
        }
    }
}
