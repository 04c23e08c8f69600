package io.fulmar.server.error;

import io.fulmar.catalog.error.ErrorCode;
import org.apache.arrow.flight.FlightStatusCode;

/**
 * Which Flight status each error code has. Clients read UNIMPLEMENTED as "cannot", INTERNAL as
 * "broken".
 */
final class FlightCodes {
  private FlightCodes() {}

  static FlightStatusCode of(ErrorCode code) {
    return switch (code) {
      case UNKNOWN_CATALOG,
          UNKNOWN_SCHEMA,
          UNKNOWN_TABLE,
          UNKNOWN_SNAPSHOT,
          INVALID_TICKET,
          FILE_NOT_FOUND ->
          FlightStatusCode.NOT_FOUND;
      case DUPLICATE_SCHEMA, DUPLICATE_TABLE -> FlightStatusCode.ALREADY_EXISTS;
      case UNSUPPORTED_SQL, UNSUPPORTED_FILE, UNSUPPORTED_TABLE -> FlightStatusCode.UNIMPLEMENTED;
      case NO_SESSION, UNAUTHENTICATED -> FlightStatusCode.UNAUTHENTICATED;
      case CANCELLED -> FlightStatusCode.CANCELLED;
      case TIMEOUT -> FlightStatusCode.TIMED_OUT;
      case STORAGE_FAILED, CATALOG_FAILED, QUEUE_FULL, SHUTTING_DOWN ->
          FlightStatusCode.UNAVAILABLE;
      case MEMORY_LIMIT_EXCEEDED, SPILL_LIMIT_EXCEEDED, LIMIT_EXCEEDED ->
          FlightStatusCode.RESOURCE_EXHAUSTED;
      case CORRUPT_FILE, INVALID_METADATA, SCHEMA_MISMATCH, INTERNAL_ERROR ->
          FlightStatusCode.INTERNAL;
      case SYNTAX_ERROR,
          UNKNOWN_COLUMN,
          UNKNOWN_FUNCTION,
          UNKNOWN_PROCEDURE,
          UNKNOWN_SETTING,
          AMBIGUOUS_NAME,
          SCHEMA_NOT_EMPTY,
          TYPE_MISMATCH,
          INVALID_STATEMENT,
          INVALID_SETTING,
          INVALID_ARGUMENT,
          INVALID_PARAMETER,
          INVALID_CAST,
          NUMERIC_OVERFLOW,
          DIVISION_BY_ZERO,
          CARDINALITY_VIOLATION,
          STATEMENT_TOO_COMPLEX,
          SCHEMA_CHANGED ->
          FlightStatusCode.INVALID_ARGUMENT;
    };
  }
}
