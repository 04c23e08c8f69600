package io.fulmar.it.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The golden sample on the images of docker-compose.yml (MinIO and Iceberg's REST catalog) and in
 * PostgreSQL's image. Skipped, saying so, where no Docker is; RestCatalogTest, ObjectStoreTest and
 * JdbcCatalogTest ask the same of servers that need none.
 */
@Testcontainers(disabledWithoutDocker = true)
class ContainersTest {
  private static final GoldenSample SAMPLE = GoldenSample.of(GoldenSample.CASES);
  private static final String USER = "fulmar";
  private static final String PASSWORD = "fulmar-secret";
  private static final Network NETWORK = Network.newNetwork();

  @Container
  private static final GenericContainer<?> STORE =
      new GenericContainer<>("minio/minio:RELEASE.2025-04-22T22-12-26Z")
          .withNetwork(NETWORK)
          .withNetworkAliases("store")
          .withEnv("MINIO_ROOT_USER", USER)
          .withEnv("MINIO_ROOT_PASSWORD", PASSWORD)
          .withCommand("server", "/data")
          .withExposedPorts(9000)
          .waitingFor(Wait.forHttp("/minio/health/ready").forPort(9000));

  @Container
  private static final GenericContainer<?> REST =
      new GenericContainer<>("apache/iceberg-rest-fixture:1.10.0")
          .dependsOn(STORE)
          .withNetwork(NETWORK)
          .withEnv("AWS_REGION", "us-east-1")
          .withEnv("CATALOG_WAREHOUSE", "s3://fixtures/warehouse")
          .withEnv("CATALOG_IO__IMPL", "org.apache.iceberg.aws.s3.S3FileIO")
          .withEnv("CATALOG_S3_ENDPOINT", "http://store:9000")
          .withEnv("CATALOG_S3_PATH__STYLE__ACCESS", "true")
          .withEnv("CATALOG_S3_ACCESS__KEY__ID", USER)
          .withEnv("CATALOG_S3_SECRET__ACCESS__KEY", PASSWORD)
          .withExposedPorts(8181)
          .waitingFor(Wait.forHttp("/v1/config").forPort(8181));

  @Container
  private static final GenericContainer<?> POSTGRES =
      new GenericContainer<>("postgres:17")
          .withEnv("POSTGRES_PASSWORD", PASSWORD)
          .withExposedPorts(5432)
          .waitingFor(Wait.forLogMessage(".*ready to accept connections.*", 2));

  @TempDir private Path folder;

  @BeforeAll
  static void upload() throws IOException {
    try (S3Client client =
            S3Client.builder()
                .endpointOverride(URI.create(storeEndpoint()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(
                    StaticCredentialsProvider.create(AwsBasicCredentials.create(USER, PASSWORD)))
                .build();
        Stream<Path> paths = Files.walk(GoldenFixtures.folder())) {
      client.createBucket(request -> request.bucket("fixtures"));
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        Path key = GoldenFixtures.folder().relativize(path);
        if (GoldenSample.CASES.contains(key.getName(0).toString())) {
          client.putObject(request -> request.bucket("fixtures").key(key.toString()), path);
        }
      }
    }
  }

  @Test
  void restCatalogOnMinio() {
    check(
        """
        catalogs:
          lake:
            type: rest
            properties:
              uri: "http://%s:%d"
        """
                .formatted(REST.getHost(), REST.getMappedPort(8181))
            + storeProperties());
  }

  @Test
  void jdbcCatalogInPostgresOnMinio() {
    check(
        """
        catalogs:
          lake:
            type: jdbc
            properties:
              uri: "jdbc:postgresql://%s:%d/postgres"
              jdbc.user: postgres
              jdbc.password: %s
              warehouse: "s3://fixtures/postgres"
        """
                .formatted(POSTGRES.getHost(), POSTGRES.getMappedPort(5432), PASSWORD)
            + storeProperties());
  }

  private void check(String catalogs) {
    try (ServerProcess server = ServerProcess.start(folder, catalogs, List.of());
        JdbcClient client = JdbcClient.connect(server.port(), "containers")) {
      SAMPLE.register(client, "lake");
      assertEquals("", String.join("\n", SAMPLE.problems(client, "lake")));
    }
  }

  private static String storeProperties() {
    return """
              s3.endpoint: "%s"
              s3.path-style-access: "true"
              s3.access-key-id: %s
              s3.secret-access-key: %s
              client.region: us-east-1
        """
        .formatted(storeEndpoint(), USER, PASSWORD);
  }

  private static String storeEndpoint() {
    return "http://" + STORE.getHost() + ":" + STORE.getMappedPort(9000);
  }
}
