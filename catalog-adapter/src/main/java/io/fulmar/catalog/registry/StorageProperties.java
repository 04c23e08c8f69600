package io.fulmar.catalog.registry;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.StorageCredential;
import org.apache.iceberg.io.SupportsStorageCredentials;

/** What a reader outside Java needs to open a table's files: never a catalog's own secrets. */
final class StorageProperties {
  private static final List<String> PREFIXES =
      List.of("s3.", "client.", "gcs.", "adls.", "http-client.");

  private StorageProperties() {}

  /** The properties of a FileIO, overridden by the credentials for the longest prefix. */
  static Map<String, String> of(FileIO io, String tableLocation) {
    Map<String, String> found = new LinkedHashMap<>();
    addAll(io.properties(), found);
    if (io instanceof SupportsStorageCredentials vended) {
      vended.credentials().stream()
          .filter(credential -> tableLocation.startsWith(credential.prefix()))
          .sorted(Comparator.comparingInt((StorageCredential each) -> each.prefix().length()))
          .forEach(credential -> addAll(credential.config(), found));
    }
    return Map.copyOf(found);
  }

  private static void addAll(Map<String, String> properties, Map<String, String> found) {
    properties.forEach(
        (key, value) -> {
          if (PREFIXES.stream().anyMatch(key::startsWith)) {
            found.put(key, value);
          }
        });
  }
}
