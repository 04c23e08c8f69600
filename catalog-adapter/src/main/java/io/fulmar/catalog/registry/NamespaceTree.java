package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.jdbc.JdbcCatalog;

/** The namespaces of one catalog. */
final class NamespaceTree {
  private final String catalogName;
  private final Catalog catalog;

  NamespaceTree(String catalogName, Catalog catalog) {
    this.catalogName = catalogName;
    this.catalog = catalog;
  }

  List<Namespace> all() {
    List<Namespace> found = new ArrayList<>();
    collect(Namespace.empty(), found);
    return List.copyOf(found);
  }

  List<Namespace> children(Namespace parent) {
    try {
      return supported().listNamespaces(parent).stream()
          .sorted(Comparator.comparing(Namespace::toString))
          .toList();
    } catch (RuntimeException e) {
      throw CatalogErrors.of("Cannot list the namespaces of " + show(parent), e);
    }
  }

  boolean exists(Namespace namespace) {
    if (namespace.isEmpty()) {
      return true;
    }
    return attempt(
        "Cannot look up the namespace " + show(namespace),
        () -> supported().namespaceExists(namespace));
  }

  Optional<Namespace> findIgnoringCase(Namespace namespace) {
    if (exists(namespace)) {
      return Optional.of(namespace);
    }

    Namespace found = Namespace.empty();
    for (String level : namespace.levels()) {
      Namespace parent = found;
      Optional<Namespace> child =
          NameMatch.only(children(parent), each -> each.level(parent.length()), level);
      if (child.isEmpty()) {
        return Optional.empty();
      }
      found = child.get();
    }
    return Optional.of(found);
  }

  void create(Namespace namespace, Map<String, String> properties) {
    refuseDots(namespace);
    try {
      // Iceberg's REST client asks the map for null, which immutable maps refuse.
      supported().createNamespace(namespace, new HashMap<>(properties));
    } catch (AlreadyExistsException e) {
      throw new FulmarException(
          ErrorCode.DUPLICATE_SCHEMA, "The schema " + show(namespace) + " exists", e);
    } catch (RuntimeException e) {
      throw CatalogErrors.of("Cannot create the schema " + show(namespace), e);
    }
  }

  void drop(Namespace namespace) {
    boolean dropped =
        attempt(
            "Cannot drop the schema " + show(namespace),
            () -> supported().dropNamespace(namespace));
    if (!dropped) {
      throw unknown(namespace);
    }
  }

  FulmarException unknown(Namespace namespace) {
    return new FulmarException(
        ErrorCode.UNKNOWN_SCHEMA, "No schema " + show(namespace) + " exists");
  }

  private void collect(Namespace parent, List<Namespace> found) {
    for (Namespace child : children(parent)) {
      found.add(child);
      try {
        collect(child, found);
      } catch (FulmarException e) {
        if (!(e.getCause() instanceof NoSuchNamespaceException)) {
          throw e;
        }
        // Dropped since its parent was listed.
        found.remove(child);
      }
    }
  }

  /** The JDBC catalog joins levels by dots: a dot within one would make two of it. */
  private void refuseDots(Namespace namespace) {
    for (String level : namespace.levels()) {
      if (level.isEmpty() || (catalog instanceof JdbcCatalog && level.indexOf('.') >= 0)) {
        throw new FulmarException(
            ErrorCode.INVALID_ARGUMENT,
            "The catalog " + catalogName + " cannot hold a schema named \"" + level + "\"");
      }
    }
  }

  private SupportsNamespaces supported() {
    if (catalog instanceof SupportsNamespaces supported) {
      return supported;
    }
    throw new FulmarException(
        ErrorCode.CATALOG_FAILED, "The catalog " + catalogName + " has no namespaces");
  }

  private <T> T attempt(String what, Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException e) {
      throw CatalogErrors.of(what, e);
    }
  }

  private String show(Namespace namespace) {
    return namespace.isEmpty() ? catalogName : catalogName + "." + namespace;
  }
}
