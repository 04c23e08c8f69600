package io.fulmar.server.error;

import io.fulmar.catalog.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the reference page of the errors from {@link ErrorCode}. */
public final class ErrorReference {
  private ErrorReference() {}

  /** The page in Markdown. */
  public static String markdown() {
    return """
        # Errors

        Generated from `io.fulmar.catalog.error.ErrorCode`; a test keeps it fresh.

        A failed statement gives one message: `CODE (SQLSTATE) at line l, column c: what. hint`, then
        the line of the statement with carets under the blamed part. The trailers `fulmar-error-code`,
        `fulmar-sqlstate`, `fulmar-position` and `fulmar-query-id` carry the same for programs.

        | code | SQLSTATE | Flight status | who has to act | meaning |
        |---|---|---|---|---|
        """
        + Arrays.stream(ErrorCode.values()).map(ErrorReference::row).collect(Collectors.joining());
  }

  private static String row(ErrorCode code) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            code.name(),
            code.sqlState(),
            FlightCodes.of(code),
            code.kind().name().toLowerCase(Locale.ROOT),
            code.description());
  }
}
