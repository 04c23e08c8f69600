package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.engine.EngineOptions;
import io.fulmar.engine.NativeEngine;
import io.fulmar.planner.backend.ComputeBackend;
import io.fulmar.reference.ReferenceBackend;
import io.fulmar.server.config.Backend;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.host.NativeBackend;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs queries: the native engine, and the reference backend where a session asks for it or
 * the native library cannot be loaded.
 */
record Backends(Optional<NativeBackend> nativeBackend, ComputeBackend reference)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

  Backends {
    requireNonNull(nativeBackend, "nativeBackend is null");
    requireNonNull(reference, "reference is null");
  }

  /** Starts the engine. */
  static Backends open(ServerConfig config) {
    return new Backends(
        openNative(config),
        new ReferenceBackend(config.values().value(Settings.ENGINE_REFERENCE_ROWS)));
  }

  /** The wanted one; without the native library there is one only. */
  ComputeBackend of(Backend wanted) {
    return switch (wanted) {
      case NATIVE -> nativeBackend.map(ComputeBackend.class::cast).orElse(reference);
      case REFERENCE -> reference;
    };
  }

  @Override
  public void close() {
    nativeBackend.ifPresent(NativeBackend::close);
  }

  private static Optional<NativeBackend> openNative(ServerConfig config) {
    try {
      return Optional.of(new NativeBackend(NativeEngine.open(engineOptions(config))));
    } catch (IllegalStateException missing) {
      LOG.warn(
          "{}; all statements run on the reference backend, which is slow and holds at most {} rows",
          missing.getMessage(),
          config.values().value(Settings.ENGINE_REFERENCE_ROWS));
      return Optional.empty();
    }
  }

  private static EngineOptions engineOptions(ServerConfig config) {
    SettingValues values = config.values();
    return new EngineOptions(
        values.value(Settings.ENGINE_THREADS),
        values.value(Settings.ENGINE_IO_THREADS),
        config.memory().engine().bytes(),
        values.value(Settings.SPILL_DIRECTORY),
        values.value(Settings.SPILL_PROCESS_LIMIT).bytes());
  }
}
