package io.fulmar.planner.validate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlQualified;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorTable;

/** Calcite's validator, with columns that {@code *} leaves out. */
final class FulmarValidator extends SqlValidatorImpl {
  private final boolean hasHiddenColumns;

  FulmarValidator(
      SqlOperatorTable operators,
      StatementCatalog catalog,
      RelDataTypeFactory types,
      Config config,
      boolean hasHiddenColumns) {
    super(operators, catalog, types, config);
    this.hasHiddenColumns = hasHiddenColumns;
  }

  /** Calcite calls it for what {@code *} stands for, and for nothing else. */
  @Override
  protected void addToSelectList(
      List<SqlNode> list,
      Set<String> aliases,
      List<Map.Entry<String, RelDataType>> fields,
      SqlNode expression,
      SelectScope scope,
      boolean includeSystemVars) {
    if (!hasHiddenColumns || !isHidden(expression, scope)) {
      super.addToSelectList(list, aliases, fields, expression, scope, includeSystemVars);
    }
  }

  private static boolean isHidden(SqlNode expression, SelectScope scope) {
    if (!(expression instanceof SqlIdentifier identifier) || identifier.names.size() != 2) {
      return false;
    }
    SqlQualified qualified = scope.fullyQualify(identifier);
    SqlValidatorTable table = qualified.namespace == null ? null : qualified.namespace.getTable();
    StatementTable known = table == null ? null : table.unwrap(StatementTable.class);
    if (known == null) {
      return false;
    }
    RelDataTypeField field = table.getRowType().getField(identifier.names.get(1), true, false);
    return field != null && known.isHidden(field.getIndex());
  }
}
