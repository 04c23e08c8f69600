package io.fulmar.engine;

import io.fulmar.engine.plan.AggregateCall;
import io.fulmar.engine.plan.AggregateFunction;
import io.fulmar.engine.plan.AggregateRel;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.DecimalType;
import io.fulmar.engine.plan.DeleteForm;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.Field;
import io.fulmar.engine.plan.HostScanRel;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.LiteralList;
import io.fulmar.engine.plan.Plan;
import io.fulmar.engine.plan.PlanVersion;
import io.fulmar.engine.plan.QuerySettings;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.SimpleType;
import io.fulmar.engine.plan.SortKey;
import io.fulmar.engine.plan.SortRel;
import io.fulmar.engine.plan.ValuesRel;
import java.util.List;

/** Plans over the columns {@code k} INT64, {@code t} STRING and {@code d} DECIMAL(38, 2). */
final class Plans {
  static final List<Field> COLUMNS =
      List.of(
          field("k", simple(SimpleType.INT64)),
          field("t", simple(SimpleType.STRING)),
          field("d", decimal(38, 2)));

  private Plans() {}

  static Rel hostScan(int scanId) {
    return Rel.newBuilder()
        .setHostScan(
            HostScanRel.newBuilder().setScanId(scanId).setTable("test.rows").addAllColumns(COLUMNS))
        .build();
  }

  static Rel values(long... numbers) {
    ValuesRel.Builder values =
        ValuesRel.newBuilder().addFields(field("n", simple(SimpleType.INT64)));
    for (long number : numbers) {
      values.addRows(LiteralList.newBuilder().addValues(Literal.newBuilder().setInteger(number)));
    }
    return Rel.newBuilder().setValues(values).build();
  }

  static Rel sortedByText(Rel input) {
    return Rel.newBuilder()
        .setSort(
            SortRel.newBuilder()
                .setInput(input)
                .addKeys(
                    SortKey.newBuilder()
                        .setExpr(
                            Expr.newBuilder().setType(simple(SimpleType.STRING)).setColumn(1))))
        .build();
  }

  /** {@code SUM(d), COUNT(*)}. */
  static Rel totals(Rel input) {
    DataType sum = decimal(38, 2);
    AggregateCall.Builder total =
        AggregateCall.newBuilder()
            .setFunction(AggregateFunction.SUM)
            .addArgs(Expr.newBuilder().setType(sum).setColumn(2))
            .setType(sum);
    AggregateCall.Builder count =
        AggregateCall.newBuilder()
            .setFunction(AggregateFunction.COUNT)
            .setType(simple(SimpleType.INT64));
    return Rel.newBuilder()
        .setAggregate(AggregateRel.newBuilder().setInput(input).addCalls(total).addCalls(count))
        .build();
  }

  static List<Field> totalFields() {
    return List.of(field("total", decimal(38, 2)), field("rows", simple(SimpleType.INT64)));
  }

  static Plan plan(Rel root, List<Field> output, long memoryLimit) {
    return Plan.newBuilder()
        .setVersion(PlanVersion.PLAN_VERSION_CURRENT_VALUE)
        .setRoot(root)
        .addAllOutput(output)
        .setSettings(
            QuerySettings.newBuilder()
                .setThreads(2)
                .setMemoryLimitBytes(memoryLimit)
                .setSpillLimitBytes(4L << 30)
                .setDeleteForm(DeleteForm.DELETE_FORM_AUTO)
                .setPruning(true)
                .setQueryId("test")
                .setSessionZone("UTC"))
        .build();
  }

  static Field field(String name, DataType type) {
    return Field.newBuilder().setName(name).setType(type).build();
  }

  static DataType simple(SimpleType type) {
    return DataType.newBuilder().setSimple(type).build();
  }

  static DataType decimal(int precision, int scale) {
    return DataType.newBuilder()
        .setDecimal(DecimalType.newBuilder().setPrecision(precision).setScale(scale))
        .build();
  }
}
