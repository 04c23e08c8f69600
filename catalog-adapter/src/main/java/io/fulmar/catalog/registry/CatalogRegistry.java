package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configured catalogs. Safe for use by several threads. */
public final class CatalogRegistry implements AutoCloseable {
  private final Map<String, CatalogSlot> catalogs;

  private CatalogRegistry(Map<String, CatalogSlot> catalogs) {
    this.catalogs = catalogs;
  }

  /**
   * Opens all catalogs whose services answer; the others are tried again when they are asked for.
   *
   * @throws FulmarException INVALID_SETTING naming the catalog; then none is open
   */
  public static CatalogRegistry open(List<CatalogSettings> settings) {
    CatalogRegistry registry = new CatalogRegistry(new LinkedHashMap<>());
    try {
      for (CatalogSettings each : settings) {
        registry.add(each);
      }
      return registry;
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  /** In the order of the configuration. */
  public List<String> names() {
    return List.copyOf(catalogs.keySet());
  }

  /** Those that are open or can be, in the order of the configuration. */
  public List<IcebergCatalog> catalogs() {
    return catalogs.values().stream().flatMap(slot -> slot.tryOpen().stream()).toList();
  }

  /**
   * The catalog of that name, else the only one whose name differs by case alone.
   *
   * @throws FulmarException AMBIGUOUS_NAME where several do; CATALOG_FAILED where its service does
   *     not answer
   */
  public Optional<IcebergCatalog> find(String name) {
    return NameMatch.only(catalogs.values(), CatalogSlot::name, name).map(CatalogSlot::open);
  }

  /**
   * As {@link #find}.
   *
   * @throws FulmarException UNKNOWN_CATALOG
   */
  public IcebergCatalog require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new FulmarException(ErrorCode.UNKNOWN_CATALOG, "No catalog " + name + " exists")
                    .withHint("Configured: " + String.join(", ", names())));
  }

  @Override
  public void close() {
    Optional<RuntimeException> failure = Optional.empty();
    for (CatalogSlot catalog : catalogs.values()) {
      try {
        catalog.close();
      } catch (RuntimeException e) {
        failure = Optional.of(e);
      }
    }

    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void add(CatalogSettings settings) {
    if (catalogs.containsKey(settings.name())) {
      throw new FulmarException(
          ErrorCode.INVALID_SETTING, "Two catalogs are named " + settings.name());
    }
    CatalogSlot slot = new CatalogSlot(settings);
    slot.tryOpen();
    catalogs.put(settings.name(), slot);
  }
}
