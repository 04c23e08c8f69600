package io.fulmar.server.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationTest {
  private final Cancellation cancellation = new Cancellation();
  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void theFirstReasonStays() {
    cancellation.cancel(new FulmarException(ErrorCode.TIMEOUT, "late"));
    cancellation.cancel();

    FulmarException error = assertThrows(FulmarException.class, cancellation::throwIfCancelled);
    assertEquals(ErrorCode.TIMEOUT, error.code());
  }

  @Test
  void listenersRunOnceEvenWhenAddedLate() {
    cancellation.onCancel(calls::incrementAndGet);
    cancellation.cancel();
    cancellation.cancel();
    cancellation.onCancel(calls::incrementAndGet);

    assertEquals(2, calls.get());
  }

  @Test
  void removedListenersDoNotRun() {
    Runnable listener = calls::incrementAndGet;
    cancellation.onCancel(listener);
    cancellation.remove(listener);
    cancellation.cancel();

    assertEquals(0, calls.get());
  }
}
