package io.fulmar.catalog.scan;

import io.fulmar.catalog.SmallHeap;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million manifest entries are planned in a heap of 512 MB, in a JVM of its own. */
@Tag("slow")
final class LargePlanTest {
  @TempDir private Path folder;

  @Test
  void aMillionEntriesFitHalfAGigabyte() throws IOException, InterruptedException {
    SmallHeap.run("512m", LargePlan.class, folder);
  }
}
