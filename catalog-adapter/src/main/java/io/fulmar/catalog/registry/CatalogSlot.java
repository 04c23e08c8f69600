package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A configured catalog, open as soon as its service answers: one that is down neither keeps the
 * server from starting nor the other catalogs from working. Safe for use by several threads.
 */
final class CatalogSlot {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogSlot.class);

  /** Listings leave a catalog alone for so long after it could not be opened. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final CatalogSettings settings;
  private IcebergCatalog catalog;
  private long failedAtNanos;
  private boolean failed;

  CatalogSlot(CatalogSettings settings) {
    this.settings = settings;
  }

  String name() {
    return settings.name();
  }

  /**
   * The catalog, opened if it is not.
   *
   * @throws FulmarException INVALID_SETTING, or CATALOG_FAILED where the service does not answer or
   *     refuses
   */
  synchronized IcebergCatalog open() {
    if (catalog != null) {
      return catalog;
    }
    try {
      catalog = IcebergCatalog.open(settings);
      return catalog;
    } catch (RuntimeException e) {
      failed = true;
      failedAtNanos = System.nanoTime();
      throw e;
    }
  }

  /** The catalog if it is open or can be; empty for a while after it could not. */
  synchronized Optional<IcebergCatalog> tryOpen() {
    if (catalog == null && failed && System.nanoTime() - failedAtNanos < PAUSE.toNanos()) {
      return Optional.empty();
    }
    try {
      return Optional.of(open());
    } catch (FulmarException e) {
      if (e.code() != ErrorCode.CATALOG_FAILED) {
        throw e;
      }
      LOG.warn("{}; statements that name it try again", e.getMessage());
      return Optional.empty();
    }
  }

  synchronized void close() {
    if (catalog != null) {
      catalog.close();
    }
  }
}
