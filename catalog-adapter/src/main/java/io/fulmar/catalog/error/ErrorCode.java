package io.fulmar.catalog.error;

/**
 * Every error a client can see: its name is stable, its SQLSTATE follows SQL:2016 and PostgreSQL's
 * classes where the standard has none.
 */
public enum ErrorCode {
  SYNTAX_ERROR("42601", ErrorKind.USER, "The text is not a statement of the grammar."),
  UNKNOWN_CATALOG("3D000", ErrorKind.USER, "No catalog of that name is configured."),
  UNKNOWN_SCHEMA("3F000", ErrorKind.USER, "The catalog has no schema of that name."),
  UNKNOWN_TABLE("42P01", ErrorKind.USER, "The schema has no table of that name."),
  UNKNOWN_COLUMN("42703", ErrorKind.USER, "No column of that name is visible here."),
  UNKNOWN_FUNCTION("42883", ErrorKind.USER, "No function of that name takes these arguments."),
  UNKNOWN_PROCEDURE("42883", ErrorKind.USER, "CALL names a procedure that does not exist."),
  UNKNOWN_SETTING("42704", ErrorKind.USER, "No setting of that name exists."),
  UNKNOWN_SNAPSHOT("42704", ErrorKind.USER, "The table has no such snapshot, branch or tag."),
  AMBIGUOUS_NAME("42702", ErrorKind.USER, "The name fits more than one thing."),
  DUPLICATE_SCHEMA("42P06", ErrorKind.USER, "A schema of that name exists."),
  DUPLICATE_TABLE("42P07", ErrorKind.USER, "A table of that name exists."),
  SCHEMA_NOT_EMPTY("2BP01", ErrorKind.USER, "The schema still holds tables."),
  TYPE_MISMATCH("42804", ErrorKind.USER, "The types of an expression do not fit."),
  INVALID_STATEMENT("42000", ErrorKind.USER, "The statement is well formed but not meaningful."),
  INVALID_SETTING("22023", ErrorKind.USER, "The value does not fit the setting."),
  INVALID_ARGUMENT("22023", ErrorKind.USER, "An argument lies outside its function's range."),
  INVALID_PARAMETER("07001", ErrorKind.USER, "The bound parameters do not fit the statement."),
  INVALID_CAST("22018", ErrorKind.USER, "A value cannot be cast to the type."),
  NUMERIC_OVERFLOW("22003", ErrorKind.USER, "A number lies outside its type's range."),
  DIVISION_BY_ZERO("22012", ErrorKind.USER, "Division by zero."),
  CARDINALITY_VIOLATION("21000", ErrorKind.USER, "A scalar subquery gave more than one row."),
  UNSUPPORTED_SQL("0A000", ErrorKind.USER, "The grammar knows it, this release cannot do it."),
  STATEMENT_TOO_COMPLEX("54001", ErrorKind.USER, "The statement passes a limit of size or depth."),
  NO_SESSION("08003", ErrorKind.USER, "The call carries no session token."),
  UNAUTHENTICATED("28000", ErrorKind.USER, "The credentials or the token are not valid."),
  INVALID_TICKET("22023", ErrorKind.USER, "The ticket or handle is unknown, expired or another's."),
  SCHEMA_CHANGED(
      "0A000", ErrorKind.USER, "A table's schema changed since the statement was prepared."),
  CANCELLED("57014", ErrorKind.USER, "The statement was cancelled."),
  FILE_NOT_FOUND("58P01", ErrorKind.EXTERNAL, "A file of the table is missing."),
  CORRUPT_FILE("XX001", ErrorKind.EXTERNAL, "A file of the table cannot be decoded."),
  UNSUPPORTED_FILE(
      "0A000", ErrorKind.EXTERNAL, "A file uses a feature that this release cannot read."),
  INVALID_METADATA("XX001", ErrorKind.EXTERNAL, "The table's metadata breaks the format."),
  UNSUPPORTED_TABLE(
      "0A000", ErrorKind.EXTERNAL, "The table uses a feature that this release cannot read."),
  SCHEMA_MISMATCH("XX001", ErrorKind.EXTERNAL, "A file's columns do not fit the table's schema."),
  STORAGE_FAILED("58030", ErrorKind.EXTERNAL, "The file system or object store failed."),
  CATALOG_FAILED("58000", ErrorKind.EXTERNAL, "The catalog failed."),
  MEMORY_LIMIT_EXCEEDED(
      "53200", ErrorKind.RESOURCE, "The statement needs more memory than its limit."),
  SPILL_LIMIT_EXCEEDED(
      "53100", ErrorKind.RESOURCE, "The statement needs more spill space than its limit."),
  LIMIT_EXCEEDED("54000", ErrorKind.RESOURCE, "A limit was passed."),
  QUEUE_FULL("53300", ErrorKind.RESOURCE, "Too many statements are running or waiting."),
  TIMEOUT("57014", ErrorKind.RESOURCE, "The statement ran longer than its limit."),
  SHUTTING_DOWN("57P01", ErrorKind.RESOURCE, "The server is shutting down."),
  INTERNAL_ERROR("XX000", ErrorKind.INTERNAL, "A fault of Fulmar's own; the log has the details.");

  private final String sqlState;
  private final ErrorKind kind;
  private final String description;

  ErrorCode(String sqlState, ErrorKind kind, String description) {
    this.sqlState = sqlState;
    this.kind = kind;
    this.description = description;
  }

  public String sqlState() {
    return sqlState;
  }

  public ErrorKind kind() {
    return kind;
  }

  /** One sentence for the error reference page. */
  public String description() {
    return description;
  }
}
