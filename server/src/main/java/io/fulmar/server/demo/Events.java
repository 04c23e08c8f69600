package io.fulmar.server.demo;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/**
 * Tables with deletes by position: one of format v2 with position-delete files, one of v3 with
 * deletion vectors.
 */
final class Events {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 3, 1);
  private static final int DAYS = 10;
  private static final int ROWS_PER_DAY = 20_000;
  private static final List<String> KINDS = List.of("view", "click", "buy", "error");

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.required(2, "at", Types.TimestampType.withZone()),
          Types.NestedField.optional(3, "kind", Types.StringType.get()),
          Types.NestedField.optional(4, "value", Types.DoubleType.get()),
          Types.NestedField.optional(
              5,
              "device",
              Types.StructType.of(
                  Types.NestedField.optional(6, "os", Types.StringType.get()),
                  Types.NestedField.optional(7, "version", Types.IntegerType.get()))),
          Types.NestedField.optional(
              8, "tags", Types.ListType.ofOptional(9, Types.StringType.get())));

  private Events() {}

  /** Partitioned by day; every third row of the first five days is deleted by position. */
  static void createWithPositionDeletes(Catalog catalog, TableIdentifier name) {
    Table table = create(catalog, name, "2");
    List<DataFile> data = append(table);
    TableFiles files = new TableFiles(table);
    RowDelta delta = table.newRowDelta();
    for (DataFile file : data.subList(0, DAYS / 2)) {
      delta.addDeletes(files.positionDeletes(file, every(3)));
    }
    delta.commit();
  }

  /**
   * As above in format v3: every second row of each day is deleted by one deletion vector for each
   * file.
   */
  static void createWithDeletionVectors(Catalog catalog, TableIdentifier name) {
    Table table = create(catalog, name, "3");
    Map<DataFile, List<Long>> positions = new LinkedHashMap<>();
    append(table).forEach(file -> positions.put(file, every(2)));
    RowDelta delta = table.newRowDelta();
    new TableFiles(table).deletionVectors(positions).deleteFiles().forEach(delta::addDeletes);
    delta.commit();
  }

  private static Table create(Catalog catalog, TableIdentifier name, String formatVersion) {
    PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).day("at").build();
    return catalog.createTable(name, SCHEMA, spec, Map.of("format-version", formatVersion));
  }

  private static List<DataFile> append(Table table) {
    Random random = new Random(23);
    TableFiles files = new TableFiles(table);
    List<DataFile> data = new ArrayList<>();
    for (int day = 0; day < DAYS; day++) {
      List<Record> rows = new ArrayList<>();
      for (long i = 0; i < ROWS_PER_DAY; i++) {
        rows.add(event(table, files, day, i, random));
      }
      data.add(files.data(day(table, day), rows));
    }
    AppendFiles append = table.newAppend();
    data.forEach(append::appendFile);
    append.commit();
    return data;
  }

  private static Record event(Table table, TableFiles files, int day, long i, Random random) {
    LocalDateTime at = FIRST_DAY.plusDays(day).atStartOfDay().plusSeconds(i * 4);
    Schema device = new Schema(table.schema().findType("device").asStructType().fields());
    return files.record(
        day * (long) ROWS_PER_DAY + i,
        OffsetDateTime.of(at, ZoneOffset.UTC),
        KINDS.get(random.nextInt(KINDS.size())),
        random.nextInt(20) == 0 ? null : random.nextDouble() * 100,
        random.nextInt(10) == 0
            ? null
            : TableFiles.record(
                device, random.nextBoolean() ? "linux" : "android", random.nextInt(5)),
        random.nextInt(3) == 0 ? List.of() : List.of("t" + random.nextInt(4), "all"));
  }

  private static StructLike day(Table table, int day) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, (int) FIRST_DAY.plusDays(day).toEpochDay());
    return partition;
  }

  private static List<Long> every(int step) {
    return LongStream.range(0, ROWS_PER_DAY).filter(i -> i % step == 0).boxed().toList();
  }
}
