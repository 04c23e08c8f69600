package io.fulmar.server.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.config.DataSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AdmissionControllerTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final DataSize SMALL = DataSize.ofMegabytes(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AdmissionController admission =
      new AdmissionController(new AdmissionLimits(2, 2, DataSize.ofMegabytes(10)));

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void runsInTheOrderOfArrival() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    AdmissionController.Grant one = admit(SMALL, LONG);
    AdmissionController.Grant two = admit(SMALL, LONG);
    Future<?> third = later(3, order);
    awaitQueued(third);
    Future<?> fourth = later(4, order);
    awaitQueued(fourth);

    one.close();
    third.get(10, TimeUnit.SECONDS);
    two.close();
    fourth.get(10, TimeUnit.SECONDS);

    assertEquals(List.of(3, 4), order);
  }

  @Test
  void memoryBoundsWhatRunsAtOnce() throws Exception {
    AdmissionController.Grant large = admit(DataSize.ofMegabytes(8), LONG);
    Future<AdmissionController.Grant> waiting =
        threads.submit(() -> admit(DataSize.ofMegabytes(8), LONG));
    awaitQueued(waiting);

    large.close();

    waiting.get(10, TimeUnit.SECONDS).close();
    assertEquals(0, admission.running());
  }

  @Test
  void aStatementThatNeverFitsRunsAlone() {
    try (AdmissionController.Grant grant = admit(DataSize.ofGigabytes(1), LONG)) {
      assertEquals(1, admission.running());
    }
  }

  @Test
  void aFullQueueRefuses() throws Exception {
    admit(SMALL, LONG);
    admit(SMALL, LONG);
    awaitQueued(threads.submit(() -> admit(SMALL, LONG)));
    awaitQueued(threads.submit(() -> admit(SMALL, LONG)));

    FulmarException error = assertThrows(FulmarException.class, () -> admit(SMALL, LONG));

    assertEquals(ErrorCode.QUEUE_FULL, error.code());
    assertTrue(error.hint().orElse("").contains("query.max-queued"), error.toString());
  }

  @Test
  void aWaitThatIsTooLongRefuses() {
    admit(SMALL, LONG);
    admit(SMALL, LONG);

    FulmarException error =
        assertThrows(FulmarException.class, () -> admit(SMALL, Duration.ofMillis(50)));

    assertEquals(ErrorCode.QUEUE_FULL, error.code());
    assertTrue(error.hint().orElse("").contains("query.queue-timeout"), error.toString());
  }

  @Test
  void aCancelledStatementLeavesTheQueueAtOnce() throws Exception {
    admit(SMALL, LONG);
    admit(SMALL, LONG);
    Cancellation cancellation = new Cancellation();
    Future<?> waiting = threads.submit(() -> admission.admit(SMALL, LONG, cancellation));
    awaitQueued(waiting);

    long start = System.nanoTime();
    cancellation.cancel();
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> waiting.get(10, TimeUnit.SECONDS));

    assertEquals(ErrorCode.CANCELLED, ((FulmarException) failure.getCause()).code());
    assertTrue(Duration.ofNanos(System.nanoTime() - start).toMillis() < 500);
  }

  @Test
  void aClosedServerRefuses() throws Exception {
    AdmissionController.Grant running = admit(SMALL, LONG);
    admission.close();

    FulmarException error = assertThrows(FulmarException.class, () -> admit(SMALL, LONG));

    assertEquals(ErrorCode.SHUTTING_DOWN, error.code());
    assertFalse(admission.awaitIdle(Duration.ofMillis(20)));
    running.close();
    running.close();
    assertTrue(admission.awaitIdle(Duration.ofMillis(20)));
  }

  private AdmissionController.Grant admit(DataSize reserve, Duration timeout) {
    return admission.admit(reserve, timeout, new Cancellation());
  }

  private Future<?> later(int number, List<Integer> order) {
    return threads.submit(
        () -> {
          AdmissionController.Grant grant = admit(SMALL, LONG);
          order.add(number);
          return grant;
        });
  }

  private static void awaitQueued(Future<?> future) throws InterruptedException {
    Thread.sleep(100);
    assertFalse(future.isDone());
  }
}
