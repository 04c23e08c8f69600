package io.fulmar.it.property;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.expressions.Term;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Random schemas and specs, and changes of them. */
final class RandomEvolution {
  private static final List<String> NAMES = List.of("c", "Value", "some name", "pos", "x.y");

  private final Random random;
  private final RandomValues values;
  private final Table table;
  private int added;

  RandomEvolution(Random random, RandomValues values, Table table) {
    this.random = random;
    this.values = values;
    this.table = table;
  }

  static Schema firstSchema(Random random, RandomValues values, int formatVersion) {
    AtomicInteger ids = new AtomicInteger();
    List<Types.NestedField> columns = new ArrayList<>();
    columns.add(Types.NestedField.required(ids.incrementAndGet(), "id", Types.LongType.get()));
    columns.add(
        Types.NestedField.optional(ids.incrementAndGet(), "k", values.keyType(formatVersion)));
    columns.add(Types.NestedField.optional(ids.incrementAndGet(), "n", Types.IntegerType.get()));
    for (int i = random.nextInt(4); i > 0; i--) {
      int id = ids.incrementAndGet();
      columns.add(
          Types.NestedField.optional(
              id, "v" + i, values.type(formatVersion, ids::incrementAndGet)));
    }
    return new Schema(columns);
  }

  static PartitionSpec firstSpec(Random random, Schema schema) {
    PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
    Type key = schema.findType("k");
    return switch (random.nextInt(4)) {
      case 0 -> spec.identity("n").build();
      case 1 -> identityFits(key) ? spec.identity("k").build() : spec.build();
      case 2 -> bucketFits(key) ? spec.bucket("k", 3).build() : spec.identity("n").build();
      default -> spec.build();
    };
  }

  private static boolean identityFits(Type type) {
    return type.typeId() != Type.TypeID.BINARY && type.typeId() != Type.TypeID.FIXED;
  }

  private static boolean bucketFits(Type type) {
    return type.typeId() != Type.TypeID.BOOLEAN;
  }

  /** Field ids of one or two columns that may be a key, in any order. */
  Set<Integer> keys() {
    List<Integer> ids = new ArrayList<>();
    for (Types.NestedField field : table.schema().columns()) {
      boolean floating =
          field.type().typeId() == Type.TypeID.FLOAT || field.type().typeId() == Type.TypeID.DOUBLE;
      if (field.type().isPrimitiveType() && !floating) {
        ids.add(field.fieldId());
      }
    }
    Collections.shuffle(ids, random);
    return new LinkedHashSet<>(ids.subList(0, Math.min(ids.size(), 1 + random.nextInt(2))));
  }

  /** Adds, renames, drops, moves or promotes; what was done. */
  Optional<String> schema(int formatVersion) {
    UpdateSchema update = table.updateSchema();
    Optional<String> done =
        switch (random.nextInt(6)) {
          case 0, 1 -> add(update, formatVersion);
          case 2 -> rename(update);
          case 3 -> drop(update);
          case 4 -> addNested(update);
          default -> promote(update);
        };
    done.ifPresent(what -> update.commit());
    return done;
  }

