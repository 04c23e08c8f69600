package io.fulmar.server.observe;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each statement that ended. */
public final class QueryLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.fulmar.query");
  private static final int MAX_SQL = 500;

  private QueryLog() {}

  /**
   * What the line tells.
   *
   * @param error code and message of a failed statement
   */
  public record Entry(
      String queryId,
      String user,
      String sql,
      String state,
      Duration elapsed,
      long rows,
      long peakMemoryBytes,
      long spilledBytes,
      Optional<String> error) {
    public Entry {
      requireNonNull(queryId, "queryId is null");
      requireNonNull(user, "user is null");
      requireNonNull(sql, "sql is null");
      requireNonNull(state, "state is null");
      requireNonNull(elapsed, "elapsed is null");
      requireNonNull(error, "error is null");
    }
  }

  public static void write(Entry entry) {
    LOG.info(
        "{} {} by {} in {} ms, {} rows, {} KB memory, {} KB spilled{}: {}",
        entry.queryId(),
        entry.state(),
        entry.user(),
        entry.elapsed().toMillis(),
        entry.rows(),
        entry.peakMemoryBytes() >> 10,
        entry.spilledBytes() >> 10,
        entry.error().map(error -> ", " + error).orElse(""),
        oneLine(entry.sql()));
  }

  private static String oneLine(String sql) {
    String line = sql.strip().replaceAll("\\s+", " ");
    return line.length() <= MAX_SQL ? line : line.substring(0, MAX_SQL) + " …";
  }
}
