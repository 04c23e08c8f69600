package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code SHOW CATALOGS | SCHEMAS | TABLES | COLUMNS | SETTINGS [FROM name] [LIKE 'pattern']}. */
public final class ShowStatement extends CommandCall {
  private final Subject subject;
  private final Optional<SqlIdentifier> scope;
  private final Optional<String> pattern;

  ShowStatement(SqlParserPos position, Subject subject, SqlIdentifier scope, SqlNode like) {
    super("SHOW", position);
    this.subject = requireNonNull(subject, "subject is null");
    this.scope = Optional.ofNullable(scope);
    this.pattern =
        Optional.ofNullable(like).map(text -> SqlLiteral.unchain(text).getValueAs(String.class));
  }

  /** What is listed. */
  public enum Subject {
    CATALOGS,
    SCHEMAS,
    TABLES,
    COLUMNS,
    SETTINGS
  }

  public Subject subject() {
    return subject;
  }

  /** Where it is listed; always there for COLUMNS. */
  public Optional<SqlIdentifier> scope() {
    return scope;
  }

  /** A LIKE pattern over the names. */
  public Optional<String> pattern() {
    return pattern;
  }
}
