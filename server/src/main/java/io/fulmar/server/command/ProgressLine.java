package io.fulmar.server.command;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A line on a terminal that tells how long a statement runs, once it runs longer than a second. */
final class ProgressLine implements AutoCloseable {
  /** Set where standard error is a terminal, which Java itself cannot tell. */
  private static final String TERMINAL = "fulmar.terminal";

  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter terminal;
  private final ScheduledExecutorService timer;
  private final AtomicLong rows = new AtomicLong();
  private final long start = System.nanoTime();
  private boolean shown;

  private ProgressLine(PrintWriter terminal, ScheduledExecutorService timer) {
    this.terminal = requireNonNull(terminal, "terminal is null");
    this.timer = requireNonNull(timer, "timer is null");
  }

  /** Shows nothing. */
  static ProgressLine none() {
    PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
    return new ProgressLine(nowhere, timer());
  }

  /** Shows the line where the process has a terminal. */
  static ProgressLine onTerminal(PrintWriter terminal) {
    if (!Boolean.getBoolean(TERMINAL)) {
      return none();
    }

    ProgressLine line = new ProgressLine(terminal, timer());
    Future<?> unused = line.timer.scheduleAtFixedRate(line::show, 1, 1, TimeUnit.SECONDS);
    return line;
  }

  /** Counts rows that came. */
  synchronized void received(long count) {
    rows.addAndGet(count);
    clear();
  }

  @Override
  public synchronized void close() {
    timer.shutdownNow();
    clear();
  }

  private synchronized void show() {
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    terminal.print(CLEAR + "running " + seconds + " s, " + rows.get() + " rows");
    terminal.flush();
    shown = true;
  }

  private void clear() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
      shown = false;
    }
  }

  private static ScheduledExecutorService timer() {
    return new ScheduledThreadPoolExecutor(
        1,
        task -> {
          Thread thread = new Thread(task, "fulmar-progress");
          thread.setDaemon(true);
          return thread;
        });
  }
}
