package io.fulmar.server.config;

/**
 * How {@code memory.process-limit} is shared.
 *
 * @param process the whole limit
 * @param heap what the JVM's heap may take
 * @param direct what the JVM's direct memory may take
 * @param runtime code, classes, stacks and the like, an allowance
 * @param engine what operators may reserve, all statements together
 * @param buffers what decoding and batches in flight may take, reserved at admission
 */
public record MemoryBudget(
    DataSize process,
    DataSize heap,
    DataSize direct,
    DataSize runtime,
    DataSize engine,
    DataSize buffers) {
  private static final DataSize RUNTIME = DataSize.ofMegabytes(128);
  private static final DataSize LEAST_NATIVE = DataSize.ofMegabytes(64);

  /** Shares the limit, and reports where heap and direct memory leave too little for the engine. */
  static MemoryBudget of(SettingValues values, Problems problems) {
    DataSize process = values.value(Settings.MEMORY_PROCESS_LIMIT);
    DataSize heap = new DataSize(Machine.maxHeapBytes());
    DataSize direct = new DataSize(Machine.maxDirectBytes());
    long left = process.bytes() - heap.bytes() - direct.bytes() - RUNTIME.bytes();
    if (left < LEAST_NATIVE.bytes()) {
      problems.add(
          Settings.MEMORY_PROCESS_LIMIT.key(),
          "%s leaves %d MB for the engine after %d MB heap, %d MB direct memory and %s allowance."
                  .formatted(process, left >> 20, heap.bytes() >> 20, direct.bytes() >> 20, RUNTIME)
              + " Raise it, or lower -Xmx and -XX:MaxDirectMemorySize");
    }

    long usable = Math.max(left, LEAST_NATIVE.bytes());
    DataSize engine = new DataSize(usable / 5 * 4);
    return new MemoryBudget(process, heap, direct, RUNTIME, engine, new DataSize(usable / 5));
  }

  /** One line for the log. */
  public String describe() {
    return "memory.process-limit %d MB = heap %d + direct %d + runtime %d + engine %d + buffers %d"
        .formatted(
            process.bytes() >> 20,
            heap.bytes() >> 20,
            direct.bytes() >> 20,
            runtime.bytes() >> 20,
            engine.bytes() >> 20,
            buffers.bytes() >> 20);
  }
}
