package io.fulmar.catalog.decode;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Columns of primitive types: which Avro type may become which Iceberg type (rule R34), and how.
 */
final class AvroLeaves {
  private static final int UUID_BYTES = 16;

  private final BatchBytes bytes;

  AvroLeaves(BatchBytes bytes) {
    this.bytes = bytes;
  }

  /** Empty if the file's type cannot become the wanted one. */
  Optional<AvroColumn> of(Type wanted, Schema file, FieldVector to) {
    return Optional.ofNullable(
        switch (wanted.typeId()) {
          case BOOLEAN -> file.getType() == Schema.Type.BOOLEAN ? bool((BitVector) to) : null;
          case FLOAT -> file.getType() == Schema.Type.FLOAT ? floats((Float4Vector) to) : null;
          case DOUBLE -> doubles(file, (Float8Vector) to);
          case INTEGER -> isPlain(file, Schema.Type.INT) ? ints((IntVector) to) : null;
          case LONG -> longs(file, (BigIntVector) to);
          case STRING -> text(file, (VarCharVector) to);
          case BINARY, GEOMETRY, GEOGRAPHY ->
              isPlain(file, Schema.Type.BYTES) ? binary((BaseVariableWidthVector) to) : null;
          case FIXED -> fixed((Types.FixedType) wanted, file, (FixedSizeBinaryVector) to);
          case UUID -> uuid(file, (FixedSizeBinaryVector) to);
          case DECIMAL -> decimal((Types.DecimalType) wanted, file, (DecimalVector) to);
          case DATE ->
              file.getLogicalType() instanceof LogicalTypes.Date ? days((DateDayVector) to) : null;
          case TIME -> time(file, (TimeMicroVector) to);
          case TIMESTAMP, TIMESTAMP_NANO -> AvroTimestamps.of(wanted, file, to);
          default -> null;
        });
  }

  private static boolean isPlain(Schema file, Schema.Type type) {
    return file.getType() == type && file.getLogicalType() == null;
  }

  private static AvroColumn bool(BitVector to) {
    return (in, index) -> to.setSafe(index, in.readBoolean() ? 1 : 0);
  }

  private static AvroColumn floats(Float4Vector to) {
    return (in, index) -> to.setSafe(index, in.readFloat());
  }

  private static AvroColumn doubles(Schema file, Float8Vector to) {
    return switch (file.getType()) {
      case FLOAT -> (in, index) -> to.setSafe(index, in.readFloat());
      case DOUBLE -> (in, index) -> to.setSafe(index, in.readDouble());
      default -> null;
    };
  }

  private static AvroColumn ints(IntVector to) {
    return (in, index) -> to.setSafe(index, in.readInt());
  }

  private static AvroColumn longs(Schema file, BigIntVector to) {
    if (isPlain(file, Schema.Type.INT)) {
      return (in, index) -> to.setSafe(index, in.readInt());
    }
    return isPlain(file, Schema.Type.LONG) ? (in, index) -> to.setSafe(index, in.readLong()) : null;
  }

  private static AvroColumn days(DateDayVector to) {
    return (in, index) -> to.setSafe(index, in.readInt());
  }

  private static AvroColumn time(Schema file, TimeMicroVector to) {
    LogicalType logical = file.getLogicalType();
    if (logical instanceof LogicalTypes.TimeMillis) {
      return (in, index) -> to.setSafe(index, in.readInt() * Instants.MICROS_PER_MILLI);
    }
    return logical instanceof LogicalTypes.TimeMicros
        ? (in, index) -> to.setSafe(index, in.readLong())
        : null;
  }

  private AvroColumn text(Schema file, VarCharVector to) {
    if (file.getType() == Schema.Type.ENUM) {
      byte[][] symbols =
          file.getEnumSymbols().stream()
              .map(symbol -> new Utf8(symbol).getBytes())
              .toArray(byte[][]::new);
      return (in, index) -> to.setSafe(index, symbols[in.readEnum()]);
    }

    if (!isPlain(file, Schema.Type.STRING)) {
      return null;
    }
    Utf8 reused = new Utf8();
    return (in, index) -> {
      Utf8 value = in.readString(reused);
      to.setSafe(index, value.getBytes(), 0, value.getByteLength());
      bytes.add(value.getByteLength());
    };
  }

  private AvroColumn binary(BaseVariableWidthVector to) {
    ReusedBytes reused = new ReusedBytes();
    return (in, index) -> {
      ByteBuffer value = reused.read(in);
      to.setSafe(index, value.array(), value.arrayOffset() + value.position(), value.remaining());
      bytes.add(value.remaining());
    };
  }

  private static AvroColumn fixed(Types.FixedType wanted, Schema file, FixedSizeBinaryVector to) {
    return isPlain(file, Schema.Type.FIXED) && file.getFixedSize() == wanted.length()
        ? fixed(wanted.length(), to)
        : null;
  }

  private static AvroColumn fixed(int width, FixedSizeBinaryVector to) {
    byte[] value = new byte[width];
    return (in, index) -> {
      in.readFixed(value);
      to.setSafe(index, value);
    };
  }

  private static AvroColumn uuid(Schema file, FixedSizeBinaryVector to) {
    if (file.getType() == Schema.Type.FIXED && file.getFixedSize() == UUID_BYTES) {
      return fixed(UUID_BYTES, to);
    }
    return file.getType() == Schema.Type.STRING ? uuidText(to) : null;
  }

  private static AvroColumn uuidText(FixedSizeBinaryVector to) {
    byte[] value = new byte[UUID_BYTES];
    return (in, index) -> {
      UUID uuid = UUID.fromString(in.readString());
      ByteBuffer.wrap(value)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits());
      to.setSafe(index, value);
    };
  }

  private static AvroColumn decimal(Types.DecimalType wanted, Schema file, DecimalVector to) {
    if (!(file.getLogicalType() instanceof LogicalTypes.Decimal stored)
        || stored.getScale() != wanted.scale()
        || stored.getPrecision() > wanted.precision()) {
      return null;
    }

    if (file.getType() == Schema.Type.FIXED) {
      byte[] value = new byte[file.getFixedSize()];
      return (in, index) -> {
        in.readFixed(value);
        to.setSafe(index, new BigDecimal(new BigInteger(value), wanted.scale()));
      };
    }

    ReusedBytes reused = new ReusedBytes();
    return (in, index) -> {
      ByteBuffer value = reused.read(in);
      BigInteger unscaled =
          new BigInteger(value.array(), value.arrayOffset() + value.position(), value.remaining());
      to.setSafe(index, new BigDecimal(unscaled, wanted.scale()));
    };
  }

  /** Reads Avro bytes into one buffer that grows as needed. */
  private static final class ReusedBytes {
    private ByteBuffer buffer;

    /** Valid until the next call; backed by an array. */
    ByteBuffer read(Decoder in) throws IOException {
      buffer = in.readBytes(buffer);
      return buffer;
    }
  }
}
