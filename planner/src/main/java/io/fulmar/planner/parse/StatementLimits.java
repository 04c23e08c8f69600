package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;

/**
 * What the text of one statement may cost.
 *
 * @param maxCharacters of the text
 * @param maxTokens words, numbers, strings and signs
 * @param maxNesting parentheses inside parentheses
 * @param stackBytes of the thread that plans
 * @param timeout of planning a statement
 */
public record StatementLimits(
    int maxCharacters, int maxTokens, int maxNesting, long stackBytes, Duration timeout) {
  /** Far above what people and BI tools write. */
  public static final StatementLimits DEFAULT =
      new StatementLimits(2_000_000, 200_000, 500, 512L << 20, Duration.ofSeconds(60));

  public StatementLimits {
    requireNonNull(timeout, "timeout is null");
  }

  /** The error for a statement that overflowed the planning thread's stack. */
  public static FulmarException tooDeep(Throwable cause) {
    return new FulmarException(
            ErrorCode.STATEMENT_TOO_COMPLEX,
            "The statement has too many expressions in or behind one another",
            cause)
        .withHint("Replace long chains of OR by IN, and long unions by a join with VALUES.");
  }
}
