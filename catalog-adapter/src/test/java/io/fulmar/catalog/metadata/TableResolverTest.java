package io.fulmar.catalog.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.VersionSelector.RefKind;
import io.fulmar.catalog.registry.LoadedTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableResolverTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));

  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  @TempDir private Path folder;
  private TestCatalog catalog;
  private Table table;
  private long first;
  private long second;

  @BeforeEach
  void writeTwoSnapshotsAndASchema() {
    catalog = new TestCatalog(folder);
    table = catalog.create("t", SCHEMA, NONE, 2);
    table.newFastAppend().appendFile(TestCatalog.data(NONE, "a", "")).commit();
    first = table.currentSnapshot().snapshotId();
    table.updateSchema().addColumn("late", Types.StringType.get()).commit();
    table.newFastAppend().appendFile(TestCatalog.data(NONE, "b", "")).commit();
    second = table.currentSnapshot().snapshotId();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Test
  void versionsAndTagsHaveTheirSchemaBranchesTheCurrentOne() {
    table.manageSnapshots().createTag("tag", first).createBranch("branch", first).commit();

    assertPinned(second, 2, new VersionSelector.Current());
    assertPinned(first, 1, new VersionSelector.SnapshotId(first));
    assertPinned(first, 1, new VersionSelector.Ref("tag"));
    assertPinned(first, 2, new VersionSelector.Ref("branch"));
    assertPinned(second, 2, new VersionSelector.Ref("main"));
    assertPinned(first, 1, new VersionSelector.Ref(String.valueOf(first)));
    assertPinned(first, 1, new VersionSelector.TypedRef(RefKind.TAG, "tag"));
    assertPinned(first, 2, new VersionSelector.TypedRef(RefKind.BRANCH, "branch"));
    assertPinned(second, 2, new VersionSelector.TypedRef(RefKind.BRANCH, "main"));
  }

  @Test
  void timeTravelGoesByTheTimesOfTheLog() {
    TableMetadata shuffled =
        edited(
            json -> {
              String entries =
                  String.join(
                      ",", logged(3_000, second), logged(1_000, first), logged(2_000, second));
              return json.replaceAll(
                  "\"snapshot-log\":\\[[^\\]]*\\]", "\"snapshot-log\":[" + entries + "]");
            });
    assertEquals(first, asOf(shuffled, 1_999_999));
    assertEquals(first, asOf(shuffled, 1_000_000));
    assertEquals(second, asOf(shuffled, 2_000_000));
    assertEquals(second, asOf(shuffled, 5_000_000));
    FulmarException none = assertThrows(FulmarException.class, () -> asOf(shuffled, 999_999));
    assertEquals(ErrorCode.UNKNOWN_SNAPSHOT, none.code());
    assertTrue(none.hint().isPresent());
  }

  @Test
  void snapshotsWithoutSchemaIdUseTheCurrentSchema() {
    TableMetadata metadata = edited(json -> json.replaceAll(",\"schema-id\":\\d+\\}", "}"));
    TableSnapshot pinned =
        TableResolver.pin(loaded(metadata), new VersionSelector.SnapshotId(first));
    assertNull(pinned.snapshot().orElseThrow().schemaId());
    assertEquals(2, pinned.schema().columns().size());
  }

  @Test
  void aTableWithoutSnapshotHasASchema() {
    catalog.create("empty", SCHEMA, NONE, 2);
    TableSnapshot pinned = catalog.snapshot("empty");
    assertTrue(pinned.snapshot().isEmpty());
    assertEquals(1, pinned.schema().columns().size());
    assertTrue(catalog.snapshot("empty", new VersionSelector.Ref("main")).snapshot().isEmpty());
    assertTrue(SnapshotManifests.read(pinned).data().isEmpty());
  }

  @Test
  void unknownVersionsAreNamed() {
    for (VersionSelector version :
        List.of(
            new VersionSelector.SnapshotId(7),
            new VersionSelector.Ref("none"),
            new VersionSelector.Ref("12"),
            new VersionSelector.TypedRef(RefKind.TAG, "main"),
            new VersionSelector.TypedRef(RefKind.BRANCH, "none"),
            new VersionSelector.AsOf(0))) {
      FulmarException error =
          assertThrows(FulmarException.class, () -> catalog.snapshot("t", version));
      assertEquals(ErrorCode.UNKNOWN_SNAPSHOT, error.code());
    }
  }

  @Test
  void theFirstFormatListsManifestsInline() {
    Table old = catalog.create("old", SCHEMA, NONE, 1);
    old.newFastAppend().appendFile(TestCatalog.data(NONE, "a", "")).commit();
    TableSnapshot listed = catalog.snapshot("old");
    String manifest = SnapshotManifests.read(listed).data().get(0).path();
    TableMetadata metadata =
        TableMetadataParser.fromJson(
            TableMetadataParser.toJson(listed.metadata())
                .replaceAll(
                    "\"manifest-list\":\"[^\"]*\"", "\"manifests\":[\"" + manifest + "\"]"));

    TableSnapshot inline = TableResolver.pin(loaded(metadata), new VersionSelector.Current());
    SnapshotManifests manifests = SnapshotManifests.read(inline);
    assertEquals(1, manifests.data().size());
    try (ManifestEntries.Entries<DataFile> entries =
        ManifestEntries.openData(inline, manifests.data().get(0), ManifestEntries.DATA_COLUMNS)) {
      assertTrue(entries.hasNext());
      assertEquals(0, entries.next().dataSequenceNumber());
    }
  }

  @Test
  void inventoriesCountLiveDeletes() {
    DeleteInventoryLoader loader = new DeleteInventoryLoader();
    assertTrue(loader.load(catalog.snapshot("t")).isEmpty());
    table
        .newRowDelta()
        .addDeletes(TestCatalog.equality(NONE, "e1", "", 2, 1))
        .addDeletes(TestCatalog.equality(NONE, "e2", "", 1))
        .addDeletes(TestCatalog.positions(NONE, "p", ""))
        .commit();
    table.newRowDelta().addDeletes(TestCatalog.equality(NONE, "e3", "", 1, 2)).commit();

    DeleteInventory inventory = loader.load(catalog.snapshot("t"));
    assertEquals(List.of(List.of(1), List.of(1, 2)), inventory.equalityIdSets());
    assertEquals(2, inventory.equality().get(List.of(1, 2)).files());
    assertEquals(1, inventory.positionDeleteFiles());
    assertTrue(inventory.hasPositionDeletes());
    assertEquals(inventory, loader.load(catalog.snapshot("t")));
  }

  private void assertPinned(long snapshot, int columns, VersionSelector version) {
    TableSnapshot pinned = catalog.snapshot("t", version);
    assertEquals(snapshot, pinned.snapshot().orElseThrow().snapshotId());
    assertEquals(columns, pinned.schema().columns().size());
  }

  private static String logged(long millis, long snapshot) {
    return "{\"timestamp-ms\":%d,\"snapshot-id\":%d}".formatted(millis, snapshot);
  }

  private static long asOf(TableMetadata metadata, long micros) {
    return TableResolver.pin(loaded(metadata), new VersionSelector.AsOf(micros))
        .snapshot()
        .orElseThrow()
        .snapshotId();
  }

  private TableMetadata edited(UnaryOperator<String> edit) {
    TableMetadata metadata = ((BaseTable) table).operations().refresh();
    return TableMetadataParser.fromJson(edit.apply(TableMetadataParser.toJson(metadata)));
  }

  private static LoadedTable loaded(TableMetadata metadata) {
    return new LoadedTable(
        "test",
        TableIdentifier.of("db", "t"),
        metadata,
        new HadoopFileIO(new Configuration()),
        path -> path,
        Map.of());
  }
}
