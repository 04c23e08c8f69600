package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/** Casts of literals that lose nothing: others are the engine's, which knows when to fail. */
final class CastFolder {
  private static final Pattern ISO_DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern ISO_TIMESTAMP =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?");
  private static final int MICRO_DIGITS = 6;

  private final RexBuilder builder;

  CastFolder(RexBuilder builder) {
    this.builder = requireNonNull(builder, "builder is null");
  }

  /** The literal that a cast gives, absent where the cast is not lossless or not known. */
  Optional<RexNode> fold(RexCall cast) {
    Optional<RexLiteral> found = TypedLiterals.of(cast.operands.get(0));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    RexLiteral literal = found.get();
    RelDataType target = cast.getType();
    if (literal.isNull()) {
      return Optional.of(builder.makeNullLiteral(target));
    }
    if (SqlTypeUtil.isExactNumeric(literal.getType())) {
      return number(literal.getValueAs(BigDecimal.class), target);
    } else if (SqlTypeUtil.isCharacter(literal.getType())) {
      return text(literal.getValueAs(String.class), target);
    } else if (literal.getType().getSqlTypeName() == SqlTypeName.DATE) {
      return date(literal.getValueAs(DateString.class), target);
    } else if (literal.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP) {
      return timestamp(literal.getValueAs(TimestampString.class), target);
    }
    return Optional.empty();
  }

  private Optional<RexNode> number(BigDecimal value, RelDataType target) {
    SqlTypeName name = ValueTypes.canonical(target);
    if (name == SqlTypeName.DOUBLE) {
      return Optional.of(builder.makeLiteral(value.doubleValue(), notNull(target), false));
    }
    if (name == SqlTypeName.REAL) {
      float rounded = value.floatValue();
      boolean exact = Float.isFinite(rounded) && new BigDecimal(rounded).compareTo(value) == 0;
      return exact
          ? Optional.of(builder.makeLiteral((double) rounded, notNull(target), false))
          : Optional.empty();
    }
    if (!SqlTypeUtil.isExactNumeric(target)) {
      return Optional.empty();
    }
    return fitExact(value, target).map(fitted -> builder.makeExactLiteral(fitted, notNull(target)));
  }

  /** The value in the scale of an exact type, absent where digits would be lost. */
  static Optional<BigDecimal> fitExact(BigDecimal value, RelDataType type) {
    int scale = SqlTypeUtil.isDecimal(type) ? type.getScale() : 0;
    BigDecimal stripped = value.stripTrailingZeros();
    if (stripped.scale() > scale) {
      return Optional.empty();
    }
    BigDecimal fitted = value.setScale(scale, RoundingMode.UNNECESSARY);
    boolean fits =
        switch (type.getSqlTypeName()) {
          case TINYINT -> inBits(fitted, Byte.SIZE);
          case SMALLINT -> inBits(fitted, Short.SIZE);
          case INTEGER -> inBits(fitted, Integer.SIZE);
          case BIGINT -> inBits(fitted, Long.SIZE);
          case DECIMAL -> fitted.precision() <= type.getPrecision();
          default -> false;
        };
    return fits ? Optional.of(fitted) : Optional.empty();
  }

  private static boolean inBits(BigDecimal whole, int bits) {
    BigInteger value = whole.toBigInteger();
    return value.bitLength() < bits;
  }

  private Optional<RexNode> text(String value, RelDataType target) {
    String trimmed = value.trim();
    try {
      if (target.getSqlTypeName() == SqlTypeName.DATE && ISO_DATE.matcher(trimmed).matches()) {
        return Optional.of(
            builder.makeDateLiteral(
                DateString.fromDaysSinceEpoch((int) LocalDate.parse(trimmed).toEpochDay())));
      }
      if (target.getSqlTypeName() == SqlTypeName.TIMESTAMP
          && ISO_TIMESTAMP.matcher(trimmed).matches()) {
        LocalDate.parse(trimmed.substring(0, "yyyy-MM-dd".length()));
        return timestamp(new TimestampString(trimmed.replace('T', ' ')), target);
      }
    } catch (DateTimeException | IllegalArgumentException notATime) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<RexNode> date(DateString value, RelDataType target) {
    return target.getSqlTypeName() == SqlTypeName.TIMESTAMP
        ? timestamp(new TimestampString(value + " 00:00:00"), target)
        : Optional.empty();
  }

  private Optional<RexNode> timestamp(TimestampString value, RelDataType target) {
    if (target.getSqlTypeName() != SqlTypeName.TIMESTAMP) {
      return Optional.empty();
    }
    int unit = ValueTypes.isNanos(target) ? target.getPrecision() : MICRO_DIGITS;
    int digits = Math.min(unit, target.getPrecision());
    return value.round(digits).equals(value)
        ? Optional.of(builder.makeTimestampLiteral(value, target.getPrecision()))
        : Optional.empty();
  }

  RelDataType notNull(RelDataType type) {
    return builder.getTypeFactory().createTypeWithNullability(type, false);
  }
}
