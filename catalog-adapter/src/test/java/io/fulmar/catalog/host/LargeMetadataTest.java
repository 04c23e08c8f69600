package io.fulmar.catalog.host;

import io.fulmar.catalog.SmallHeap;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata tables of 100,000 files are read in a heap of 96 MB, in a JVM of its own. */
@Tag("slow")
final class LargeMetadataTest {
  @TempDir private Path folder;

  @Test
  void aHundredThousandFilesFitASmallHeap() throws IOException, InterruptedException {
    SmallHeap.run("96m", LargeMetadata.class, folder);
  }
}
