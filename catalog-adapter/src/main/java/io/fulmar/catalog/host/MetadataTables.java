package io.fulmar.catalog.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.prune.RecordFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Iceberg's metadata tables: {@code "t$snapshots"} or {@code t.snapshots} and the like (rule R85).
 * Columns are Iceberg's, but {@code position_deletes} has no {@code row}, which readers ignore
 * (rule R24).
 */
public final class MetadataTables {
  private static final List<String> NAMES =
      Arrays.stream(MetadataTableType.values()).map(MetadataTables::name).toList();

  private MetadataTables() {}

  /** The names that {@link #find} knows, in lower case. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The metadata table of a table, or empty if there is none of that name. {@code entries}, {@code
   * files}, {@code data_files}, {@code delete_files}, {@code manifests}, {@code partitions} and
   * {@code position_deletes} show the pinned snapshot and are empty without one; the others show
   * all that the table's metadata knows. Nothing is read before a table is opened.
   *
   * @param name as in {@link #names()}, any case
   */
  public static Optional<HostTable> find(TableSnapshot table, String name) {
    requireNonNull(table, "table is null");
    return Arrays.stream(MetadataTableType.values())
        .filter(type -> name(type).equalsIgnoreCase(name))
        .findFirst()
        .map(type -> create(table, type));
  }

  private static HostTable create(TableSnapshot table, MetadataTableType type) {
    MetadataScan scan = new MetadataScan(table, type);
    return switch (type) {
      case PARTITIONS -> {
        PartitionRows rows = new PartitionRows(table, scan.schema());
        yield filterable(
            scan.name(),
            rows.schema(),
            filter -> GuardedRows.of(scan.name(), () -> rows.rows(filter)));
      }
      case POSITION_DELETES -> {
        PositionDeleteRows rows = new PositionDeleteRows(table, scan.schema());
        yield new RowsHostTable(scan.name(), rows.schema(), rows::open);
      }
      default -> filterable(scan.name(), scan.schema(), scan::rows);
    };
  }

  private static HostTable filterable(
      String name, Schema schema, Function<RecordFilter, CloseableIterable<StructLike>> rows) {
    RecordFilter all =
        RecordFilter.of(Expressions.alwaysTrue(), schema, FilteredHostTable.partition(schema));
    return new FilteredHostTable(name, schema, all, rows);
  }

  private static String name(MetadataTableType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
