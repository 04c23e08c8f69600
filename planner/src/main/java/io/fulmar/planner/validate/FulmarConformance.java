package io.fulmar.planner.validate;

import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/**
 * Which liberties the language takes. Grouping stays strict: a column that is neither grouped nor
 * aggregated is an error, not some value of the group.
 */
public final class FulmarConformance extends SqlDelegatingConformance {
  public static final FulmarConformance INSTANCE = new FulmarConformance();

  private FulmarConformance() {
    super(SqlConformanceEnum.LENIENT);
  }

  @Override
  public boolean isNonStrictGroupBy() {
    return false;
  }

  @Override
  public SelectAliasLookup isSelectAlias() {
    return SelectAliasLookup.UNSUPPORTED;
  }

  /** An alias in GROUP BY stands for its expression only where no column has that name. */
  @Override
  public boolean isGroupByAlias() {
    return true;
  }

  @Override
  public boolean isGroupByOrdinal() {
    return true;
  }

  @Override
  public boolean isHavingAlias() {
    return true;
  }

  @Override
  public boolean allowGeometry() {
    return false;
  }

  @Override
  public boolean allowLenientCoercion() {
    return false;
  }
}
