package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.planner.dialect.ViewDialect;
import io.fulmar.planner.type.SqlTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.iceberg.types.Types;

/**
 * A view as Calcite sees it: columns with the names and types that the view promises, by position
 * over its query. A query whose types do not fit them is refused: the dialects then differ.
 */
final class ViewRelTable extends StatementTable {
  private final LoadedView view;
  private final QueryResolver.Resolved query;

  private ViewRelTable(LoadedView view, List<TableColumn> columns, QueryResolver.Resolved query) {
    super(columns);
    this.view = requireNonNull(view, "view is null");
    this.query = requireNonNull(query, "query is null");
  }

  static ViewRelTable of(
      LoadedView view,
      QueryResolver.Resolved query,
      ViewDialect dialect,
      RelDataTypeFactory types) {
    List<RelDataTypeField> given =
        query.validator().getValidatedNodeType(query.validated()).getFieldList();
    List<Types.NestedField> promised = view.schema().columns();
    if (given.size() != promised.size()) {
      throw new FulmarException(
          ErrorCode.SCHEMA_MISMATCH,
          "Its query gives %d columns, the view has %d".formatted(given.size(), promised.size()));
    }
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      columns.add(column(promised.get(i), given.get(i).getType(), types));
    }
    ViewRelTable table = new ViewRelTable(view, columns, query);
    ViewExpressions.check(query.convert().rel, dialect);
    return table;
  }

  private static TableColumn column(
      Types.NestedField promised, RelDataType given, RelDataTypeFactory types) {
    SqlTypes.Nullability nullability =
        given.isNullable() ? SqlTypes.Nullability.NULLABLE : SqlTypes.Nullability.REQUIRED;
    RelDataType type = SqlTypes.fromIceberg(types, promised.type(), nullability);
    if (!ViewTypes.fits(given, type)) {
      throw new FulmarException(
          ErrorCode.SCHEMA_MISMATCH,
          "Its column %s is %s in the view, and %s as its query is understood here"
              .formatted(promised.name(), type, given));
    }
    return new TableColumn(promised.name(), type, new TableColumn.SchemaField(promised.fieldId()));
  }

  @Override
  String displayName() {
    return view.displayName();
  }

  @Override
  List<String> path() {
    return Stream.of(
            Stream.of(view.catalog()),
            Stream.of(view.identifier().namespace().levels()),
            Stream.of(view.identifier().name()))
        .flatMap(part -> part)
        .toList();
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    RelNode rows = ViewExpressions.withoutPlaces(unordered(query.convert()).project());
    RexBuilder builder = rows.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < columns().size(); i++) {
      RexNode given = builder.makeInputRef(rows, i);
      RelDataType wanted = columns().get(i).type();
      columns.add(
          given.getType().equals(wanted) ? given : builder.makeCast(wanted, given, true, false));
    }
    return LogicalProject.create(
        rows, List.of(), columns, columns().stream().map(TableColumn::name).toList(), Set.of());
  }

  /** An order of all rows means nothing within a query. */
  private static RelRoot unordered(RelRoot root) {
    return root.rel instanceof Sort sort && sort.fetch == null && sort.offset == null
        ? root.withRel(sort.getInput()).withCollation(RelCollations.EMPTY)
        : root;
  }
}
