package io.fulmar.planner.parse;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.List;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlDrop;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code CREATE SCHEMA} and {@code DROP SCHEMA}. */
public final class SchemaStatement {
  private SchemaStatement() {}

  static SqlCreate create(
      SqlParserPos position, boolean replace, boolean ifNotExists, SqlIdentifier name) {
    if (replace) {
      throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL, "A schema cannot be replaced: CREATE OR REPLACE SCHEMA")
          .at(Positions.of(position, "CREATE OR REPLACE SCHEMA"));
    }
    return new Create(position, ifNotExists, name);
  }

  static SqlDrop drop(SqlParserPos position, boolean ifExists, SqlIdentifier name) {
    return new Drop(position, ifExists, name);
  }

  /** {@code CREATE SCHEMA [IF NOT EXISTS] name}. */
  public static final class Create extends SqlCreate {
    private final SqlIdentifier name;
    private final boolean skipIfExists;

    private Create(SqlParserPos position, boolean skipIfExists, SqlIdentifier name) {
      super(
          new SqlSpecialOperator("CREATE SCHEMA", SqlKind.CREATE_SCHEMA),
          position,
          false,
          skipIfExists);
      this.name = name;
      this.skipIfExists = skipIfExists;
    }

    public SqlIdentifier name() {
      return name;
    }

    /** Whether IF NOT EXISTS was written. */
    public boolean skipsExisting() {
      return skipIfExists;
    }

    @Override
    public List<SqlNode> getOperandList() {
      return List.of(name);
    }
  }

  /** {@code DROP SCHEMA [IF EXISTS] name}. */
  public static final class Drop extends SqlDrop {
    private final SqlIdentifier name;
    private final boolean skipIfAbsent;

    private Drop(SqlParserPos position, boolean skipIfAbsent, SqlIdentifier name) {
      super(new SqlSpecialOperator("DROP SCHEMA", SqlKind.DROP_SCHEMA), position, skipIfAbsent);
      this.name = name;
      this.skipIfAbsent = skipIfAbsent;
    }

    public SqlIdentifier name() {
      return name;
    }

    /** Whether IF EXISTS was written. */
    public boolean skipsAbsent() {
      return skipIfAbsent;
    }

    @Override
    public List<SqlNode> getOperandList() {
      return List.of(name);
    }
  }
}
