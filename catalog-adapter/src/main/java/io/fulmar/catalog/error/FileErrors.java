package io.fulmar.catalog.error;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.zip.ZipException;
import org.apache.iceberg.exceptions.NotFoundException;

/** Turns a failure to read a file into the error that names the file and whose fault it is. */
public final class FileErrors {
  private static final int MAX_DEPTH = 20;

  private FileErrors() {}

  /**
   * The error for a metadata file, manifest list or manifest that could not be read.
   *
   * @param kind what the file is, for people: {@code manifest}
   * @param path as the metadata spells it
   */
  public static FulmarException metadata(String kind, String path, Throwable failure) {
    return of(kind, path, failure, ErrorCode.INVALID_METADATA);
  }

  /**
   * The error for a file that could not be read.
   *
   * @param undecodable the code where the bytes were read and make no sense
   */
  public static FulmarException of(
      String kind, String path, Throwable failure, ErrorCode undecodable) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof FulmarException known) {
        return known;
      }

      Optional<ErrorCode> code = codeOf(cause);
      if (code.isPresent()) {
        return new FulmarException(code.get(), message(kind, path, failure, code.get()), failure);
      }
      cause = cause.getCause();
    }
    return new FulmarException(undecodable, message(kind, path, failure, undecodable), failure);
  }

  private static String message(String kind, String path, Throwable failure, ErrorCode code) {
    return switch (code) {
      case FILE_NOT_FOUND -> "The " + kind + " " + path + " is missing";
      case CANCELLED -> "Reading the " + kind + " " + path + " was cancelled";
      default -> "Cannot read the " + kind + " " + path + ": " + reason(failure);
    };
  }

  /** Empty where the bytes were read and make no sense. */
  private static Optional<ErrorCode> codeOf(Throwable cause) {
    if (cause instanceof NotFoundException
        || cause instanceof FileNotFoundException
        || cause instanceof NoSuchFileException) {
      return Optional.of(ErrorCode.FILE_NOT_FOUND);
    }

    if (cause instanceof InterruptedException
        || cause instanceof InterruptedIOException
        || cause instanceof ClosedByInterruptException) {
      return Optional.of(ErrorCode.CANCELLED);
    }

    boolean store = cause.getClass().getName().startsWith("software.amazon.awssdk.");
    if (store || (cause instanceof IOException && !undecodable(cause))) {
      return Optional.of(ErrorCode.STORAGE_FAILED);
    }
    return Optional.empty();
  }

  /** Libraries that decode throw a bare IOException with a message; file systems do not. */
  private static boolean undecodable(Throwable cause) {
    String name = cause.getClass().getName();
    return cause instanceof EOFException
        || cause instanceof ZipException
        || name.startsWith("org.apache.avro.")
        || name.startsWith("com.fasterxml.jackson.")
        || (cause.getMessage() != null && name.equals("java.io.IOException"));
  }

  /** The innermost message that says something. */
  private static String reason(Throwable failure) {
    String reason = failure.toString();
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause.getMessage() != null) {
        reason = cause.getMessage();
      }
      cause = cause.getCause();
    }
    return reason;
  }
}
