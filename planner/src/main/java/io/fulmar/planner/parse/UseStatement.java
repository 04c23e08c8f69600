package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code USE name}. */
public final class UseStatement extends CommandCall {
  private final SqlIdentifier name;

  UseStatement(SqlParserPos position, SqlIdentifier name) {
    super("USE", position);
    this.name = requireNonNull(name, "name is null");
  }

  public SqlIdentifier name() {
    return name;
  }
}
