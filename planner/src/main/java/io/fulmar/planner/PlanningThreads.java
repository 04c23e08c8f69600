package io.fulmar.planner;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.parse.StatementLimits;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Runs planning on threads with large stacks: Calcite recurses over expressions. Memory for a stack
 * is only taken as deep as it is used.
 */
final class PlanningThreads {
  private static final AtomicLong NUMBER = new AtomicLong();

  private final StatementLimits limits;

  PlanningThreads(StatementLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /**
   * The result of {@code work}.
   *
   * @throws FulmarException what {@code work} throws; STATEMENT_TOO_COMPLEX when the stack is not
   *     enough; TIMEOUT; CANCELLED when the calling thread is interrupted; INTERNAL_ERROR for
   *     anything else
   */
  <T> T run(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread =
        new Thread(null, task, "planner-" + NUMBER.incrementAndGet(), limits.stackBytes());
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limits.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw translate(e.getCause());
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new FulmarException(
          ErrorCode.TIMEOUT,
          "Planning took longer than " + limits.timeout().toSeconds() + " seconds",
          e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new FulmarException(ErrorCode.CANCELLED, "Planning was cancelled", e);
    }
  }

  private static FulmarException translate(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StackOverflowError) {
        return StatementLimits.tooDeep(failure);
      }
    }
    if (failure instanceof FulmarException typed) {
      return typed;
    }
    return new FulmarException(
        ErrorCode.INTERNAL_ERROR, "The statement could not be planned: " + failure, failure);
  }
}
