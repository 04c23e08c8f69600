package io.fulmar.server.admission;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells everything that works for a statement to stop. Safe for use by several threads. */
public final class Cancellation {
  private final List<Runnable> listeners = new ArrayList<>();
  private volatile FulmarException reason;

  /** Stops the statement because its client asked for it or went away. */
  public void cancel() {
    cancel(new FulmarException(ErrorCode.CANCELLED, "The statement was cancelled"));
  }

  /** Stops the statement; the first reason stays. */
  public void cancel(FulmarException why) {
    List<Runnable> toRun;
    synchronized (this) {
      if (reason != null) {
        return;
      }

      reason = why;
      toRun = List.copyOf(listeners);
      listeners.clear();
    }
    toRun.forEach(Runnable::run);
  }

  /** Runs the listener when the statement is cancelled, or at once if it was. */
  public void onCancel(Runnable listener) {
    synchronized (this) {
      if (reason == null) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }

  /** Forgets a listener. */
  public synchronized void remove(Runnable listener) {
    listeners.remove(listener);
  }

  /** Why it was cancelled, if it was. */
  public Optional<FulmarException> reason() {
    return Optional.ofNullable(reason);
  }

  /**
   * Checks.
   *
   * @throws FulmarException the reason, if it was cancelled
   */
  public void throwIfCancelled() {
    if (reason != null) {
      throw reason;
    }
  }
}
