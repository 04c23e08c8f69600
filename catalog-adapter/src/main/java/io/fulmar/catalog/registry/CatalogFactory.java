package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;

/** Makes the Iceberg catalog that settings describe. */
final class CatalogFactory {
  private static final String JDBC = "org.apache.iceberg.jdbc.JdbcCatalog";
  private static final String SQLITE = "jdbc:sqlite:";

  private CatalogFactory() {}

  /**
   * @param properties with which the catalog's {@link MappedFileIO} was made
   * @param scratch a folder that goes when the catalog is closed
   */
  record OpenCatalog(Catalog catalog, Map<String, String> properties, Optional<Path> scratch) {}

  static OpenCatalog open(CatalogSettings settings) {
    Map<String, String> properties = new HashMap<>(settings.properties());
    Optional.ofNullable(properties.remove(CatalogProperties.FILE_IO_IMPL))
        .filter(impl -> !impl.equals(MappedFileIO.class.getName()))
        .ifPresent(impl -> properties.put(MappedFileIO.REMOTE_IO_IMPL, impl));
    properties.put(CatalogProperties.FILE_IO_IMPL, MappedFileIO.class.getName());
    properties.putAll(PathMapping.of(settings.pathMapping()).toProperties());

    Optional<Path> scratch = scratch(settings, properties);
    String implementation = implementation(settings, properties);
    try {
      Catalog catalog =
          CatalogUtil.loadCatalog(implementation, settings.name(), properties, new Configuration());
      return new OpenCatalog(catalog, properties, scratch);
    } catch (RuntimeException e) {
      throw CatalogErrors.of("Cannot open the catalog " + settings.name(), e);
    }
  }

  private static String implementation(CatalogSettings settings, Map<String, String> properties) {
    return switch (settings.type()) {
      case "jdbc" -> jdbc(settings, properties);
      case "in-memory" -> inMemory(properties);
      case "rest" -> "org.apache.iceberg.rest.RESTCatalog";
      case "hadoop" -> hadoop(settings, properties);
      default -> className(settings);
    };
  }

  private static String jdbc(CatalogSettings settings, Map<String, String> properties) {
    String uri = required(settings, properties, CatalogProperties.URI);
    required(settings, properties, CatalogProperties.WAREHOUSE_LOCATION);
    properties.putIfAbsent("jdbc.schema-version", "V1");
    if (uri.startsWith(SQLITE)) {
      properties.putIfAbsent("jdbc.busy_timeout", "30000");
      createFolder(settings, uri.substring(SQLITE.length()));
    }
    return JDBC;
  }

  /** One connection to a database that lives as long as it does. */
  private static String inMemory(Map<String, String> properties) {
    properties.put(CatalogProperties.URI, SQLITE + ":memory:");
    properties.put(CatalogProperties.CLIENT_POOL_SIZE, "1");
    properties.put("jdbc.schema-version", "V1");
    return JDBC;
  }

  private static String hadoop(CatalogSettings settings, Map<String, String> properties) {
    required(settings, properties, CatalogProperties.WAREHOUSE_LOCATION);
    return "org.apache.iceberg.hadoop.HadoopCatalog";
  }

  private static String className(CatalogSettings settings) {
    if (settings.type().indexOf('.') > 0) {
      try {
        Class.forName(settings.type());
        return settings.type();
      } catch (ClassNotFoundException e) {
        throw new FulmarException(
            ErrorCode.INVALID_SETTING,
            "Catalog %s wants the class %s, which is not there"
                .formatted(settings.name(), settings.type()),
            e);
      }
    }

    throw new FulmarException(
            ErrorCode.INVALID_SETTING,
            "Catalog " + settings.name() + " has the unknown type " + settings.type())
        .withHint("Use jdbc, rest, hadoop, in-memory or the class name of an Iceberg catalog.");
  }

  private static String required(
      CatalogSettings settings, Map<String, String> properties, String key) {
    return Optional.ofNullable(properties.get(key))
        .filter(value -> !value.isBlank())
        .orElseThrow(
            () ->
                new FulmarException(
                    ErrorCode.INVALID_SETTING,
                    "Catalog " + settings.name() + " needs the property " + key));
  }

  private static void createFolder(CatalogSettings settings, String database) {
    String file = database.startsWith("file:") ? database.substring("file:".length()) : database;
    int query = file.indexOf('?');
    Path parent = Path.of(query < 0 ? file : file.substring(0, query)).toAbsolutePath().getParent();
    if (file.isEmpty() || file.startsWith(":") || parent == null) {
      return;
    }

    try {
      Files.createDirectories(parent);
    } catch (IOException e) {
      throw new FulmarException(
          ErrorCode.CATALOG_FAILED,
          "Cannot create the folder " + parent + " of the catalog " + settings.name(),
          e);
    }
  }

  /** A catalog in memory that names no warehouse gets one that lives as long as it does. */
  private static Optional<Path> scratch(CatalogSettings settings, Map<String, String> properties) {
    if (!settings.type().equals("in-memory")
        || properties.containsKey(CatalogProperties.WAREHOUSE_LOCATION)) {
      return Optional.empty();
    }

    try {
      Path folder = Files.createTempDirectory("fulmar-" + settings.name() + "-");
      properties.put(CatalogProperties.WAREHOUSE_LOCATION, "file:" + folder);
      return Optional.of(folder);
    } catch (IOException e) {
      throw new FulmarException(
          ErrorCode.CATALOG_FAILED, "Cannot create a folder for catalog " + settings.name(), e);
    }
  }
}
