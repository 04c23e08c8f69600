/**
 * The native engine: plan bytes in, Arrow batches out.
 *
 * <p>Entry: {@link io.fulmar.engine.NativeEngine#open}, then {@link
 * io.fulmar.engine.NativeEngine#prepare} for each query, then {@link
 * io.fulmar.engine.NativeQuery#next} until it says there is no more. Native code asks back through
 * {@link io.fulmar.engine.HostCallbacks}; its failures are {@link
 * io.fulmar.engine.EngineException}s.
 *
 * <p>The package may touch Arrow, protobuf and slf4j, and the native library through {@code
 * JniBridge} alone. It knows nothing of Iceberg, SQL or Flight.
 */
package io.fulmar.engine;
