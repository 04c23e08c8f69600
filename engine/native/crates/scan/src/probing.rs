//! Key sets that apply to a data file.

use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::buffer::BooleanBuffer;
use fulmar_error::Result;

use crate::adapter::Adapter;
use crate::groups::KeyGroup;
use crate::key_bounds::ColumnRange;
use crate::key_map::KeyMap;
use crate::open::column;
use crate::parquet_file::{ParquetFile, RowGroupPlace};
use crate::pruning::{column_range, known_column};

/// A key set, the places of its columns among those that are read, and the rank that the file's sequence number gives it.
pub(crate) struct SetTest {
    group: Arc<KeyGroup>,
    map: Arc<KeyMap>,
    columns: Vec<usize>,
    threshold: u32,
}

impl SetTest {
    /// Keys of a rank above `threshold` delete rows.
    pub(crate) fn new(group: Arc<KeyGroup>, map: Arc<KeyMap>, columns: Vec<usize>, threshold: u32) -> Self {
        Self { group, map, columns, threshold }
    }

    /// False if the statistics of a row group show that it holds none of the keys.
    pub(crate) fn may_match(&self, file: &ParquetFile, adapter: &Adapter, place: &RowGroupPlace) -> bool {
        let ranges: Vec<ColumnRange> = self
            .group
            .layout
            .paths()
            .iter()
            .zip(&self.columns)
            .map(|(path, index)| {
                let known = path.last().and_then(|field| known_column(file, adapter, field, *index));
                known.map_or(ColumnRange::UNKNOWN, |known| column_range(file, &known, place))
            })
            .collect();
        self.map.may_match(&ranges)
    }

    /// One bit for each row, set where it is left.
    pub(crate) fn live(&self, columns: &[ArrayRef]) -> Result<BooleanBuffer> {
        let keys =
            self.columns.iter().map(|place| column(columns, *place).cloned()).collect::<Result<Vec<_>>>()?;
        self.map.live_columns(&self.group.layout, &keys, self.threshold)
    }
}
