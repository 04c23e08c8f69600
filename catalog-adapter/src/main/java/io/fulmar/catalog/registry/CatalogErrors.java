package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what Iceberg's catalogs throw into errors of our own. */
final class CatalogErrors {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogErrors.class);
  private static final String ICEBERG = "org.apache.iceberg.exceptions.";

  private CatalogErrors() {}

  /**
   * @param what what failed, for people; the cause's message follows
   */
  static FulmarException of(String what, RuntimeException cause) {
    if (cause instanceof FulmarException known) {
      return known;
    }

    if (!cause.getClass().getName().startsWith(ICEBERG)) {
      LOG.warn("{}", what, cause);
    }
    return new FulmarException(code(cause), what + ": " + reason(cause), cause);
  }

  /** The error for a metadata file that a load could not read. */
  static FulmarException metadata(String path, RuntimeException cause) {
    return FileErrors.metadata("table metadata file", path, cause);
  }

  static boolean isMissing(RuntimeException cause) {
    return cause instanceof NoSuchTableException
        || cause instanceof NoSuchNamespaceException
        || cause instanceof NoSuchViewException;
  }

  private static ErrorCode code(RuntimeException cause) {
    if (cause instanceof NoSuchTableException || cause instanceof NoSuchViewException) {
      return ErrorCode.UNKNOWN_TABLE;
    }
    if (cause instanceof NoSuchNamespaceException) {
      return ErrorCode.UNKNOWN_SCHEMA;
    }
    if (cause instanceof NamespaceNotEmptyException) {
      return ErrorCode.SCHEMA_NOT_EMPTY;
    }
    if (cause instanceof AlreadyExistsException) {
      return ErrorCode.DUPLICATE_TABLE;
    }
    return cause instanceof NotFoundException ? ErrorCode.FILE_NOT_FOUND : ErrorCode.CATALOG_FAILED;
  }

  private static String reason(Throwable cause) {
    String own = Optional.ofNullable(cause.getMessage()).orElse(cause.toString());
    Throwable inner = cause.getCause();
    return inner == null || inner.getMessage() == null || own.contains(inner.getMessage())
        ? own
        : own + " (" + inner.getMessage() + ")";
  }
}
