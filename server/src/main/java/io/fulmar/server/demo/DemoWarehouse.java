package io.fulmar.server.demo;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Consumer;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Makes the demo tables once: {@code demo.orders_cdc} (equality deletes), {@code demo.events}
 * (position deletes), {@code demo.events_v3} (deletion vectors), {@code demo.readings} (evolved
 * schema and spec), and TPC-H at scale 0.1 in {@code tpch}.
 */
public final class DemoWarehouse {
  /** The query that the demo runs first. */
  public static final String SAMPLE_QUERY =
      "SELECT state, count(*) AS orders, sum(amount) AS total FROM demo.orders_cdc GROUP BY state ORDER BY state";

  private static final Namespace DEMO = Namespace.of("demo");
  private static final Namespace TPCH = Namespace.of("tpch");
  private static final Namespace COMPLETE = Namespace.of("demo", "complete");
  private static final double SCALE_FACTOR = 0.1;

  private final Catalog catalog;
  private final SupportsNamespaces namespaces;

  /**
   * @param catalog where the tables go
   * @param namespaces the same catalog
   */
  public DemoWarehouse(Catalog catalog, SupportsNamespaces namespaces) {
    this.catalog = requireNonNull(catalog, "catalog is null");
    this.namespaces = requireNonNull(namespaces, "namespaces is null");
  }

  /** Whether all tables were made; the mark is written last. */
  public boolean isComplete() {
    return namespaces.namespaceExists(COMPLETE);
  }

  /** Makes what an earlier, interrupted run left out or unfinished; reports each step. */
  public void create(Consumer<String> progress) {
    dropUnfinished();
    namespaces.createNamespace(DEMO);
    namespaces.createNamespace(TPCH);
    OrdersCdc.create(catalog, TableIdentifier.of(DEMO, "orders_cdc"), progress);
    Events.createWithPositionDeletes(catalog, TableIdentifier.of(DEMO, "events"));
    progress.accept("demo.events");
    Events.createWithDeletionVectors(catalog, TableIdentifier.of(DEMO, "events_v3"));
    progress.accept("demo.events_v3");
    Evolved.create(catalog, TableIdentifier.of(DEMO, "readings"));
    progress.accept("demo.readings");
    Tpch.create(catalog, TPCH, SCALE_FACTOR, progress);
    namespaces.createNamespace(COMPLETE);
  }

  private void dropUnfinished() {
    for (Namespace namespace : List.of(DEMO, TPCH)) {
      if (namespaces.namespaceExists(namespace)) {
        catalog.listTables(namespace).forEach(table -> catalog.dropTable(table, true));
        namespaces.dropNamespace(namespace);
      }
    }
  }
}
