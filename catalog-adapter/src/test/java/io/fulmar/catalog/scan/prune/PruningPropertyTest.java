package io.fulmar.catalog.scan.prune;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.scan.prune.RandomColumn.Question;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile.PartitionFieldSummary;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.BinaryUtil;
import org.apache.iceberg.util.UnicodeUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No file with a matching row is skipped, whatever of its statistics is missing or cut. */
final class PruningPropertyTest {
  private static final int ROUNDS = 4_000;
  private static final int ID = 1;

  static Stream<Type> types() {
    return RandomColumn.TYPES.stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void statisticsSkipNoMatch(Type type) {
    Random random = new Random(type.hashCode());
    RandomColumn column = new RandomColumn(type, random);
    Schema schema = schema(type);
    TableMetadata metadata = metadata(schema, PartitionSpec.unpartitioned());
    int skipped = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Object> values = values(column, random);
      Question question = column.question(values);
      DataFile file = file(type, column, values, random);
      RowFilter filter = RowFilter.of(question.expression(), schema);
      boolean kept = new StatisticsFilter(filter, schema, metadata).mayMatch(file);
      assertTrue(
          kept || values.stream().noneMatch(question.isTrue()),
          () -> question.expression() + " matches in " + values);
      skipped += kept ? 0 : 1;
    }
    assertTrue(skipped > ROUNDS / 50, "skipped " + skipped);
  }

  @ParameterizedTest
  @MethodSource("types")
  void partitionsSkipNoMatch(Type type) {
    Random random = new Random(type.hashCode());
    RandomColumn column = new RandomColumn(type, random);
    Schema schema = schema(type);
    for (PartitionSpec spec : specs(schema, type)) {
      int skipped = 0;
      for (int round = 0; round < ROUNDS / 4; round++) {
        List<Object> values = new ArrayList<>();
        values.add(random.nextInt(6) == 0 ? null : column.value());
        Question question = column.question(values);
        PartitionFilter filter =
            new PartitionFilter(RowFilter.of(question.expression(), schema), spec);
        PartitionData tuple = tuple(spec, type, values.get(0));
        boolean kept = filter.mayMatch(tuple) && filter.mayMatch(List.of(summary(spec, tuple)));
        assertTrue(
            kept || !question.isTrue().test(values.get(0)),
            () -> spec + ": " + question.expression() + " matches " + values);
        skipped += kept ? 0 : 1;
      }
      assertTrue(skipped > 0, "nothing skipped under " + spec);
    }
  }

  private static List<Object> values(RandomColumn column, Random random) {
    List<Object> values = new ArrayList<>();
    int nulls = random.nextInt(3);
    for (int row = random.nextInt(4); row >= 0; row--) {
      values.add(nulls > 0 && random.nextInt(3) < nulls ? null : column.value());
    }
    return values;
  }

  private static DataFile file(Type type, RandomColumn column, List<Object> values, Random random) {
    List<Object> ordinary =
        values.stream()
            .filter(value -> value != null && !RandomColumn.isNaN(value))
            .sorted(column::compare)
            .toList();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    if (!ordinary.isEmpty()) {
      lower(type, ordinary.get(0), random, lower);
      upper(type, ordinary.get(ordinary.size() - 1), random, upper);
    }

    long nulls = values.stream().filter(value -> value == null).count();
    long nans = values.stream().filter(RandomColumn::isNaN).count();
    Metrics metrics =
        new Metrics(
            (long) values.size(),
            null,
            maybe(values.size(), random),
            maybe(nulls, random),
            maybe(nans, random),
            random.nextInt(6) == 0 ? null : lower,
            random.nextInt(6) == 0 ? null : upper);
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath("f")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1)
        .withMetrics(metrics)
        .build();
  }

  private static Map<Integer, Long> maybe(long count, Random random) {
    return random.nextInt(5) == 0 ? null : Map.of(ID, count);
  }

  private static void lower(
      Type type, Object value, Random random, Map<Integer, ByteBuffer> bounds) {
    Object bound = value;
    if (value instanceof String text && random.nextBoolean()) {
      bound = UnicodeUtil.truncateStringMin(text, 2);
    } else if (type.typeId() == Type.TypeID.BINARY && random.nextBoolean()) {
      bound = BinaryUtil.truncateBinaryMin((ByteBuffer) value, 2);
    }
    bounds.put(ID, Conversions.toByteBuffer(type, bound));
  }

  /** Cut upward as the format asks, or cut short as careless writers do. */
  private static void upper(
      Type type, Object value, Random random, Map<Integer, ByteBuffer> bounds) {
    Object bound = value;
    int way = random.nextInt(3);
    if (value instanceof String text && way > 0) {
      bound =
          way == 1
              ? UnicodeUtil.truncateStringMax(text, 2)
              : UnicodeUtil.truncateStringMin(text, 2);
    } else if (type.typeId() == Type.TypeID.BINARY && way > 0) {
      ByteBuffer bytes = (ByteBuffer) value;
      bound =
          way == 1
              ? BinaryUtil.truncateBinaryMax(bytes, 2)
              : BinaryUtil.truncateBinaryMin(bytes, 2);
    }
    if (bound != null) {
      bounds.put(ID, Conversions.toByteBuffer(type, bound));
    }
  }

  private static List<PartitionSpec> specs(Schema schema, Type type) {
    List<PartitionSpec> specs = new ArrayList<>();
    specs.add(PartitionSpec.builderFor(schema).identity("c", "part").build());
    if (Transforms.bucket(4).canTransform(type)) {
      specs.add(PartitionSpec.builderFor(schema).bucket("c", 4, "part").build());
    }
    if (Transforms.truncate(2).canTransform(type)) {
      specs.add(PartitionSpec.builderFor(schema).truncate("c", 2, "part").build());
    }
    if (Transforms.day().canTransform(type)) {
      specs.add(PartitionSpec.builderFor(schema).day("c", "part").build());
      specs.add(PartitionSpec.builderFor(schema).year("c", "part").build());
    }
    if (Transforms.hour().canTransform(type)) {
      specs.add(PartitionSpec.builderFor(schema).hour("c", "part").build());
    }
    return specs;
  }

  @SuppressWarnings("unchecked")
  private static PartitionData tuple(PartitionSpec spec, Type type, Object value) {
    Transform<Object, Object> transform =
        (Transform<Object, Object>) spec.fields().get(0).transform();
    PartitionData tuple = new PartitionData(spec.partitionType());
    tuple.set(0, value == null ? null : transform.bind(type).apply(value));
    return tuple;
  }

  private static PartitionFieldSummary summary(PartitionSpec spec, PartitionData tuple) {
    Object value = tuple.get(0);
    boolean bounded = value != null && !RandomColumn.isNaN(value);
    Type type = spec.partitionType().fields().get(0).type();
    ByteBuffer bound = bounded ? Conversions.toByteBuffer(type, value) : null;
    return new Summary(value == null, RandomColumn.isNaN(value), bound, bound);
  }

  private record Summary(
      boolean containsNull, Boolean containsNaN, ByteBuffer lowerBound, ByteBuffer upperBound)
      implements PartitionFieldSummary {
    @Override
    public PartitionFieldSummary copy() {
      return this;
    }
  }

  private static Schema schema(Type type) {
    return new Schema(Types.NestedField.optional(ID, RandomColumn.NAME, type));
  }

  private static TableMetadata metadata(Schema schema, PartitionSpec spec) {
    return TableMetadata.newTableMetadata(
        schema, spec, SortOrder.unsorted(), "file:/none", Map.of());
  }
}
