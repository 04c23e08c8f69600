package io.fulmar.planner.parse;

import java.math.BigDecimal;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * GROUPS frames, which Calcite's window class cannot express. Without offsets GROUPS and RANGE mean
 * the same. With offsets the frame becomes a ROWS frame whose offsets are raised by {@link #MARK}:
 * no true ROWS offset is that large, and the mark survives the way to the relational window.
 */
public final class GroupsFrame {
  /** Added to the offsets of a GROUPS frame. */
  public static final BigDecimal MARK = new BigDecimal("4000000000000000000");

  private GroupsFrame() {}

  /** Whether an offset of a ROWS frame says that the frame counts groups. */
  public static boolean isMarked(BigDecimal offset) {
    return offset.compareTo(MARK) >= 0;
  }

  /** The offset in groups. */
  public static BigDecimal unmark(BigDecimal offset) {
    return offset.subtract(MARK);
  }

  static SqlWindow window(
      SqlIdentifier base,
      SqlNodeList partition,
      SqlNodeList order,
      SqlNode lower,
      SqlNode upper,
      SqlLiteral allowPartial,
      SqlLiteral exclude,
      SqlParserPos position) {
    SqlNode markedLower = mark(lower);
    SqlNode markedUpper = mark(upper);
    boolean offsets = markedLower != lower || markedUpper != upper;
    SqlLiteral isRows = SqlLiteral.createBoolean(offsets, position);
    return SqlWindow.create(
        null,
        base,
        partition,
        order,
        isRows,
        markedLower,
        markedUpper,
        allowPartial,
        exclude,
        position);
  }

  private static SqlNode mark(SqlNode bound) {
    if (bound == null
        || (bound.getKind() != SqlKind.PRECEDING && bound.getKind() != SqlKind.FOLLOWING)) {
      return bound;
    }
    SqlCall call = (SqlCall) bound;
    if (!(call.operand(0) instanceof SqlNumericLiteral literal) || literal.getScale() != 0) {
      return bound;
    }
    SqlLiteral raised =
        SqlLiteral.createExactNumeric(
            literal.bigDecimalValue().add(MARK).toPlainString(), literal.getParserPosition());
    return call.getOperator().createCall(call.getParserPosition(), raised);
  }
}
