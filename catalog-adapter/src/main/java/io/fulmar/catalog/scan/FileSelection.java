package io.fulmar.catalog.scan;

import io.fulmar.catalog.scan.prune.ColumnStatistics;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;

/** Which live data files of a snapshot a scan reads. Safe for use by several threads. */
interface FileSelection {
  /** All of them. */
  FileSelection ALL =
      new FileSelection() {
        @Override
        public List<ColumnStatistics> statistics() {
          return List.of();
        }

        @Override
        public boolean selects(DataFile file, PartitionSpec spec) {
          return true;
        }
      };

  /** Columns whose statistics it wants to see. */
  List<ColumnStatistics> statistics();

  /**
   * @param spec the file's
   */
  boolean selects(DataFile file, PartitionSpec spec);
}
