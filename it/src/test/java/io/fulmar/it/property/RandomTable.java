package io.fulmar.it.property;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;

/** A table made by random commits, all from one seed, and the list of its rows. */
final class RandomTable {
  private static final String[] METRICS = {"full", "truncate(2)", "counts", "none"};
  private static final Configuration HADOOP = new Configuration(false);

  static {
    HADOOP.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
  }

  private final Random random;
  private final RandomValues values;
  private final RandomEvolution evolution;
  private final Table table;
  private final TableFiles writer;
  private final List<ModelFile> files = new ArrayList<>();
  private final List<String> script = new ArrayList<>();
  private final List<Version> versions = new ArrayList<>();
  private int formatVersion;
  private long nextId;

  /** A snapshot and the rows it had, in the columns it had. */
  record Version(long snapshotId, List<List<String>> rows) {}

  private RandomTable(long seed, Path folder) {
    this.random = new Random(seed);
    this.values = new RandomValues(random);
    this.formatVersion = 1 + random.nextInt(3);
    Schema schema = RandomEvolution.firstSchema(random, values, formatVersion);
    Map<String, String> properties = new HashMap<>();
    properties.put("format-version", String.valueOf(formatVersion));
    properties.put("write.metadata.metrics.default", METRICS[random.nextInt(METRICS.length)]);
    if (random.nextInt(3) == 0) {
      properties.put("write.parquet.bloom-filter-enabled.column.id", "true");
      properties.put("write.parquet.bloom-filter-max-bytes", "1024");
    }
    this.table =
        new HadoopTables(HADOOP)
            .create(
                schema,
                RandomEvolution.firstSpec(random, schema),
                properties,
                folder.resolve("t" + seed).toUri().toString());
    this.writer = new TableFiles(random, table);
    this.evolution = new RandomEvolution(random, values, table);
    script.add("v%d %s %s".formatted(formatVersion, schema.asStruct(), table.spec()));
  }

