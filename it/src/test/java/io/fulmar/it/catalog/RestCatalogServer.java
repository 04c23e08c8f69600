package io.fulmar.it.catalog;

import io.fulmar.it.server.ServerProcess;
import io.fulmar.it.store.S3Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Iceberg's own REST catalog server over SQLite, in a process of its own. It holds the store's key
 * and gives it out with each table.
 */
final class RestCatalogServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final URI uri;

  private RestCatalogServer(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  static RestCatalogServer start(Path folder, int port, S3Store store) {
    try {
      Files.createDirectories(folder);
      ProcessBuilder builder =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Xmx256m",
                      "-cp",
                      System.getProperty("java.class.path"),
                      "org.apache.iceberg.rest.RESTCatalogServer"))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("rest.log").toFile());
      builder.environment().putAll(environment(folder, port, store));
      Process process = builder.start();
      RestCatalogServer server =
          new RestCatalogServer(process, URI.create("http://127.0.0.1:" + port));
      server.awaitReady(folder.resolve("rest.log"));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the server reads it: two underscores are a hyphen, one is a dot. */
  private static Map<String, String> environment(Path folder, int port, S3Store store) {
    return Map.ofEntries(
        Map.entry("CATALOG_REST_PORT", String.valueOf(port)),
        Map.entry("CATALOG_URI", "jdbc:sqlite:" + folder.toAbsolutePath() + "/rest.db"),
        Map.entry("CATALOG_JDBC_SCHEMA__VERSION", "V1"),
        Map.entry("CATALOG_WAREHOUSE", "s3://fixtures/warehouse"),
        Map.entry("CATALOG_IO__IMPL", "org.apache.iceberg.aws.s3.S3FileIO"),
        Map.entry("CATALOG_S3_ENDPOINT", store.endpoint()),
        Map.entry("CATALOG_S3_PATH__STYLE__ACCESS", "true"),
        Map.entry("CATALOG_S3_ACCESS__KEY__ID", store.key()),
        Map.entry("CATALOG_S3_SECRET__ACCESS__KEY", store.secret()),
        Map.entry("AWS_REGION", "us-east-1"),
        Map.entry("CATALOG_INCLUDE__CREDENTIALS", "true"));
  }

  URI uri() {
    return uri;
  }

  private void awaitReady(Path log) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/v1/config")).build();
    HttpClient client = HttpClient.newHttpClient();
    Instant limit = Instant.now().plus(START_LIMIT);
    while (Instant.now().isBefore(limit) && process.isAlive()) {
      try {
        if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
    process.destroyForcibly();
    throw new IOException("No REST catalog:\n" + Files.readString(log));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ServerProcess.stop(process);
  }
}
