package io.fulmar.planner.parse;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A statement that is not relational: it never reaches Calcite's validator. */
abstract class CommandCall extends SqlCall {
  private final SqlOperator operator;

  CommandCall(String name, SqlParserPos position) {
    super(position);
    this.operator = new SqlSpecialOperator(name, SqlKind.OTHER_DDL);
  }

  @Override
  public final SqlOperator getOperator() {
    return operator;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of();
  }
}
