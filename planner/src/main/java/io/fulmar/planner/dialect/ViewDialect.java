package io.fulmar.planner.dialect;

import io.fulmar.catalog.registry.ViewDefinition;
import io.fulmar.planner.parse.StatementParser;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A dialect in which a view's query is written: how it is read, and where it means something else
 * than the same words do here.
 */
public enum ViewDialect {
  /** This server's own. */
  OWN,
  /** Trino and Presto: NULLs are last in either direction. */
  TRINO,
  /**
   * Spark: backticks around names, either quote around text, NULLs below all values, {@code
   * STRING}; {@code /} of integers and indexes of arrays mean something else than here.
   */
  SPARK,
  /** Any other, read as this server's own. */
  OTHER;

  /** The dialect of a name in view metadata. */
  public static ViewDialect of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case ViewDefinition.DIALECT -> OWN;
      case "trino", "presto" -> TRINO;
      case "spark", "spark-sql", "databricks" -> SPARK;
      default -> OTHER;
    };
  }

  /** The tree of a query, which means here what the text means in the dialect. */
  public SqlNode parse(StatementParser parser, String sql) {
    return switch (this) {
      case OWN, OTHER -> parser.parse(sql);
      case TRINO -> parser.parse(sql).accept(new Orders(this));
      case SPARK -> parser.parseBackticked(sql).accept(new Orders(this));
    };
  }

  /** Whether integers are divided as here: to an integer. */
  public boolean dividesIntegers() {
    return this != SPARK;
  }

  /** Whether the first element of an array is number 1, as here. */
  public boolean indexesFromOne() {
    return this != SPARK;
  }

  /** Writes out where NULLs stand, and names types as this grammar does. */
  private static final class Orders extends SqlShuttle {
    private final ViewDialect dialect;

    Orders(ViewDialect dialect) {
      this.dialect = dialect;
    }

    @Override
    public SqlNode visit(SqlDataTypeSpec type) {
      boolean text =
          type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec
              && type.getTypeName().toString().equalsIgnoreCase("string");
      return text
          ? new SqlDataTypeSpec(
              new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, type.getParserPosition()),
              type.getParserPosition())
          : type;
    }

    @Override
    public SqlNode visit(SqlCall call) {
      if (call.getKind() == SqlKind.WITHIN_GROUP) {
        SqlCall copy = (SqlCall) super.visit(call).clone(call.getParserPosition());
        copy.setOperand(1, ordered(copy.operand(1)));
        return copy;
      }
      SqlNode visited = super.visit(call);
      if (visited instanceof SqlOrderBy order) {
        return new SqlOrderBy(
            order.getParserPosition(),
            order.query,
            ordered(order.orderList),
            order.offset,
            order.fetch);
      }
      if (visited instanceof SqlWindow window) {
        window.setOrderList(ordered(window.getOrderList()));
      }
      return visited;
    }

    private SqlNodeList ordered(SqlNodeList keys) {
      List<SqlNode> explicit = keys.getList().stream().map(this::ordered).toList();
      return new SqlNodeList(explicit, keys.getParserPosition());
    }

    private SqlNode ordered(SqlNode key) {
      if (key.getKind() == SqlKind.NULLS_FIRST || key.getKind() == SqlKind.NULLS_LAST) {
        return key;
      }
      boolean first = dialect == SPARK && key.getKind() != SqlKind.DESCENDING;
      SqlOperator operator =
          first ? SqlStdOperatorTable.NULLS_FIRST : SqlStdOperatorTable.NULLS_LAST;
      return operator.createCall(key.getParserPosition(), key);
    }
  }
}