  static RandomTable make(long seed, Path folder) {
    RandomTable made = new RandomTable(seed, folder);
    try {
      made.append();
      int commits = 2 + made.random.nextInt(5);
      for (int i = 0; i < commits; i++) {
        made.step();
        made.remember();
      }
      return made;
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "Seed %d made no table:\n%s".formatted(seed, made.script()), e);
    }
  }

  /** What was done, a line for each commit. */
  String script() {
    return String.join("\n", script);
  }

  Schema schema() {
    return table.schema();
  }

  int formatVersion() {
    return formatVersion;
  }

  /** For register_table. */
  String metadataLocation() {
    return ((BaseTable) table).operations().current().metadataFileLocation();
  }

  /** Snapshots before the last. */
  List<Version> versions() {
    return List.copyOf(versions);
  }

  /** The live rows by field id, in the current types. */
  List<Map<Integer, Object>> rows() {
    return files.stream()
        .flatMap(file -> file.rows().stream())
        .filter(ModelRow::isLive)
        .map(row -> Projection.struct(table.schema().columns(), row.values()))
        .toList();
  }

  private void remember() {
    List<List<String>> rows = new ArrayList<>();
    for (Map<Integer, Object> row : rows()) {
      rows.add(
          table.schema().columns().stream()
              .map(field -> CellText.of(field.type(), row.get(field.fieldId())))
              .toList());
    }
    if (table.currentSnapshot().schemaId() == table.schema().schemaId()) {
      versions.add(new Version(table.currentSnapshot().snapshotId(), rows));
    }
  }

  private void step() {
    boolean deletes = formatVersion >= 2 && !files.isEmpty();
    switch (random.nextInt(12)) {
      case 0, 1 -> append();
      case 2 -> evolution.schema(formatVersion).ifPresent(script::add);
      case 3 -> evolution.spec().ifPresent(script::add);
      case 4 -> upgrade();
      case 5 -> dropFile();
      case 6 -> compact(deletes);
      case 7, 8 -> deletePositions(deletes);
      default -> deleteEqual(deletes);
    }
  }

  private void append() {
    List<ModelFile> added =
        writer.data(randomRows(1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 15)));
    var append = random.nextBoolean() ? table.newAppend() : table.newFastAppend();
    added.forEach(file -> append.appendFile(file.file()));
    append.commit();
    added(added);
    script.add("append " + describe(added));
  }

  private List<Map<Integer, Object>> randomRows(int count) {
    List<Map<Integer, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<Integer, Object> row = new HashMap<>();
      for (Types.NestedField field : table.schema().columns()) {
        row.put(field.fieldId(), values.valueOrNull(field.type()));
      }
      row.put(table.schema().findField("id").fieldId(), nextId++);
      rows.add(row);
    }
    return rows;
  }

  private void added(List<ModelFile> added) {
    long sequence = table.currentSnapshot().sequenceNumber();
    added.forEach(file -> file.committed(sequence));
    files.addAll(added);
  }

  private static String describe(List<ModelFile> of) {
    return of.stream()
        .map(
            file ->
                "%s[%d rows, %s]"
                    .formatted(file.file().format(), file.rows().size(), file.file().partition()))
        .collect(Collectors.joining(" "));
  }

  private void upgrade() {
    if (formatVersion < 3) {
      formatVersion++;
      table.updateProperties().set("format-version", String.valueOf(formatVersion)).commit();
      script.add("upgrade to v" + formatVersion);
    }
  }

  private void dropFile() {
    if (files.size() > 1) {
      ModelFile dropped = files.remove(random.nextInt(files.size()));
      DeleteFiles delete = table.newDelete();
      delete.deleteFile(dropped.file());
      delete.commit();
      script.add("drop " + describe(List.of(dropped)));
    }
  }

  /** Files of one partition become one, at the sequence number of the start. */
  private void compact(boolean allowed) {
    if (!allowed) {
      return;
    }
    ModelFile first = files.get(random.nextInt(files.size()));
    List<ModelFile> old = files.stream().filter(first::neighbours).limit(3).toList();
    List<Map<Integer, Object>> rows =
        old.stream()
            .flatMap(file -> file.rows().stream())
            .filter(ModelRow::isLive)
            .map(row -> Projection.struct(table.schema().columns(), row.values()))
            .toList();
    long sequence = table.currentSnapshot().sequenceNumber();
    RewriteFiles rewrite =
        table
            .newRewrite()
            .dataSequenceNumber(sequence)
            .validateFromSnapshot(table.currentSnapshot().snapshotId());
    old.forEach(file -> rewrite.deleteFile(file.file()));
    old.forEach(file -> file.vector().ifPresent(rewrite::deleteFile));
    Optional<ModelFile> compacted =
        rows.isEmpty()
            ? Optional.empty()
            : Optional.of(writer.data(first.spec(), first.file().partition(), rows));
    compacted.ifPresent(file -> rewrite.addFile(file.file()));
    rewrite.commit();
    files.removeAll(old);
    compacted.ifPresent(file -> file.committed(sequence));
    compacted.ifPresent(files::add);
    script.add("compact " + describe(old));
  }

  private void deletePositions(boolean allowed) {
    if (!allowed) {
      return;
    }
    ModelFile first = files.get(random.nextInt(files.size()));
    List<ModelFile> reached =
        formatVersion >= 3 || random.nextBoolean()
            ? files.stream().filter(first::neighbours).limit(3).toList()
            : List.of(first);
    double share = random.nextBoolean() ? 0.2 : 0.7;
    List<ModelRow> rows =
        reached.stream()
            .flatMap(file -> file.rows().stream())
            .filter(row -> random.nextDouble() < share)
            .toList();
    if (rows.isEmpty()) {
      return;
    }
    rows.forEach(row -> row.file().deletedPositions().add(row.position()));
    RowDelta delta = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    if (formatVersion >= 3) {
      vectors(delta, rows.stream().map(ModelRow::file).distinct().toList());
    } else {
      delta.addDeletes(writer.positions(rows));
    }
    delta.commit();
    rows.forEach(ModelRow::delete);
    script.add("delete %d positions of %s".formatted(rows.size(), describe(reached)));
  }

  private void vectors(RowDelta delta, List<ModelFile> of) {
    writer
        .vectors(of)
        .forEach(
            (file, vector) -> {
              file.vector().ifPresent(delta::removeDeletes);
              delta.addDeletes(vector);
              file.replaceVector(vector);
            });
  }

  private void deleteEqual(boolean allowed) {
    Set<Integer> ids = evolution.keys();
    if (!allowed || ids.isEmpty()) {
      return;
    }
    ModelFile scope = files.get(random.nextInt(files.size()));
    List<Types.NestedField> fields = TableFiles.fields(table.schema(), ids);
    List<Map<Integer, Object>> keys = randomKeys(fields);
    DeleteFile file = writer.equality(scope, ids, keys);
    RowDelta delta = table.newRowDelta().addDeletes(file);
    List<ModelFile> added =
        random.nextInt(3) == 0 ? writer.data(randomRows(1 + random.nextInt(8))) : List.of();
    added.forEach(data -> delta.addRows(data.file()));
    delta.commit();
    apply(scope, fields, keys);
    added(added);
    script.add(
        "delete where %s in %s, scope %s, as %s, and append %s"
            .formatted(
                fields.stream().map(Types.NestedField::name).toList(),
                keys.stream().map(key -> text(fields, key)).toList(),
                scope.spec().isUnpartitioned() ? "all" : scope.file().partition(),
                file.format(),
                describe(added)));
  }

  private List<Map<Integer, Object>> randomKeys(List<Types.NestedField> fields) {
    List<Map<Integer, Object>> known = rows();
    List<Map<Integer, Object>> keys = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      Map<Integer, Object> key = new HashMap<>();
      Optional<Map<Integer, Object>> row =
          known.isEmpty() || random.nextInt(4) == 0
              ? Optional.empty()
              : Optional.of(known.get(random.nextInt(known.size())));
      for (Types.NestedField field : fields) {
        key.put(
            field.fieldId(),
            row.isPresent()
                ? row.get().get(field.fieldId())
                : field.isRequired()
                    ? values.value(field.type())
                    : values.valueOrNull(field.type()));
      }
      keys.add(key);
    }
    return keys;
  }

  /** Rows that were there before the commit, in the scope, with an equal key, die. */
  private void apply(
      ModelFile scope, List<Types.NestedField> fields, List<Map<Integer, Object>> keys) {
    Set<List<String>> texts = new LinkedHashSet<>();
    keys.forEach(key -> texts.add(text(fields, key)));
    for (ModelFile file : files) {
      if (scope.spec().isUnpartitioned() || file.neighbours(scope)) {
        for (ModelRow row : file.rows()) {
          if (texts.contains(text(fields, Projection.struct(fields, row.values())))) {
            row.delete();
          }
        }
      }
    }
  }

  private static List<String> text(List<Types.NestedField> fields, Map<Integer, Object> key) {
    return fields.stream()
        .map(field -> CellText.of(field.type(), key.get(field.fieldId())))
        .toList();
  }
}
