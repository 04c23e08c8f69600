//! The Iceberg scan. Entry: [`IcebergTable`] for tables of data files, [`HostTable`] for tables whose rows the host makes.
//!
//! A row's way: [`Host`] gives tasks (`tasks`), a task's file is opened (`open`) with its columns found by field id (`columns`,
//! `adapter`, `convert`), its position deletes (`positions`, `puffin`) and its delete groups (`groups`). Row groups that no filter can
//! match are left out (`pruning`), the others are read (`read`) and lose the rows whose keys are deleted (`probing`, `keys`, `key_map`, `dense`), at once
//! or by way of the disk (`merge`, `spill`). Bytes come from `storage`, whose clients of object stores `stores` makes. What is left takes the form that SQL sees (`output`) and leaves by `exec`.

mod adapter;
mod bloom;
mod columns;
mod context;
mod convert;
mod delete_file;
mod dense;
mod exec;
mod field;
mod footer;
mod groups;
mod host;
mod host_table;
mod key_bounds;
mod key_cache;
mod key_map;
mod key_table;
mod keys;
mod layout;
mod lineage;
mod literal;
mod memory;
mod merge;
mod metrics;
mod open;
mod outlet;
mod output;
mod parquet_file;
mod positions;
mod probing;
mod provider;
mod pruning;
mod puffin;
mod read;
mod run;
mod spill;
mod storage;
mod stores;
mod tasks;

pub use context::ScanResources;
pub use exec::{IcebergScanExec, scan_metrics};
pub use host::{Host, HostBatches};
pub use host_table::{HostScanExec, HostTable};
pub use provider::IcebergTable;
