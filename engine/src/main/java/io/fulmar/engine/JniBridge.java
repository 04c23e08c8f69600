package io.fulmar.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.engine.plan.ErrorCode;
import io.fulmar.engine.plan.ErrorDetail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native methods. Handles are checked by the native side: a closed or unknown one is an {@code
 * INTERNAL} error. Every method throws {@link EngineException} and may be called from any thread.
 */
final class JniBridge {
  private static final String LOGGER_PREFIX = "io.fulmar.native.";

  private JniBridge() {}

  /** Opens the engine; the directory is a path in the platform's bytes. */
  static native long engineOpen(
      int cpuThreads, int ioThreads, long memoryLimit, byte[] spillDirectory, long spillLimit);

  /** Cancels open queries and waits for their tasks, some seconds at most. */
  static native void engineClose(long engine);

  /** An encoded {@code EngineStats}. */
  static native byte[] engineStats(long engine);

  /** Plans a query; nothing runs before the first {@link #queryNext}. */
  static native long queryPrepare(long engine, byte[] plan, HostCallbacks callbacks);

  /** Exports the result's schema to an empty {@code ArrowSchema}. */
  static native void querySchema(long query, long schemaAddress);

  /** The physical plan in UTF-8. */
  static native byte[] queryExplain(long query);

  /**
   * Waits for the next batch and exports it to an empty {@code ArrowArray}; false at the end, with
   * nothing exported.
   */
  static native boolean queryNext(long query, long arrayAddress);

  /** Makes a waiting {@link #queryNext} fail with {@code CANCELLED}. */
  static native void queryCancel(long query);

  /** An encoded {@code QueryMetrics}, also while the query runs. */
  static native byte[] queryMetrics(long query);

  /** Stops the query, waits for its tasks some seconds at most, and ends the handle. */
  static native void queryClose(long query);

  /** Called by native code: the exception of an encoded {@code ErrorDetail}. */
  static RuntimeException failure(byte[] detail, Throwable cause) {
    return new EngineException(decode(detail), cause);
  }

  private static ErrorDetail decode(byte[] detail) {
    try {
      return ErrorDetail.parseFrom(detail);
    } catch (InvalidProtocolBufferException e) {
      return ErrorDetail.newBuilder()
          .setCode(ErrorCode.INTERNAL)
          .setMessage("The engine's error cannot be decoded: " + e.getMessage())
          .build();
    }
  }

  /**
   * Called by native code, from any thread.
   *
   * @param level 1 error, 2 warn, 3 info, else debug
   */
  static void log(int level, String target, String message) {
    Logger logger = LoggerFactory.getLogger(LOGGER_PREFIX + target.replace("::", "."));
    switch (level) {
      case 1 -> logger.error(message);
      case 2 -> logger.warn(message);
      case 3 -> logger.info(message);
      default -> logger.debug(message);
    }
  }
}
