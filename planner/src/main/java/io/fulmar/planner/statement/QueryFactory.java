package io.fulmar.planner.statement;

import io.fulmar.planner.PreparedStatement;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes the prepared form of a query. */
@FunctionalInterface
public interface QueryFactory {
  PreparedStatement.Query create(QuerySource source, Schema result, Schema parameters);
}
