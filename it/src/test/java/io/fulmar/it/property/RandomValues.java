package io.fulmar.it.property;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Random types, and values of few different ones so that keys meet. A struct's value is a map by
 * field id; the rest has Iceberg's generic form.
 */
final class RandomValues {
  private static final double NULL_SHARE = 0.15;
  private static final List<String> TEXTS =
      List.of("", "a", "b", "ab", "abc", "B", "ä", "zz%", "a_b", "😀", "\uffee", "null", "a b");
  private static final List<Double> DOUBLES =
      List.of(
          0.0, 1.5, -2.25, 1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
  private static final List<LocalDateTime> TIMES =
      List.of(
          LocalDateTime.of(1970, 1, 1, 0, 0),
          LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_000),
          LocalDateTime.of(1969, 7, 20, 20, 17, 40),
          LocalDateTime.of(2024, 3, 1, 0, 0, 0, 1_000),
          LocalDateTime.of(1900, 1, 1, 12, 30));

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  /** A type that a key or a partition source may have. */
  Type keyType(int formatVersion) {
    List<Type> types =
        new ArrayList<>(
            List.of(
                Types.IntegerType.get(),
                Types.LongType.get(),
                Types.StringType.get(),
                Types.DateType.get(),
                Types.BooleanType.get(),
                Types.DecimalType.of(9, 2),
                Types.DecimalType.of(18, 4),
                Types.DecimalType.of(30, 10),
                Types.TimeType.get(),
                Types.TimestampType.withoutZone(),
                Types.TimestampType.withZone(),
                Types.UUIDType.get(),
                Types.BinaryType.get(),
                Types.FixedType.ofLength(3)));
    if (formatVersion >= 3) {
      types.add(Types.TimestampNanoType.withoutZone());
      types.add(Types.TimestampNanoType.withZone());
    }
    return types.get(random.nextInt(types.size()));
  }

  /** Any type; fields of nested ones take ids from the supplier. */
  Type type(int formatVersion, IntSupplier ids) {
    return switch (random.nextInt(10)) {
      case 0 -> Types.FloatType.get();
      case 1 -> Types.DoubleType.get();
      case 2 ->
          Types.StructType.of(
              Types.NestedField.optional(ids.getAsInt(), "a", Types.IntegerType.get()),
              Types.NestedField.optional(ids.getAsInt(), "b", keyType(formatVersion)));
      case 3 -> Types.ListType.ofOptional(ids.getAsInt(), keyType(formatVersion));
      case 4 ->
          Types.MapType.ofOptional(
              ids.getAsInt(), ids.getAsInt(), Types.StringType.get(), Types.LongType.get());
      case 5 ->
          Types.ListType.ofOptional(
              ids.getAsInt(),
              Types.StructType.of(
                  Types.NestedField.optional(ids.getAsInt(), "x", Types.LongType.get())));
      default -> keyType(formatVersion);
    };
  }

  /** A value, or null for NULL. */
  Object valueOrNull(Type type) {
    return random.nextDouble() < NULL_SHARE ? null : value(type);
  }

  /** A value that is not NULL. */
  Object value(Type type) {
    return switch (type.typeId()) {
      case STRUCT -> struct(type.asStructType());
      case LIST -> list(type.asListType());
      case MAP -> map();
      default -> leaf(type);
    };
  }

  private Map<Integer, Object> struct(Types.StructType type) {
    Map<Integer, Object> fields = new HashMap<>();
    type.fields().forEach(field -> fields.put(field.fieldId(), valueOrNull(field.type())));
    return fields;
  }

  private List<Object> list(Types.ListType type) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(valueOrNull(type.elementType()));
    }
    return elements;
  }

  private Map<Object, Object> map() {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      entries.put(one(TEXTS), valueOrNull(Types.LongType.get()));
    }
    return entries;
  }

  private Object leaf(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> random.nextBoolean();
      case INTEGER -> random.nextInt(30) == 0 ? Integer.MIN_VALUE : random.nextInt(5) - 1;
      case LONG -> random.nextInt(30) == 0 ? Long.MAX_VALUE : (long) random.nextInt(8) - 2;
      case FLOAT -> one(DOUBLES).floatValue();
      case DOUBLE -> one(DOUBLES);
      case STRING -> one(TEXTS);
      case DATE -> LocalDate.ofEpochDay(random.nextInt(5) * 17L - 40);
      case TIME -> LocalTime.ofSecondOfDay(random.nextInt(6) * 14_399L).plusNanos(1_000);
      case UUID -> new UUID(random.nextInt(3) - 1L, random.nextInt(3) - 1L);
      case BINARY -> ByteBuffer.wrap(bytes(random.nextInt(3)));
      case FIXED -> bytes(((Types.FixedType) type).length());
      case DECIMAL -> decimal((Types.DecimalType) type);
      case TIMESTAMP, TIMESTAMP_NANO -> timestamp(type);
      default -> throw new IllegalArgumentException("No values of " + type);
    };
  }

  private Object timestamp(Type type) {
    LocalDateTime time = one(TIMES);
    boolean zoned =
        type instanceof Types.TimestampType micros
            ? micros.shouldAdjustToUTC()
            : ((Types.TimestampNanoType) type).shouldAdjustToUTC();
    return zoned ? time.atOffset(ZoneOffset.UTC) : time;
  }

  private BigDecimal decimal(Types.DecimalType type) {
    BigInteger unscaled =
        random.nextInt(10) == 0
            ? BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE)
            : BigInteger.valueOf(random.nextInt(6) * 67L - 200);
    return new BigDecimal(unscaled, type.scale());
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (random.nextInt(3) * 127);
    }
    return bytes;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
