package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.PreparedStatement;
import io.fulmar.server.metadata.ColumnMetadata;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** A statement that was parsed and validated; immutable. */
public final class Statement {
  private final String sql;
  private final PreparedStatement prepared;
  private final Schema resultSchema;

  Statement(String sql, PreparedStatement prepared) {
    this.sql = requireNonNull(sql, "sql is null");
    this.prepared = requireNonNull(prepared, "prepared is null");
    this.resultSchema = ColumnMetadata.describeResult(schemaOf(prepared));
  }

  String sql() {
    return sql;
  }

  PreparedStatement prepared() {
    return prepared;
  }

  /** Whether it is a query; other statements change something and must run exactly once. */
  public boolean returnsRows() {
    return !(prepared instanceof PreparedStatement.Update);
  }

  /** The schema that every execution has, with what drivers show of columns; empty for commands. */
  public Schema resultSchema() {
    return resultSchema;
  }

  public Schema parameterSchema() {
    return prepared.parameterSchema();
  }

  private static Schema schemaOf(PreparedStatement prepared) {
    if (prepared instanceof PreparedStatement.Query query) {
      return query.resultSchema();
    }
    if (prepared instanceof PreparedStatement.Explain explain) {
      return explain.resultSchema();
    }

    return new Schema(List.of());
  }
}
