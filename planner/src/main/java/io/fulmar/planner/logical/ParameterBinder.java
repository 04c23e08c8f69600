package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Replaces parameters by literals of the parameter's type, so that file pruning sees values and no
 * placeholder reaches the engine.
 */
final class ParameterBinder extends Rewrites.Deep {
  private static final int NANO_DIGITS = 9;
  private static final int MICRO_DIGITS = 6;
  private static final int NANOS_PER_MICRO = 1_000;

  private final RexBuilder builder;
  private final ConstantFolder folder;
  private final List<Object> values;

  private ParameterBinder(RexBuilder builder, List<Object> values) {
    this.builder = requireNonNull(builder, "builder is null");
    this.folder = new ConstantFolder(builder);
    this.values = requireNonNull(values, "values is null");
  }

  /**
   * Binds {@code values} (in the forms of {@code ParameterValues}) in {@code root}.
   *
   * @throws FulmarException INVALID_PARAMETER where a value is missing or does not fit its type
   */
  static RelNode bind(RelNode root, List<Object> values) {
    return Rewrites.expressions(
        root, new ParameterBinder(root.getCluster().getRexBuilder(), values));
  }

  @Override
  public RexNode visitDynamicParam(RexDynamicParam parameter) {
    if (parameter.getIndex() >= values.size()) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER,
          "Parameter $"
              + (parameter.getIndex() + 1)
              + " has no value: "
              + values.size()
              + " bound");
    }
    Object value = values.get(parameter.getIndex());
    RelDataType type = parameter.getType();
    if (value == null) {
      return builder.makeNullLiteral(type);
    }
    if (type.getSqlTypeName() == SqlTypeName.NULL) {
      throw new FulmarException(
              ErrorCode.INVALID_PARAMETER,
              "The type of parameter $" + (parameter.getIndex() + 1) + " is not known")
          .withHint("Write CAST(? AS type).");
    }
    RexNode literal = natural(value, parameter.getIndex());
    if (ValueTypes.same(literal.getType(), type)) {
      return TypedLiterals.withType(builder, literal, type);
    }
    return folder.apply(builder.makeAbstractCast(type, literal, false));
  }

  private RexNode natural(Object value, int index) {
    RelDataTypeFactory types = builder.getTypeFactory();
    if (value instanceof Boolean truth) {
      return builder.makeLiteral(truth);
    } else if (value instanceof Long whole) {
      return builder.makeExactLiteral(
          BigDecimal.valueOf(whole), types.createSqlType(SqlTypeName.BIGINT));
    } else if (value instanceof Double approximate) {
      return builder.makeLiteral(approximate, types.createSqlType(SqlTypeName.DOUBLE), false);
    } else if (value instanceof BigDecimal exact) {
      return decimal(exact, index);
    } else if (value instanceof String text) {
      return builder.makeLiteral(text);
    } else if (value instanceof byte[] bytes) {
      return builder.makeBinaryLiteral(new ByteString(bytes));
    }
    return time(value, index);
  }

  private RexNode time(Object value, int index) {
    if (value instanceof LocalDate date) {
      return builder.makeDateLiteral(DateString.fromDaysSinceEpoch((int) date.toEpochDay()));
    } else if (value instanceof LocalTime time) {
      TimeString text =
          new TimeString(time.getHour(), time.getMinute(), time.getSecond())
              .withNanos(time.getNano());
      return builder.makeTimeLiteral(text, digits(time.getNano()));
    } else if (value instanceof LocalDateTime local) {
      return builder.makeTimestampLiteral(timestamp(local), digits(local.getNano()));
    } else if (value instanceof Instant instant) {
      return builder.makeTimestampWithLocalTimeZoneLiteral(
          timestamp(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)), digits(instant.getNano()));
    }
    throw new FulmarException(
        ErrorCode.INVALID_PARAMETER,
        "Parameter $" + (index + 1) + " has a value of an unknown kind: " + value.getClass());
  }

  private static int digits(int nanos) {
    return nanos % NANOS_PER_MICRO == 0 ? MICRO_DIGITS : NANO_DIGITS;
  }

  private static TimestampString timestamp(LocalDateTime local) {
    return new TimestampString(
            local.getYear(),
            local.getMonthValue(),
            local.getDayOfMonth(),
            local.getHour(),
            local.getMinute(),
            local.getSecond())
        .withNanos(local.getNano());
  }

  private RexNode decimal(BigDecimal value, int index) {
    BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
    int precision = Math.max(plain.precision(), plain.scale());
    int limit = builder.getTypeFactory().getTypeSystem().getMaxPrecision(SqlTypeName.DECIMAL);
    if (precision > limit) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER,
          "Parameter $" + (index + 1) + " has " + precision + " digits, the limit is " + limit);
    }
    return builder.makeExactLiteral(
        plain,
        builder
            .getTypeFactory()
            .createSqlType(SqlTypeName.DECIMAL, Math.max(1, precision), plain.scale()));
  }
}
