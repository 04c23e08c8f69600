package io.fulmar.catalog.registry;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.BaseMetastoreTableOperations;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the newest metadata of tables. Where the catalog stores the metadata's location, parsed
 * metadata is kept, bounded by its size, and parsed anew only when the location has changed.
 */
final class TableLoader {
  private static final Logger LOG = LoggerFactory.getLogger(TableLoader.class);

  /** In snapshots and log entries: some hundred bytes each. */
  private static final long CACHE_WEIGHT = 200_000;

  private final Catalog catalog;
  private final MetadataFiles files;
  private final Cache<TableIdentifier, TableOperations> cache =
      Caffeine.newBuilder()
          .maximumWeight(CACHE_WEIGHT)
          .weigher((TableIdentifier id, TableOperations operations) -> weight(operations))
          .expireAfterAccess(Duration.ofHours(1))
          .build();

  TableLoader(Catalog catalog, MetadataFiles files) {
    this.catalog = catalog;
    this.files = files;
  }

  /** What a load gives. */
  record Loaded(TableMetadata metadata, FileIO io) {}

  /**
   * @throws NoSuchTableException if there is none
   * @throws FulmarException for metadata that cannot be read
   */
  Loaded load(TableIdentifier identifier) {
    TableOperations known = cache.getIfPresent(identifier);
    if (known != null) {
      try {
        return refreshed(identifier, known);
      } catch (NoSuchTableException e) {
        cache.invalidate(identifier);
        throw e;
      } catch (RuntimeException e) {
        LOG.info("Loading {} anew since its refresh failed: {}", identifier, e.toString());
        cache.invalidate(identifier);
      }
    }
    return loadAnew(identifier);
  }

  /** Forgets what is known of a table. */
  void forget(TableIdentifier identifier) {
    cache.invalidate(identifier);
  }

  /** The table for a writer: nothing else uses it. */
  Table table(TableIdentifier identifier) {
    Table table = files.explain(() -> MetadataReads.once(() -> catalog.loadTable(identifier)));
    if (table instanceof BaseMetadataTable || !(table instanceof HasTableOperations)) {
      throw new NoSuchTableException("Table does not exist: %s", identifier);
    }
    return table;
  }

  private Loaded loadAnew(TableIdentifier identifier) {
    TableOperations operations = ((HasTableOperations) table(identifier)).operations();
    Loaded loaded = new Loaded(operations.current(), operations.io());
    if (operations instanceof BaseMetastoreTableOperations) {
      cache.put(identifier, operations);
    }
    return loaded;
  }

  private Loaded refreshed(TableIdentifier identifier, TableOperations operations) {
    synchronized (operations) {
      TableMetadata before = operations.current();
      TableMetadata after = MetadataReads.once(operations::refresh);
      if (after == null) {
        throw new NoSuchTableException("Table does not exist: %s", identifier);
      }

      if (after != before) {
        cache.put(identifier, operations);
      }
      return new Loaded(after, operations.io());
    }
  }

  private static int weight(TableOperations operations) {
    TableMetadata metadata = operations.current();
    return 10
        + metadata.snapshots().size()
        + metadata.snapshotLog().size()
        + metadata.previousFiles().size();
  }
}
