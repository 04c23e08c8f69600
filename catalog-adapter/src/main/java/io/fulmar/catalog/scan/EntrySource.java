package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.ManifestEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.ContentFile;

/** The entries of one manifest, reduced to what planning keeps, in chunks. */
final class EntrySource<F extends ContentFile<F>, T> implements ManifestStream.Source<T> {
  private static final int CHUNK_ITEMS = 512;
  private static final int CHUNK_ENTRIES = 4_096;

  private final ManifestEntries.Entries<F> entries;
  private final Function<F, Optional<T>> reduce;

  /**
   * @param reduce what is kept of an entry; empty: nothing
   */
  EntrySource(ManifestEntries.Entries<F> entries, Function<F, Optional<T>> reduce) {
    this.entries = entries;
    this.reduce = reduce;
  }

  @Override
  public ManifestStream.Chunk<T> read() {
    List<T> items = new ArrayList<>();
    for (int read = 0; read < CHUNK_ENTRIES && items.size() < CHUNK_ITEMS; read++) {
      if (!entries.hasNext()) {
        return new ManifestStream.Chunk<>(items, true);
      }
      reduce.apply(entries.next()).ifPresent(items::add);
    }
    return new ManifestStream.Chunk<>(items, false);
  }

  @Override
  public void close() {
    entries.close();
  }
}
