package io.fulmar.server.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.DeleteFileRef;
import io.fulmar.catalog.scan.DeleteGroup;
import io.fulmar.catalog.scan.ScanPlan;
import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.catalog.scan.ScanTask;
import io.fulmar.engine.plan.Constant;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.FileTask;
import io.fulmar.engine.plan.SimpleType;
import io.fulmar.engine.plan.TaskBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TaskSourceTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "region", Types.StringType.get()));
  private static final PartitionSpec SPEC =
      PartitionSpec.builderFor(SCHEMA).identity("region").build();

  @Test
  void deletesComeBeforeTheTasksThatUseThem() throws InvalidProtocolBufferException {
    FakePlan plan = new FakePlan(3, 2, 1000);

    List<TaskBatch> batches = read(plan);

    List<String> seen = new ArrayList<>();
    for (TaskBatch batch : batches) {
      batch.getDeleteFilesList().forEach(file -> seen.add("file"));
      batch.getDeleteGroupsList().forEach(group -> seen.add("group"));
      batch.getTasksList().forEach(task -> seen.add("task"));
    }
    assertEquals(List.of("file", "file", "file", "group", "group"), seen.subList(0, 5));
    assertEquals(1005, seen.size());
    assertTrue(batches.get(batches.size() - 1).getEnd());
    batches.subList(0, batches.size() - 1).forEach(batch -> assertFalse(batch.getEnd()));
  }

  @Test
  void messagesStayAboutAMegabyte() throws InvalidProtocolBufferException {
    List<TaskBatch> batches = read(new FakePlan(20_000, 1, 20_000));

    assertTrue(batches.size() > 4, () -> batches.size() + " batches");
    batches.forEach(
        batch -> assertTrue(batch.getSerializedSize() < 1_200_000, "" + batch.getSerializedSize()));
  }

  @Test
  void anEmptyScanEndsAtOnce() throws InvalidProtocolBufferException {
    List<TaskBatch> batches = read(new FakePlan(0, 0, 0));

    assertEquals(1, batches.size());
    assertEquals(0, batches.get(0).getTasksCount());
  }

  /** Of a column that every schema has dropped, nobody can ask the value. */
  @Test
  void constantsOfUnknownFieldsAreLeftOut() throws InvalidProtocolBufferException {
    FileTask task = read(new FakePlan(1, 1, 1)).get(1).getTasks(0);

    assertEquals(
        List.of(2, 1), task.getConstantsList().stream().map(Constant::getFieldId).toList());
  }

  @Test
  void aTaskKeepsEveryField() throws InvalidProtocolBufferException {
    FileTask task = read(new FakePlan(1, 1, 1)).get(1).getTasks(0);

    assertEquals("s3://b/data-0.parquet", task.getIdentity());
    assertEquals("file:/mapped/data-0.parquet", task.getLocation());
    assertEquals(io.fulmar.engine.plan.FileFormat.PARQUET, task.getFormat());
    assertEquals(100, task.getFileBytes());
    assertEquals(4, task.getStart());
    assertEquals(96, task.getLength());
    assertEquals(7, task.getDataSequenceNumber());
    assertEquals(11, task.getFirstRowId());
    assertEquals(0, task.getDeletionVector());
    assertTrue(task.hasDeletionVector());
    assertEquals(List.of(0), task.getDeleteGroupsList());
    Constant constant = task.getConstants(0);
    assertEquals(2, constant.getFieldId());
    assertEquals(DataType.newBuilder().setSimple(SimpleType.STRING).build(), constant.getType());
    assertEquals("eu", constant.getValue().getString());
    assertTrue(task.getConstants(1).getValue().getNull());
    assertEquals("eu", task.getPartitionStruct().getList().getValues(0).getString());
  }

  private static List<TaskBatch> read(ScanPlan plan) throws InvalidProtocolBufferException {
    List<TaskBatch> batches = new ArrayList<>();
    try (TaskSource source = new TaskSource(plan, new TaskEncoder(table()))) {
      do {
        batches.add(TaskBatch.parseFrom(source.next()));
      } while (!batches.get(batches.size() - 1).getEnd());
    }
    return batches;
  }

  private static TableSnapshot table() {
    TableMetadata metadata = TableMetadata.newTableMetadata(SCHEMA, SPEC, "file:/t", Map.of());
    return new TableSnapshot(
        "lake",
        TableIdentifier.of("db", "t"),
        metadata,
        new InMemoryFileIO(),
        path -> path,
        Optional.empty(),
        metadata.schema(),
        Map.of());
  }

  private static final class FakePlan implements ScanPlan {
    private final int files;
    private final int groups;
    private final int tasks;
    private int given;

    private FakePlan(int files, int groups, int tasks) {
      this.files = files;
      this.groups = groups;
      this.tasks = tasks;
    }

    @Override
    public List<DeleteFileRef> deleteFiles() {
      List<DeleteFileRef> refs = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        refs.add(
            new DeleteFileRef(
                i,
                "s3://b/delete-" + i + ".parquet",
                "file:/mapped/delete-" + i + ".parquet",
                FileFormat.PARQUET,
                10,
                1,
                8,
                0,
                0,
                Optional.empty()));
      }
      return refs;
    }

    @Override
    public List<DeleteGroup> deleteGroups() {
      List<DeleteGroup> all = new ArrayList<>();
      for (int i = 0; i < groups; i++) {
        all.add(new DeleteGroup(i, List.of(1), List.of(0), "global"));
      }
      return all;
    }

    @Override
    public Optional<List<ScanTask>> next(int limit) {
      List<ScanTask> next = new ArrayList<>();
      while (given < tasks && next.size() < limit) {
        next.add(task(given++));
      }
      return next.isEmpty() ? Optional.empty() : Optional.of(next);
    }

    private static ScanTask task(int number) {
      PartitionData partition = new PartitionData(SPEC.partitionType());
      partition.set(0, "eu");
      return new ScanTask(
          "s3://b/data-" + number + ".parquet",
          "file:/mapped/data-" + number + ".parquet",
          FileFormat.PARQUET,
          100,
          10,
          4,
          96,
          7,
          0,
          Map.of(2, "eu"),
          List.of(1, 99),
          OptionalLong.of(11),
          OptionalInt.of(0),
          List.of(),
          List.of(0),
          Optional.of(partition));
    }

    @Override
    public ScanPlanMetrics metrics() {
      return new ScanPlanMetrics(0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public void close() {}
  }
}
