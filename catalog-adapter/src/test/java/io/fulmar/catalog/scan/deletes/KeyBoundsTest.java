package io.fulmar.catalog.scan.deletes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.scan.prune.ColumnStatistics;
import io.fulmar.catalog.scan.prune.ColumnStatistics.Imports;
import io.fulmar.catalog.scan.prune.ColumnStatistics.Placement;
import io.fulmar.catalog.scan.prune.RandomColumn;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.UnicodeUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A delete that has a key in common with a data file is never left out by bounds (rule R25). */
final class KeyBoundsTest {
  private static final int ROUNDS = 400;

  static Stream<Type> types() {
    return RandomColumn.TYPES.stream().filter(KeyColumn::isUsable);
  }

  @ParameterizedTest
  @MethodSource("types")
  void groupsApplyWhereKeysMeet(Type type) {
    Random random = new Random(type.hashCode());
    RandomColumn column = new RandomColumn(type, random);
    int left = 0;
    for (int round = 0; round < ROUNDS; round++) {
      left += checkGroup(column, type, random);
    }
    assertTrue(type.typeId() == Type.TypeID.BOOLEAN || left > ROUNDS / 20, "left out " + left);
  }

  private static int checkGroup(RandomColumn column, Type type, Random random) {
    int width = 1 + random.nextInt(2);
    List<Integer> ids = width == 1 ? List.of(1) : List.of(1, 2);
    List<KeyColumn> columns = ids.stream().map(id -> new KeyColumn(type)).toList();
    EqualityGroup group =
        new EqualityGroup(ids, "global", ids.stream().mapToInt(id -> id - 1).toArray(), columns);

    List<List<List<Object>>> deletes = new ArrayList<>();
    List<Long> sequences = new ArrayList<>();
    for (int file = random.nextInt(8); file >= 0; file--) {
      List<List<Object>> rows = rows(column, width, random);
      long sequence = random.nextInt(5);
      group.add(deletes.size(), sequence, summaries(column, type, rows, width, random));
      deletes.add(rows);
      sequences.add(sequence);
    }
    group.finish(0);

    int left = 0;
    for (int probe = 0; probe < 5; probe++) {
      List<List<Object>> data = rows(column, width, random);
      long sequence = random.nextInt(5);
      boolean applies = group.mayApply(sequence, summaries(column, type, data, width, random));
      boolean must = false;
      for (int file = 0; file < deletes.size(); file++) {
        must |= sequences.get(file) > sequence && share(column, deletes.get(file), data);
      }
      assertTrue(applies || !must, () -> deletes + " against " + data);
      left += applies ? 0 : 1;
    }
    return left;
  }

  private static boolean share(
      RandomColumn column, List<List<Object>> deletes, List<List<Object>> data) {
    return deletes.stream()
        .anyMatch(delete -> data.stream().anyMatch(row -> equal(column, delete, row)));
  }

  private static boolean equal(RandomColumn column, List<Object> left, List<Object> right) {
    for (int index = 0; index < left.size(); index++) {
      Object a = left.get(index);
      Object b = right.get(index);
      if (a == null || b == null ? a != b : column.compare(a, b) != 0) {
        return false;
      }
    }
    return true;
  }

  private static List<List<Object>> rows(RandomColumn column, int width, Random random) {
    List<List<Object>> rows = new ArrayList<>();
    boolean nulls = random.nextInt(3) == 0;
    for (int row = random.nextInt(3); row >= 0; row--) {
      List<Object> values = new ArrayList<>();
      for (int index = 0; index < width; index++) {
        values.add(nulls && random.nextBoolean() ? null : column.value());
      }
      rows.add(values);
    }
    return rows;
  }

  private static List<ValueSummary> summaries(
      RandomColumn column, Type type, List<List<Object>> rows, int width, Random random) {
    List<ValueSummary> summaries = new ArrayList<>();
    for (int index = 0; index < width; index++) {
      int at = index;
      List<Object> values = rows.stream().map(row -> row.get(at)).toList();
      ColumnStatistics statistics = new ColumnStatistics(1, type, Placement.TOP, Imports.NONE);
      summaries.add(
          random.nextInt(10) == 0
              ? ValueSummary.UNKNOWN
              : statistics.of(file(column, type, values)));
    }
    return summaries;
  }

  private static DataFile file(RandomColumn column, Type type, List<Object> values) {
    List<Object> sorted = values.stream().filter(Objects::nonNull).sorted(column::compare).toList();
    long nulls = values.size() - sorted.size();
    Map<Integer, ByteBuffer> lower = Map.of();
    Map<Integer, ByteBuffer> upper = Map.of();
    if (!sorted.isEmpty()) {
      Object top = sorted.get(sorted.size() - 1);
      Object cut = top instanceof String text ? UnicodeUtil.truncateStringMin(text, 2) : top;
      lower = Map.of(1, Conversions.toByteBuffer(type, sorted.get(0)));
      upper = Map.of(1, Conversions.toByteBuffer(type, cut));
    }
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath("f")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1)
        .withMetrics(
            new Metrics(
                (long) values.size(),
                null,
                Map.of(1, (long) values.size()),
                Map.of(1, nulls),
                null,
                lower,
                upper))
        .build();
  }

  @Test
  void intervalsAreFoundAsByLookingAtEach() {
    Random random = new Random(3);
    for (int round = 0; round < 500; round++) {
      int size = random.nextInt(40);
      long[] lows = random.longs(size, -20, 20).toArray();
      long[] highs = new long[size];
      long[] sequences = random.longs(size, 0, 5).toArray();
      Arrays.setAll(highs, entry -> lows[entry] + random.nextInt(6));
      IntervalIndex index = new IntervalIndex(lows, highs, sequences);

      long from = random.nextInt(40) - 20L;
      long to = from + random.nextInt(5);
      long sequence = random.nextInt(5);
      TreeSet<Integer> expected = new TreeSet<>();
      for (int entry = 0; entry < size; entry++) {
        if (lows[entry] <= to && highs[entry] >= from && sequences[entry] > sequence) {
          expected.add(entry);
        }
      }
      TreeSet<Integer> found = new TreeSet<>();
      boolean taken =
          index.any(
              from,
              to,
              sequence,
              Integer.MAX_VALUE,
              entry -> {
                found.add(entry);
                return false;
              });
      assertEquals(expected, found);
      assertEquals(false, taken);
    }
  }
}
