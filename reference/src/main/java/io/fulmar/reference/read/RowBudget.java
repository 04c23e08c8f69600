package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the rows that one query holds in memory. */
public final class RowBudget {
  private final long limit;
  private final AtomicLong held = new AtomicLong();

  public RowBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Counts rows that stay in memory until the query ends.
   *
   * @throws FulmarException MEMORY_LIMIT_EXCEEDED naming the setting
   */
  public void hold(long rows) {
    if (held.addAndGet(rows) > limit) {
      throw new FulmarException(
              ErrorCode.MEMORY_LIMIT_EXCEEDED,
              "The reference backend would hold more than " + limit + " rows in memory")
          .withHint("Raise engine.reference-rows, or SET engine.backend = 'native'.");
    }
  }

  /** The most rows that were held. */
  public long held() {
    return held.get();
  }
}
