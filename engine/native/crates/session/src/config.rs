//! DataFusion's options for one query.

use datafusion::common::config::{ConfigOptions, SpillCompression};
use datafusion::prelude::SessionConfig;
use fulmar_error::{EngineError, Result};
use fulmar_proto::QuerySettings;

/// Rows of a batch unless the query says otherwise.
const BATCH_ROWS: usize = 8192;
const LEAST_BATCH_ROWS: usize = 256;
/// A batch has this part of the memory limit in mind: an operator needs room for several batches of wide rows.
const LIMIT_PER_ROW: usize = 16 << 10;
/// One more partition for each of these: every operator of a partition needs working memory.
const LIMIT_PER_PARTITION: usize = 128 << 20;
/// Runs that one merge pass reads.
pub const MERGE_FAN_IN: usize = 32;

/// Sizes of a query, from its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuerySizes {
    /// Partitions of parallel operators.
    pub partitions: usize,
    /// Rows of a batch between operators.
    pub batch_rows: usize,
    /// What its operators may reserve, in bytes.
    pub memory_limit: usize,
    /// What it may spill, in bytes.
    pub spill_limit: u64,
}

impl QuerySizes {
    /// Sizes that fit the memory limit: fewer partitions and smaller batches in a small one.
    pub fn of(settings: &QuerySettings) -> Result<Self> {
        if settings.memory_limit_bytes == 0 {
            return Err(EngineError::plan("QuerySettings.memory_limit_bytes is not set"));
        }
        let memory_limit = usize::try_from(settings.memory_limit_bytes).unwrap_or(usize::MAX);
        let asked_rows = match settings.batch_rows {
            0 => BATCH_ROWS,
            rows => rows as usize,
        };
        let most_rows = (memory_limit / LIMIT_PER_ROW).max(LEAST_BATCH_ROWS);
        let most_partitions = (memory_limit / LIMIT_PER_PARTITION).max(1);
        Ok(Self {
            partitions: (settings.threads as usize).clamp(1, most_partitions),
            batch_rows: asked_rows.min(most_rows),
            memory_limit,
            spill_limit: settings.spill_limit_bytes,
        })
    }
}

/// Options for a query of these sizes.
pub fn session_config(sizes: &QuerySizes, settings: &QuerySettings) -> SessionConfig {
    let mut options = ConfigOptions::new();
    options.catalog.create_default_catalog_and_schema = false;
    options.catalog.information_schema = false;

    let execution = &mut options.execution;
    execution.target_partitions = sizes.partitions;
    // A count with a FILTER is nullable in DataFusion's physical plan and not in its logical one; types are checked at the end.
    execution.skip_physical_aggregate_schema_check = true;
    execution.planning_concurrency = sizes.partitions;
    execution.spill_compression = SpillCompression::Lz4Frame;
    // The sorter keeps this aside for its merge; our pool leaves room for merges anyway.
    execution.sort_spill_reservation_bytes = (sizes.memory_limit / 256).min(8 << 20);
    execution.sort_in_place_threshold_bytes = (sizes.memory_limit / 64).min(1 << 20);
    execution.use_row_number_estimates_to_optimize_partitioning = true;
    execution.enforce_batch_size_in_joins = true;
    execution.time_zone = match settings.session_zone.as_str() {
        "" => Some("UTC".to_owned()),
        zone => Some(zone.to_owned()),
    };
    // Clients and spill files want plain strings (views grow when they are collected).
    execution.parquet.schema_force_view_types = false;

    let optimizer = &mut options.optimizer;
    // Ours decides between hash and sort-merge joins.
    optimizer.prefer_hash_join = true;
    optimizer.hash_join_single_partition_threshold =
        (sizes.memory_limit / 64).min(optimizer.hash_join_single_partition_threshold);
    // It would buffer up to a gigabyte to keep an order.
    optimizer.enable_sort_pushdown = false;

    SessionConfig::from(options).with_batch_size(sizes.batch_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(memory: u64) -> QuerySettings {
        QuerySettings { threads: 4, memory_limit_bytes: memory, ..Default::default() }
    }

    #[test]
    fn a_small_limit_has_fewer_partitions_and_smaller_batches() {
        let small = QuerySizes::of(&settings(32 << 20)).unwrap();
        assert_eq!((small.partitions, small.batch_rows), (1, 2048));
        let large = QuerySizes::of(&settings(1 << 30)).unwrap();
        assert_eq!((large.partitions, large.batch_rows), (4, 8192));
    }

    #[test]
    fn a_missing_limit_is_refused() {
        assert!(QuerySizes::of(&settings(0)).is_err());
    }

    #[test]
    fn options_reach_the_session() {
        let sizes = QuerySizes::of(&settings(256 << 20)).unwrap();
        let config = session_config(&sizes, &settings(256 << 20));
        assert_eq!(config.target_partitions(), 2);
        assert_eq!(config.batch_size(), 8192);
        assert!(!config.options().execution.parquet.schema_force_view_types);
    }
}
