package io.fulmar.catalog;

import io.fulmar.catalog.metadata.TableResolver;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.CatalogSettings;
import io.fulmar.catalog.registry.IcebergCatalog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** A catalog in a folder with one namespace, and files that exist in metadata only. */
public final class TestCatalog implements AutoCloseable {
  private static final Namespace NAMESPACE = Namespace.of("db");

  private final CatalogRegistry registry;

  public TestCatalog(Path folder) {
    Map<String, String> properties = Map.of("warehouse", folder.toString());
    this.registry =
        CatalogRegistry.open(
            List.of(new CatalogSettings("test", "in-memory", properties, Map.of())));
    catalog().createNamespace(NAMESPACE, Map.of());
  }

  public CatalogRegistry registry() {
    return registry;
  }

  public IcebergCatalog catalog() {
    return registry.require("test");
  }

  public Table create(String name, Schema schema, PartitionSpec spec, int formatVersion) {
    return catalog()
        .icebergCatalog()
        .createTable(
            TableIdentifier.of(NAMESPACE, name),
            schema,
            spec,
            Map.of(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion)));
  }

  public TableSnapshot snapshot(String name, VersionSelector version) {
    return new TableResolver(registry)
        .resolve("test", TableIdentifier.of(NAMESPACE, name), version);
  }

  public TableSnapshot snapshot(String name) {
    return snapshot(name, new VersionSelector.Current());
  }

  /** A data file of ten rows in a partition path such as {@code p=1}, "" for none. */
  public static DataFile data(PartitionSpec spec, String path, String partition) {
    DataFiles.Builder builder =
        DataFiles.builder(spec)
            .withPath(path)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(1_000)
            .withRecordCount(10);
    return partition.isEmpty() ? builder.build() : builder.withPartitionPath(partition).build();
  }

  public static DeleteFile equality(
      PartitionSpec spec, String path, String partition, int... fieldIds) {
    return delete(spec, path, partition).ofEqualityDeletes(fieldIds).build();
  }

  public static DeleteFile positions(PartitionSpec spec, String path, String partition) {
    return delete(spec, path, partition).ofPositionDeletes().build();
  }

  public static DeleteFile vector(
      PartitionSpec spec, String path, String partition, String dataFile) {
    return delete(spec, path, partition)
        .ofPositionDeletes()
        .withFormat(FileFormat.PUFFIN)
        .withReferencedDataFile(dataFile)
        .withContentOffset(4)
        .withContentSizeInBytes(40)
        .build();
  }

  public static FileMetadata.Builder delete(PartitionSpec spec, String path, String partition) {
    FileMetadata.Builder builder =
        FileMetadata.deleteFileBuilder(spec)
            .withPath(path)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(100)
            .withRecordCount(1);
    return partition.isEmpty() ? builder : builder.withPartitionPath(partition);
  }

  @Override
  public void close() {
    registry.close();
  }
}
