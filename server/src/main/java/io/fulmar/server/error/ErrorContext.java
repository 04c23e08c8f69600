package io.fulmar.server.error;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.SourcePosition;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the statement that failed.
 *
 * @param queryId for the client and the log
 * @param sql the statement's text, to quote from
 * @param positions source ranges of the plan's node ids
 * @param plan the plan's text, for the log of internal errors
 */
public record ErrorContext(
    Optional<String> queryId,
    Optional<String> sql,
    Map<Integer, SourcePosition> positions,
    Optional<String> plan) {
  private static final ErrorContext NONE =
      new ErrorContext(Optional.empty(), Optional.empty(), Map.of(), Optional.empty());

  public ErrorContext {
    requireNonNull(queryId, "queryId is null");
    requireNonNull(sql, "sql is null");
    positions = Map.copyOf(positions);
    requireNonNull(plan, "plan is null");
  }

  public static ErrorContext none() {
    return NONE;
  }

  public static ErrorContext ofStatement(String sql) {
    return new ErrorContext(Optional.empty(), Optional.of(sql), Map.of(), Optional.empty());
  }
}
