package io.fulmar.planner;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.scan.ScanOptions;
import io.fulmar.engine.plan.QuerySettings;
import java.util.Optional;

/**
 * What of the session a statement depends on.
 *
 * @param user the session's user, for CURRENT_USER
 * @param catalog the session's catalog: names of one or two parts are resolved in it
 * @param schema the session's schema, as it is written in SQL (levels joined by dots)
 * @param scanOptions settings of scan planning
 * @param querySettings sent with the plan; its time and zone also fold CURRENT_DATE and the like
 */
public record PlanningContext(
    String user,
    Optional<String> catalog,
    Optional<String> schema,
    ScanOptions scanOptions,
    QuerySettings querySettings) {
  public PlanningContext {
    requireNonNull(user, "user is null");
    requireNonNull(catalog, "catalog is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(scanOptions, "scanOptions is null");
    requireNonNull(querySettings, "querySettings is null");
  }
}
