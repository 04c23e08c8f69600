package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlDrop;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.Span;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code CREATE VIEW} and {@code DROP VIEW}. */
public final class ViewStatement {
  private ViewStatement() {}

  /** What to do where a view of that name exists. */
  public enum Mode {
    FAIL,
    SKIP,
    REPLACE
  }

  static Mode mode(Span span, boolean replace, boolean ifNotExists) {
    if (replace && ifNotExists) {
      throw new FulmarException(
              ErrorCode.SYNTAX_ERROR, "A view is either replaced or kept where it exists")
          .at(Positions.of(span.pos(), "CREATE OR REPLACE VIEW IF NOT EXISTS"));
    }
    if (replace) {
      return Mode.REPLACE;
    }
    return ifNotExists ? Mode.SKIP : Mode.FAIL;
  }

  static SqlCreate create(
      SqlParserPos position,
      Mode mode,
      SqlIdentifier name,
      List<Column> columns,
      SqlNode comment,
      SqlNode query,
      SqlParserPos text) {
    return new Create(position, mode, name, columns, text(comment), query, text);
  }

  static SqlDrop drop(SqlParserPos position, boolean ifExists, SqlIdentifier name) {
    return new Drop(position, ifExists, name);
  }

  private static Optional<String> text(SqlNode literal) {
    return Optional.ofNullable(literal).map(node -> ((SqlLiteral) node).getValueAs(String.class));
  }

  /** A column's name, and its comment where one is written. */
  public record Column(SqlIdentifier name, Optional<String> comment) {
    public Column {
      requireNonNull(name, "name is null");
      requireNonNull(comment, "comment is null");
    }

    static Column of(SqlIdentifier name, SqlNode comment) {
      return new Column(name, text(comment));
    }
  }

  /**
   * {@code CREATE [OR REPLACE] VIEW [IF NOT EXISTS] name [(column [COMMENT 'text'], …)] [COMMENT
   * 'text'] AS query}.
   */
  public static final class Create extends SqlCreate {
    private final Mode mode;
    private final SqlIdentifier name;
    private final List<Column> columns;
    private final Optional<String> comment;
    private final SqlNode query;
    private final SqlParserPos text;

    private Create(
        SqlParserPos position,
        Mode mode,
        SqlIdentifier name,
        List<Column> columns,
        Optional<String> comment,
        SqlNode query,
        SqlParserPos text) {
      super(
          new SqlSpecialOperator("CREATE VIEW", SqlKind.CREATE_VIEW),
          position,
          mode == Mode.REPLACE,
          mode == Mode.SKIP);
      this.mode = mode;
      this.name = name;
      this.columns = List.copyOf(columns);
      this.comment = comment;
      this.query = query;
      this.text = text;
    }

    public Mode mode() {
      return mode;
    }

    public SqlIdentifier name() {
      return name;
    }

    /** Empty where the query names the columns. */
    public List<Column> columns() {
      return columns;
    }

    public Optional<String> comment() {
      return comment;
    }

    public SqlNode query() {
      return query;
    }

    /** Where the query stands. */
    public SqlParserPos text() {
      return text;
    }

    @Override
    public List<SqlNode> getOperandList() {
      return List.of(name, query);
    }
  }

  /** {@code DROP VIEW [IF EXISTS] name}. */
  public static final class Drop extends SqlDrop {
    private final SqlIdentifier name;
    private final boolean skipIfAbsent;

    private Drop(SqlParserPos position, boolean skipIfAbsent, SqlIdentifier name) {
      super(new SqlSpecialOperator("DROP VIEW", SqlKind.DROP_VIEW), position, skipIfAbsent);
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
