package io.fulmar.catalog.scan.prune;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.UnboundPredicate;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Random values of a type and random predicates on them, with SQL's answer for each value. */
public final class RandomColumn {
  static final String NAME = "c";

  public static final List<Type> TYPES =
      List.of(
          Types.BooleanType.get(),
          Types.IntegerType.get(),
          Types.LongType.get(),
          Types.FloatType.get(),
          Types.DoubleType.get(),
          Types.DecimalType.of(9, 2),
          Types.DecimalType.of(38, 3),
          Types.DateType.get(),
          Types.TimeType.get(),
          Types.TimestampType.withZone(),
          Types.StringType.get(),
          Types.UUIDType.get(),
          Types.FixedType.ofLength(4),
          Types.BinaryType.get());

  private static final String[] LETTERS = {"a", "b", "z", "é", "\uFFFD", "😀", "\uDBFF\uDFFF"};

  private final Type type;
  private final Random random;

  public RandomColumn(Type type, Random random) {
    this.type = type;
    this.random = random;
  }

  /** A predicate and whether it is true for a value; null is NULL. */
  public record Question(Expression expression, Predicate<Object> isTrue) {}

  /** Not null; may be NaN. */
  public Object value() {
    return switch (type.typeId()) {
      case BOOLEAN -> random.nextBoolean();
      case INTEGER -> random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(20) - 10;
      case DATE -> random.nextInt(200) - 100;
      case LONG -> random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(20) - 10L;
      case TIME -> (long) random.nextInt(1_000_000);
      case TIMESTAMP -> (random.nextInt(400) - 200L) * 3_600_000_000L + random.nextInt(3) - 1;
      case FLOAT -> (float) real();
      case DOUBLE -> real();
      case DECIMAL -> decimal();
      case STRING -> string();
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      case FIXED -> bytes(4);
      default -> bytes(random.nextInt(6));
    };
  }

  public Question question(List<Object> values) {
    Object literal = ordinary(values);
    return switch (random.nextInt(type.typeId() == Type.TypeID.STRING ? 14 : 12)) {
      case 0 -> of(Expressions.lessThan(NAME, literal), v -> compare(v, literal) < 0);
      case 1 -> of(Expressions.lessThanOrEqual(NAME, literal), v -> compare(v, literal) <= 0);
      case 2 -> of(Expressions.greaterThan(NAME, literal), v -> compare(v, literal) > 0);
      case 3 -> of(Expressions.greaterThanOrEqual(NAME, literal), v -> compare(v, literal) >= 0);
      case 4 -> of(Expressions.equal(NAME, literal), v -> compare(v, literal) == 0);
      case 5 -> of(Expressions.notEqual(NAME, literal), v -> compare(v, literal) != 0);
      case 6 -> new Question(Expressions.isNull(NAME), v -> v == null);
      case 7 -> of(Expressions.notNull(NAME), v -> true);
      case 8 -> among(values, true);
      case 9 -> among(values, false);
      case 10, 11 -> combined(values);
      case 12 -> of(Expressions.startsWith(NAME, prefix(literal)), startsWith(literal));
      default -> of(Expressions.notStartsWith(NAME, prefix(literal)), startsWith(literal).negate());
    };
  }

  public int compare(Object left, Object right) {
    return switch (type.typeId()) {
      case FLOAT, DOUBLE ->
          compareReals(((Number) left).doubleValue(), ((Number) right).doubleValue());
      case STRING -> Arrays.compare(codePoints(left), codePoints(right));
      case UUID -> compareUuids((UUID) left, (UUID) right);
      case FIXED, BINARY -> Arrays.compareUnsigned(array(left), array(right));
      case INTEGER, DATE, LONG, TIME, TIMESTAMP ->
          Long.compare(((Number) left).longValue(), ((Number) right).longValue());
      case DECIMAL -> ((BigDecimal) left).compareTo((BigDecimal) right);
      default -> Boolean.compare((Boolean) left, (Boolean) right);
    };
  }

  public static boolean isNaN(Object value) {
    return (value instanceof Float || value instanceof Double)
        && Double.isNaN(((Number) value).doubleValue());
  }

  private Question combined(List<Object> values) {
    Question left = question(values);
    Question right = question(values);
    return switch (random.nextInt(3)) {
      case 0 ->
          new Question(
              Expressions.and(left.expression, right.expression), left.isTrue.and(right.isTrue));
      case 1 ->
          new Question(
              Expressions.or(left.expression, right.expression), left.isTrue.or(right.isTrue));
      default -> negated(values);
    };
  }

  private Question negated(List<Object> values) {
    Object literal = ordinary(values);
    return of(Expressions.not(Expressions.lessThan(NAME, literal)), v -> compare(v, literal) >= 0);
  }

  private Question among(List<Object> values, boolean inside) {
    List<Object> literals = new ArrayList<>();
    for (int index = random.nextInt(3); index >= 0; index--) {
      literals.add(ordinary(values));
    }
    Predicate<Object> in = v -> literals.stream().anyMatch(each -> compare(v, each) == 0);
    Object[] array = literals.toArray();
    UnboundPredicate<Object> expression =
        inside ? Expressions.in(NAME, array) : Expressions.notIn(NAME, array);
    return of(expression, inside ? in : in.negate());
  }

  private static Question of(Expression expression, Predicate<Object> isTrue) {
    return new Question(expression, v -> v != null && isTrue.test(v));
  }

  private Object ordinary(List<Object> values) {
    Object candidate = values.get(random.nextInt(values.size()));
    if (candidate == null || random.nextInt(3) == 0) {
      candidate = value();
    }
    return isNaN(candidate) ? ordinary(List.of(0.5f, value())) : typed(candidate);
  }

  private Object typed(Object value) {
    return type.typeId() == Type.TypeID.DOUBLE ? ((Number) value).doubleValue() : value;
  }

  private static String prefix(Object literal) {
    String text = (String) literal;
    return text.isEmpty() ? text : text.substring(0, text.offsetByCodePoints(0, 1));
  }

  private static Predicate<Object> startsWith(Object literal) {
    return v -> ((String) v).startsWith(prefix(literal));
  }

  private double real() {
    return switch (random.nextInt(10)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      default -> (random.nextInt(20) - 10) / 4.0;
    };
  }

  private BigDecimal decimal() {
    Types.DecimalType decimal = (Types.DecimalType) type;
    BigInteger unscaled =
        decimal.precision() > 18 && random.nextBoolean()
            ? new BigInteger(110, random).negate()
            : BigInteger.valueOf(random.nextInt(2_000) - 1_000);
    return new BigDecimal(unscaled, decimal.scale());
  }

  private String string() {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(5); length > 0; length--) {
      text.append(LETTERS[random.nextInt(LETTERS.length)]);
    }
    return text.toString();
  }

  private ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    for (int index = 0; index < length; index++) {
      bytes[index] = (byte) new int[] {0, 1, 0x7f, 0x80, 0xff}[random.nextInt(5)];
    }
    return ByteBuffer.wrap(bytes);
  }

  private static int compareReals(double left, double right) {
    if (Double.isNaN(left) || Double.isNaN(right)) {
      return Boolean.compare(Double.isNaN(left), Double.isNaN(right));
    }
    return left < right ? -1 : left > right ? 1 : 0;
  }

  private static int compareUuids(UUID left, UUID right) {
    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }

  private static int[] codePoints(Object text) {
    return ((String) text).codePoints().toArray();
  }

  private static byte[] array(Object buffer) {
    byte[] bytes = new byte[((ByteBuffer) buffer).remaining()];
    ((ByteBuffer) buffer).duplicate().get(bytes);
    return bytes;
  }
}
