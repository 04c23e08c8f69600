package io.fulmar.server.admission;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs actions after a time, unless they were called off. */
public final class QueryTimer implements AutoCloseable {
  private final ScheduledThreadPoolExecutor executor;

  public QueryTimer() {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "fulmar-timer");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Schedules; closing the result calls the action off. */
  public AutoCloseable after(Duration delay, Runnable action) {
    Future<?> future = executor.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    return () -> future.cancel(false);
  }

  /** Repeats an action until the timer is closed. */
  public void every(Duration period, Runnable action) {
    Future<?> unused =
        executor.scheduleWithFixedDelay(
            action, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
