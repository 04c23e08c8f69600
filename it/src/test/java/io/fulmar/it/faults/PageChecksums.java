package io.fulmar.it.faults;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;

/** Which bytes of a Parquet file the CRCs of its pages cover. */
final class PageChecksums {
  private static final ParquetReadOptions WITHOUT_HADOOP =
      ParquetReadOptions.builder(new PlainParquetConfiguration()).build();

  private PageChecksums() {}

  /** The body of a page. */
  private record Body(long from, long to) {}

  /** Whether the byte at a position is part of a page that has a CRC. */
  static boolean cover(Path file, long position) throws IOException {
    return bodies(file).stream().anyMatch(body -> position >= body.from() && position < body.to());
  }

  /** The position of a byte that a CRC covers, in the file's last such page. */
  static OptionalLong covered(Path file) throws IOException {
    return bodies(file).stream().mapToLong(body -> (body.from() + body.to()) / 2).max();
  }

  private static List<Body> bodies(Path file) throws IOException {
    List<Body> bodies = new ArrayList<>();
    try (ParquetFileReader reader =
            ParquetFileReader.open(new LocalInputFile(file), WITHOUT_HADOOP);
        SeekableByteChannel channel = Files.newByteChannel(file)) {
      for (BlockMetaData group : reader.getFooter().getBlocks()) {
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          long end = chunk.getStartingPos() + chunk.getTotalSize();
          for (long at = chunk.getStartingPos(); at < end; ) {
            channel.position(at);
            PageHeader page = Util.readPageHeader(Channels.newInputStream(channel));
            at = channel.position() + page.getCompressed_page_size();
            if (page.isSetCrc() && at > channel.position()) {
              bodies.add(new Body(channel.position(), at));
            }
          }
        }
      }
    }
    return bodies;
  }
}
