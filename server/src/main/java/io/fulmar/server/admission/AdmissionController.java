package io.fulmar.server.admission;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.config.DataSize;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets statements run in the order they came, as many at once as the limits allow and as memory
 * holds their minimum grants. The first in line always runs when nothing else does.
 */
public final class AdmissionController {
  private final AdmissionLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Object> line = new ArrayDeque<>();
  private int running;
  private long reservedBytes;
  private boolean closed;

  public AdmissionController(AdmissionLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** The right to run; closing it gives the place to the next. */
  public final class Grant implements AutoCloseable {
    private final long bytes;
    private boolean released;

    private Grant(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (!released) {
          released = true;
          running--;
          reservedBytes -= bytes;
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits for its turn.
   *
   * @param reserve the statement's minimum grant and buffers
   * @throws FulmarException QUEUE_FULL, SHUTTING_DOWN, or the reason of the cancellation
   */
  public Grant admit(DataSize reserve, Duration timeout, Cancellation cancellation) {
    Runnable wake = this::wake;
    cancellation.onCancel(wake);
    Object ticket = new Object();
    lock.lock();
    try {
      enter(ticket);
      awaitTurn(ticket, reserve.bytes(), timeout, cancellation);
      running++;
      reservedBytes += reserve.bytes();
      return new Grant(reserve.bytes());
    } finally {
      line.remove(ticket);
      changed.signalAll();
      lock.unlock();
      cancellation.remove(wake);
    }
  }

  /** Statements that run now. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses statements from now on. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing runs.
   *
   * @return whether that came about in time
   */
  public boolean awaitIdle(Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (running > 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
      return running == 0;
    } finally {
      lock.unlock();
    }
  }

  private void enter(Object ticket) {
    if (line.size() >= limits.maxQueued() && !(line.isEmpty() && hasPlace(0))) {
      throw new FulmarException(
              ErrorCode.QUEUE_FULL, "%d statements run and %d wait".formatted(running, line.size()))
          .withHint("Try again later, or raise query.max-queued.");
    }

    line.addLast(ticket);
  }

  private void awaitTurn(Object ticket, long bytes, Duration timeout, Cancellation cancellation) {
    long left = timeout.toNanos();
    try {
      while (line.peekFirst() != ticket || !hasPlace(bytes) || closed) {
        cancellation.throwIfCancelled();
        if (closed) {
          throw new FulmarException(ErrorCode.SHUTTING_DOWN, "The server is shutting down");
        }
        if (left <= 0) {
          throw noPlace(timeout);
        }

        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FulmarException(ErrorCode.CANCELLED, "The wait was interrupted", e);
    }
    cancellation.throwIfCancelled();
  }

  private FulmarException noPlace(Duration timeout) {
    return new FulmarException(
            ErrorCode.QUEUE_FULL,
            "No place for the statement within %d s: %d run"
                .formatted(timeout.toSeconds(), running))
        .withHint("Try again later, or raise query.queue-timeout or query.max-concurrent.");
  }

  private boolean hasPlace(long bytes) {
    boolean fits = running == 0 || reservedBytes + bytes <= limits.memory().bytes();
    return running < limits.maxConcurrent() && fits;
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
