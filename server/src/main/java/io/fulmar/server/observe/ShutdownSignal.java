package io.fulmar.server.observe;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for Ctrl-C or SIGTERM, and lets the process end only after the server was closed. */
public final class ShutdownSignal {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);
  private static final long CLOSE_SECONDS = 60;

  private final CountDownLatch signalled = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  private ShutdownSignal() {}

  /** Listens from now on. */
  public static ShutdownSignal install() {
    ShutdownSignal signal = new ShutdownSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::hold, "fulmar-shutdown"));
    return signal;
  }

  /** Returns when the process was told to end. */
  public void await() throws InterruptedException {
    signalled.await();
  }

  /** Lets the process end. */
  public void done() {
    closed.countDown();
  }

  private void hold() {
    signalled.countDown();
    try {
      if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Not closed within {} s, ending anyway", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
