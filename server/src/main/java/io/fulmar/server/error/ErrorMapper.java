package io.fulmar.server.error;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.ErrorKind;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.engine.EngineException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.apache.arrow.flight.FlightRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where a throwable becomes what a client sees. */
public final class ErrorMapper {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

  /** Trailers of a failed call. */
  static final String CODE_TRAILER = "fulmar-error-code";

  static final String SQLSTATE_TRAILER = "fulmar-sqlstate";
  static final String POSITION_TRAILER = "fulmar-position";
  static final String QUERY_TRAILER = "fulmar-query-id";

  private ErrorMapper() {}

  /** The Flight error for a throwable; faults of our own are logged here, with the plan. */
  public static FlightRuntimeException toFlight(Throwable thrown) {
    if (thrown instanceof StatementException failed) {
      return toFlight(failed.getCause(), failed.context());
    }

    return toFlight(thrown, ErrorContext.none());
  }

  /** The Flight error for a throwable of a statement. */
  public static FlightRuntimeException toFlight(Throwable thrown, ErrorContext context) {
    Throwable inner = unwrap(thrown);
    if (inner instanceof FlightRuntimeException flight) {
      return flight;
    }

    FulmarException error = toFulmar(inner, context.positions());
    if (error.code().kind() == ErrorKind.INTERNAL) {
      LOG.error(
          "Internal error in {}: {}\n{}",
          context.queryId().orElse("a call"),
          context.sql().orElse("no statement"),
          context.plan().orElse("no plan"),
          inner);
    }
    return new CallStatus(
            FlightCodes.of(error.code()),
            inner,
            ErrorText.describe(error, context),
            trailers(error, context))
        .toRuntimeException();
  }

  /** The typed error behind any throwable. */
  public static FulmarException toFulmar(Throwable thrown, Map<Integer, SourcePosition> positions) {
    Throwable inner = unwrap(thrown);
    if (inner instanceof FulmarException error) {
      return error;
    }
    if (inner instanceof EngineException failure) {
      Throwable host = failure.getCause();
      return host == null ? EngineErrors.toFulmar(failure, positions) : toFulmar(host, positions);
    }
    if (inner instanceof OutOfMemoryError || isDirectMemory(inner)) {
      return new FulmarException(
              ErrorCode.MEMORY_LIMIT_EXCEEDED, "The JVM is out of memory: " + inner, inner)
          .withHint("Raise memory.process-limit, -Xmx or -XX:MaxDirectMemorySize.");
    }
    if (inner instanceof StackOverflowError) {
      return new FulmarException(
          ErrorCode.STATEMENT_TOO_COMPLEX, "The statement is nested too deeply", inner);
    }

    return new FulmarException(ErrorCode.INTERNAL_ERROR, describe(inner), inner);
  }

  private static ErrorFlightMetadata trailers(FulmarException error, ErrorContext context) {
    ErrorFlightMetadata metadata = new ErrorFlightMetadata();
    metadata.insert(CODE_TRAILER, error.code().name());
    metadata.insert(SQLSTATE_TRAILER, error.code().sqlState());
    error
        .position()
        .ifPresent(at -> metadata.insert(POSITION_TRAILER, at.line() + ":" + at.column()));
    context.queryId().ifPresent(id -> metadata.insert(QUERY_TRAILER, id));
    return metadata;
  }

  private static Throwable unwrap(Throwable thrown) {
    Throwable inner = thrown;
    while (inner.getCause() != null
        && (inner instanceof CompletionException
            || inner instanceof ExecutionException
            || inner instanceof StatementException)) {
      inner = inner.getCause();
    }
    return inner;
  }

  private static boolean isDirectMemory(Throwable thrown) {
    return thrown instanceof org.apache.arrow.memory.OutOfMemoryException;
  }

  private static String describe(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null
        ? thrown.getClass().getSimpleName()
        : thrown.getClass().getSimpleName() + ": " + message;
  }
}
