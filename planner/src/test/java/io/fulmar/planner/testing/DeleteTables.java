package io.fulmar.planner.testing;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/** Tables of a {@link TestCatalog} whose snapshots have live deletes; only metadata is written. */
public final class DeleteTables {
  private static final long ROWS = 1_000;
  private static final long BYTES = 10_000;

  private DeleteTables() {}

  /** Adds {@code db.cdc}, {@code db.positions} and {@code db.dropped}. */
  public static void create(TestCatalog catalog) {
    Table cdc = table(catalog, "cdc");
    append(cdc);
    cdc.newRowDelta()
        .addDeletes(equality(cdc, 1))
        .addDeletes(equality(cdc, 2, 3))
        .addDeletes(equality(cdc, 5))
        .addDeletes(positions(cdc))
        .commit();

    Table positions = table(catalog, "positions");
    append(positions);
    positions.newRowDelta().addDeletes(positions(positions)).commit();

    Table dropped = table(catalog, "dropped");
    append(dropped);
    dropped
        .newRowDelta()
        .addDeletes(equality(dropped, 3))
        .addDeletes(equality(dropped, 6))
        .commit();
    dropped.updateSchema().deleteColumn("amount").deleteColumn("addr.zip").commit();
    dropped.updateSchema().addColumn("amount", Types.StringType.get()).commit();
  }

  private static Table table(TestCatalog catalog, String name) {
    catalog.create(
        "db",
        name,
        required(1, "id", Types.LongType.get()),
        optional(2, "name", Types.StringType.get()),
        optional(3, "amount", Types.DecimalType.of(12, 2)),
        optional(
            4,
            "addr",
            Types.StructType.of(
                optional(5, "city", Types.StringType.get()),
                optional(6, "zip", Types.IntegerType.get()))));
    return catalog
        .registry()
        .require(TestCatalog.NAME)
        .icebergCatalog()
        .loadTable(TableIdentifier.of("db", name));
  }

  private static void append(Table table) {
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath(table.location() + "/data/1.parquet")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(BYTES)
            .withRecordCount(ROWS)
            .build();
    table.newAppend().appendFile(file).commit();
  }

  private static DeleteFile equality(Table table, int... fieldIds) {
    StringBuilder name = new StringBuilder("/data/eq");
    for (int fieldId : fieldIds) {
      name.append('-').append(fieldId);
    }
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofEqualityDeletes(fieldIds)
        .withPath(table.location() + name + ".parquet")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(BYTES)
        .withRecordCount(2)
        .build();
  }

  private static DeleteFile positions(Table table) {
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofPositionDeletes()
        .withPath(table.location() + "/data/pos.puffin")
        .withFormat(FileFormat.PUFFIN)
        .withReferencedDataFile(table.location() + "/data/1.parquet")
        .withContentOffset(4)
        .withContentSizeInBytes(50)
        .withFileSizeInBytes(BYTES)
        .withRecordCount(2)
        .build();
  }
}
