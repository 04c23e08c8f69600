package io.fulmar.reference.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.orc.GenericOrcReader;
import org.apache.iceberg.hadoop.HadoopInputFile;
import org.apache.iceberg.hadoop.HadoopStreams;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.orc.ORC;
import org.apache.iceberg.orc.ORCSchemaUtil;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.ReaderImpl;

/** ORC files. Iceberg's reader falls back to names and knows no defaults; this does neither. */
record OrcFormat(FileSource source, Schema schema, boolean identified) implements FormatReader {
  private static final String ID = "iceberg.id";
  private static final int MAX_TAIL = 16 << 20;
  private static final int BLOCK_SIZE = 1 << 20;
  private static final Configuration NO_DEFAULTS = new Configuration(false);

  static OrcFormat open(FileSource source) throws IOException {
    TypeDescription type = footer(source);
    if (hasIds(type)) {
      return new OrcFormat(source, ORCSchemaUtil.convert(type), true);
    }
    Optional<NameMapping> mapping = source.mapping();
    if (mapping.isEmpty()) {
      return new OrcFormat(source, new Schema(), false);
    }
    identify(type, mapping.get().asMappedFields());
    return new OrcFormat(source, hasIds(type) ? ORCSchemaUtil.convert(type) : new Schema(), true);
  }

  private static TypeDescription footer(FileSource source) throws IOException {
    long length = source.input().getLength();
    byte[] tail = new byte[(int) Math.min(length, MAX_TAIL)];
    try (SeekableInputStream stream = source.input().newStream()) {
      stream.seek(length - tail.length);
      IOUtil.readFully(stream, tail, 0, tail.length);
    }
    return ReaderImpl.extractFileTail(ByteBuffer.wrap(tail), length, 0).getSchema();
  }

  @Override
  public CloseableIterable<Record> read(Schema columns) {
    return ORC.read(bare(source.input()))
        .project(columns)
        .withNameMapping(source.mapping().orElseGet(NameMapping::empty))
        .createReaderFunc(file -> GenericOrcReader.buildReader(columns, file, source.lineage()))
        .build();
  }

  /**
   * As a file of Hadoop: for any other, Iceberg parses Hadoop's default settings anew each time.
   */
  private static InputFile bare(InputFile file) {
    return HadoopInputFile.fromPath(
        new Path("/file.orc"), file.getLength(), new OneFile(file), NO_DEFAULTS);
  }

  private static final class OneFile extends FilterFileSystem {
    private final InputFile file;

    OneFile(InputFile file) {
      this.file = file;
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      return new FSDataInputStream(HadoopStreams.wrap(file.newStream()));
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return open(path);
    }

    @Override
    public FileStatus getFileStatus(Path path) {
      return new FileStatus(file.getLength(), false, 1, BLOCK_SIZE, 0, path);
    }
  }

  private static boolean hasIds(TypeDescription type) {
    return type.getAttributeValue(ID) != null
        || (type.getChildren() != null && type.getChildren().stream().anyMatch(OrcFormat::hasIds));
  }

  /** Gives fields the ids of a name mapping, where a dot in a name is a letter. */
  private static void identify(TypeDescription type, MappedFields names) {
    if (type.getChildren() == null || names == null) {
      return;
    }
    for (int i = 0; i < type.getChildren().size(); i++) {
      Integer id = names.id(childName(type, i));
      if (id != null) {
        TypeDescription child = type.getChildren().get(i);
        child.setAttribute(ID, String.valueOf(id));
        MappedField field = names.field(id);
        identify(child, field.nestedMapping());
      }
    }
  }

  private static String childName(TypeDescription type, int ordinal) {
    return switch (type.getCategory()) {
      case LIST -> "element";
      case MAP -> ordinal == 0 ? "key" : "value";
      case STRUCT -> type.getFieldNames().get(ordinal);
      default -> "";
    };
  }
}
