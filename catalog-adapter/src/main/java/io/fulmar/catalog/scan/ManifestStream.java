package io.fulmar.catalog.scan;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.apache.iceberg.ManifestFile;

/**
 * Reads manifests on a pool and gives what they hold in their order, in chunks. Of each open
 * manifest one chunk is read ahead and no thread ever waits, so that a slow consumer holds neither
 * memory nor threads. The first chunk is read alone: who needs few rows opens one manifest.
 */
final class ManifestStream<T> implements AutoCloseable {
  private final Executor pool;
  private final Function<ManifestFile, Source<T>> opener;
  private final Iterator<ManifestFile> rest;
  private final int window;
  private final Deque<Cursor<T>> open = new ArrayDeque<>();
  private boolean started;

  /**
   * @param window manifests that are open at once
   */
  ManifestStream(
      Executor pool,
      List<ManifestFile> manifests,
      Function<ManifestFile, Source<T>> opener,
      int window) {
    this.pool = pool;
    this.opener = opener;
    this.rest = manifests.iterator();
    this.window = window;
  }

  /** What one manifest holds. */
  interface Source<T> extends AutoCloseable {
    /** The next part; may be empty before the last. */
    Chunk<T> read();

    @Override
    void close();
  }

  /** Some items, and whether they are the last of their manifest. */
  record Chunk<T>(List<T> items, boolean last) {}

  /** The next items, not none; empty at the end. */
  Optional<List<T>> next() {
    while (true) {
      openMore();
      if (open.isEmpty()) {
        return Optional.empty();
      }

      Cursor<T> first = open.peek();
      Chunk<T> chunk = first.take();
      if (chunk.last()) {
        open.remove().close();
      } else {
        first.readAhead(pool);
      }
      if (!chunk.items().isEmpty()) {
        return Optional.of(chunk.items());
      }
    }
  }

  @Override
  public void close() {
    open.forEach(Cursor::close);
    open.clear();
  }

  private void openMore() {
    int wanted = started ? window : 1;
    while (open.size() < wanted && rest.hasNext()) {
      Cursor<T> cursor = new Cursor<>(opener, rest.next());
      cursor.readAhead(pool);
      open.add(cursor);
    }
    started = true;
  }

  /** One manifest: its source is touched by one task at a time. */
  private static final class Cursor<T> {
    private final Function<ManifestFile, Source<T>> opener;
    private final ManifestFile manifest;
    private Optional<Source<T>> source = Optional.empty();
    private CompletableFuture<Chunk<T>> pending =
        CompletableFuture.failedFuture(new IllegalStateException("Nothing was read ahead"));

    Cursor(Function<ManifestFile, Source<T>> opener, ManifestFile manifest) {
      this.opener = opener;
      this.manifest = manifest;
    }

    void readAhead(Executor pool) {
      try {
        pending = CompletableFuture.supplyAsync(this::read, pool);
      } catch (RejectedExecutionException e) {
        throw new FulmarException(ErrorCode.SHUTTING_DOWN, "The server is shutting down", e);
      }
    }

    Chunk<T> take() {
      try {
        return pending.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FulmarException(ErrorCode.CANCELLED, "Planning was cancelled", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof FulmarException known) {
          throw known;
        }
        throw new FulmarException(
            ErrorCode.INTERNAL_ERROR, "Planning failed on " + manifest.path(), e.getCause());
      }
    }

    /** Closes the source as soon as no task uses it. */
    void close() {
      pending.whenComplete((chunk, failure) -> closeSource());
    }

    private synchronized Chunk<T> read() {
      if (source.isEmpty()) {
        source = Optional.of(opener.apply(manifest));
      }
      return source.get().read();
    }

    private synchronized void closeSource() {
      source.ifPresent(Source::close);
      source = Optional.empty();
    }
  }
}
