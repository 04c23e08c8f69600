package io.fulmar.catalog.decode;

import io.fulmar.catalog.decode.StoredFile.StorageException;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * Says whose fault a failure to decode a file is: the store's, the memory limit's or the file's.
 */
final class DecodeErrors {
  private static final int MAX_DEPTH = 20;
  private static final String KIND = "file";

  private DecodeErrors() {}

  static FulmarException of(String identity, Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++, cause = cause.getCause()) {
      if (cause instanceof FulmarException known) {
        return known;
      }

      if (cause instanceof StorageException && cause.getCause() != null) {
        return FileErrors.of(KIND, identity, cause.getCause(), ErrorCode.STORAGE_FAILED);
      }

      if (cause instanceof StorageException || cause instanceof NotFoundException) {
        return FileErrors.of(KIND, identity, cause, ErrorCode.STORAGE_FAILED);
      }

      if (cause instanceof LinkageError) {
        return unsupported(identity, "no codec for it: " + cause);
      }

      if (cause instanceof OutOfMemoryException) {
        return new FulmarException(
            ErrorCode.MEMORY_LIMIT_EXCEEDED,
            "No memory for a batch of the file " + identity + ": " + cause.getMessage(),
            failure);
      }
    }

    return new FulmarException(
        ErrorCode.CORRUPT_FILE, "Cannot decode the file " + identity + ": " + failure, failure);
  }

  static FulmarException unsupported(String identity, String reason) {
    return new FulmarException(
        ErrorCode.UNSUPPORTED_FILE, "Cannot read the file " + identity + ": " + reason);
  }
}