  private Optional<String> add(UpdateSchema update, int formatVersion) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    if (table.schema().caseInsensitiveFindField(name) != null) {
      name = name + "_" + added++;
    }
    if (formatVersion >= 3 && random.nextBoolean()) {
      update.addColumn(null, name, Types.IntegerType.get(), null, Literal.of(7));
      return Optional.of("add " + name + " int default 7");
    }
    Type type = values.type(formatVersion, new AtomicInteger(10_000)::incrementAndGet);
    update.addColumn(null, name, type);
    return Optional.of("add " + name + " " + type);
  }

  private Optional<String> rename(UpdateSchema update) {
    return anyColumn()
        .map(
            field -> {
              String name = "r" + added++ + "_" + field.fieldId();
              update.renameColumn(field.name(), name);
              return "rename " + field.name() + " to " + name;
            });
  }

  private Optional<String> drop(UpdateSchema update) {
    Set<Integer> sources = new HashSet<>();
    table
        .specs()
        .values()
        .forEach(spec -> spec.fields().forEach(field -> sources.add(field.sourceId())));
    return anyColumn()
        .filter(field -> !sources.contains(field.fieldId()))
        .map(
            field -> {
              update.deleteColumn(field.name());
              if (random.nextBoolean() && !field.name().contains(".")) {
                update.addColumn(field.name(), Types.StringType.get());
                return "drop " + field.name() + ", and add it again as string";
              }
              return "drop " + field.name();
            });
  }

  private Optional<String> addNested(UpdateSchema update) {
    return table.schema().columns().stream()
        .filter(field -> field.type().isStructType() && !field.name().contains("."))
        .findFirst()
        .map(
            field -> {
              String name = "f" + added++;
              update.addColumn(field.name(), name, Types.LongType.get());
              return "add " + field.name() + "." + name;
            });
  }

  private Optional<String> promote(UpdateSchema update) {
    for (Types.NestedField field : table.schema().columns()) {
      Optional<Type.PrimitiveType> wider = wider(field.type());
      if (wider.isPresent() && !isPartitionSource(field)) {
        update.updateColumn(field.name(), wider.get());
        return Optional.of("promote " + field.name() + " to " + wider.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<Type.PrimitiveType> wider(Type type) {
    return switch (type.typeId()) {
      case INTEGER -> Optional.of(Types.LongType.get());
      case FLOAT -> Optional.of(Types.DoubleType.get());
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield decimal.precision() < 38
            ? Optional.of(Types.DecimalType.of(38, decimal.scale()))
            : Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  /**
   * Iceberg's API keeps the partition tuples that it handed out in the type from before a
   * promotion, and then fails to write deletes for them or does not find their files.
   */
  private boolean isPartitionSource(Types.NestedField field) {
    return table.specs().values().stream()
        .flatMap(spec -> spec.fields().stream())
        .anyMatch(partition -> partition.sourceId() == field.fieldId());
  }

  /** Any but the id. */
  private Optional<Types.NestedField> anyColumn() {
    List<Types.NestedField> columns =
        table.schema().columns().stream().filter(field -> !field.name().equals("id")).toList();
    return columns.isEmpty()
        ? Optional.empty()
        : Optional.of(columns.get(random.nextInt(columns.size())));
  }

  /** Removes the fields, or adds one; what was done. */
  Optional<String> spec() {
    UpdatePartitionSpec update = table.updateSpec();
    String done;
    if (!table.spec().isUnpartitioned() && random.nextBoolean()) {
      for (PartitionField field : table.spec().fields()) {
        if (!field.transform().isVoid()) {
          update.removeField(field.name());
        }
      }
      done = "unpartition";
    } else {
      Optional<Term> term = term();
      if (term.isEmpty()) {
        return Optional.empty();
      }
      update.addField("p" + added++, term.get());
      done = "partition by " + term.get();
    }
    update.commit();
    return Optional.of(done);
  }

  private Optional<Term> term() {
    List<Types.NestedField> columns =
        table.schema().columns().stream()
            .filter(f -> f.type().isPrimitiveType() && identityFits(f.type()))
            .filter(f -> f.type().typeId() != Type.TypeID.FLOAT)
            .filter(f -> f.type().typeId() != Type.TypeID.DOUBLE && !f.name().equals("id"))
            .filter(f -> !f.name().contains("."))
            .filter(f -> table.spec().getFieldsBySourceId(f.fieldId()).isEmpty())
            .toList();
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    Types.NestedField field = columns.get(random.nextInt(columns.size()));
    return Optional.of(
        switch (field.type().typeId()) {
          case INTEGER, LONG, STRING ->
              random.nextBoolean()
                  ? Expressions.truncate(field.name(), 2)
                  : Expressions.bucket(field.name(), 3);
          case TIMESTAMP -> Expressions.day(field.name());
          case DATE -> Expressions.month(field.name());
          default -> Expressions.ref(field.name());
        });
  }
}
