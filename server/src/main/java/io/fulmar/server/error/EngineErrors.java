package io.fulmar.server.error;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.engine.EngineException;
import io.fulmar.engine.plan.ErrorDetail;
import java.util.Map;

/** Turns failures of the native engine into Fulmar's own, with the statement's position. */
final class EngineErrors {
  private EngineErrors() {}

  static FulmarException toFulmar(EngineException failure, Map<Integer, SourcePosition> positions) {
    ErrorDetail detail = failure.detail();
    FulmarException error = new FulmarException(code(detail), message(detail), failure);
    if (!detail.getSetting().isEmpty()) {
      error =
          error.withHint("Raise " + detail.getSetting() + " or give the statement less to hold.");
    }

    SourcePosition position = positions.get(detail.getNode());
    return position == null ? error : error.at(position);
  }

  private static ErrorCode code(ErrorDetail detail) {
    return switch (detail.getCode()) {
      case CANCELLED -> ErrorCode.CANCELLED;
      case MEMORY_LIMIT_EXCEEDED -> ErrorCode.MEMORY_LIMIT_EXCEEDED;
      case SPILL_LIMIT_EXCEEDED -> ErrorCode.SPILL_LIMIT_EXCEEDED;
      case ARITHMETIC_OVERFLOW -> ErrorCode.NUMERIC_OVERFLOW;
      case DIVISION_BY_ZERO -> ErrorCode.DIVISION_BY_ZERO;
      case INVALID_CAST -> ErrorCode.INVALID_CAST;
      case INVALID_ARGUMENT -> ErrorCode.INVALID_ARGUMENT;
      case CARDINALITY_VIOLATION -> ErrorCode.CARDINALITY_VIOLATION;
      case FILE_NOT_FOUND -> ErrorCode.FILE_NOT_FOUND;
      case CORRUPT_FILE -> ErrorCode.CORRUPT_FILE;
      case UNSUPPORTED_FILE -> ErrorCode.UNSUPPORTED_FILE;
      case SCHEMA_MISMATCH -> ErrorCode.SCHEMA_MISMATCH;
      case STORAGE_FAILED -> ErrorCode.STORAGE_FAILED;
      case UNSUPPORTED -> ErrorCode.UNSUPPORTED_SQL;
      case PLAN_REJECTED, HOST_FAILED, INTERNAL, PANIC, ERROR_CODE_UNSPECIFIED, UNRECOGNIZED ->
          ErrorCode.INTERNAL_ERROR;
    };
  }

  private static String message(ErrorDetail detail) {
    StringBuilder text = new StringBuilder(detail.getMessage());
    if (!detail.getFile().isEmpty() && !detail.getMessage().contains(detail.getFile())) {
      text.append(" (file ").append(detail.getFile()).append(')');
    }
    if (!detail.getField().isEmpty() && !detail.getMessage().contains(detail.getField())) {
      text.append(" (field ").append(detail.getField()).append(')');
    }
    return text.toString();
  }
}
