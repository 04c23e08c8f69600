package io.fulmar.server.command;

import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.server.FulmarServer;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.demo.DemoWarehouse;
import io.fulmar.server.observe.ShutdownSignal;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.iceberg.catalog.SupportsNamespaces;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fulmar demo}. */
@Command(
    name = "demo",
    description = {
      "Make the demo tables once, serve them, and run a first query.",
      "The tables go to the first catalog: the embedded one, unless others are configured."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig config = options.load();
    ShutdownSignal signal = ShutdownSignal.install();
    PrintWriter out = spec.commandLine().getOut();
    try (FulmarServer server = FulmarServer.start(config)) {
      makeTables(server.catalogs().catalogs().get(0), out);
      runSample(server, out);
      explain(server, out);
      signal.await();
    } finally {
      signal.done();
    }
    return CommandLine.ExitCode.OK;
  }

  private static void makeTables(IcebergCatalog catalog, PrintWriter out) {
    if (!(catalog.icebergCatalog() instanceof SupportsNamespaces namespaces)) {
      throw new CommandException("Catalog " + catalog.name() + " has no schemas to put tables in");
    }

    DemoWarehouse warehouse = new DemoWarehouse(catalog.icebergCatalog(), namespaces);
    if (!warehouse.isComplete()) {
      print(out, "Making the demo tables in catalog " + catalog.name() + ", once:");
      warehouse.create(step -> print(out, "  " + step));
    }
  }

  private static void runSample(FulmarServer server, PrintWriter out) {
    print(out, "");
    print(out, DemoWarehouse.SAMPLE_QUERY);
    try (SqlClient client = SqlClient.connect(server.uri(), "demo")) {
      client.run(DemoWarehouse.SAMPLE_QUERY, new TablePrinter(out), ProgressLine.none());
    }
    out.flush();
  }

  private static void explain(FulmarServer server, PrintWriter out) {
    print(
        out,
        """

        Fulmar listens on %1$s. Ctrl-C ends it.

        JDBC     jdbc:arrow-flight-sql://%2$s/?useEncryption=false&user=demo&password=demo
                 (driver org.apache.arrow:flight-sql-jdbc-driver:18.3.0)

        Python   pip install adbc-driver-flightsql adbc-driver-manager pyarrow

                 import adbc_driver_flightsql.dbapi as fulmar
                 options = {"username": "demo", "password": "demo"}
                 with fulmar.connect("%1$s", db_kwargs=options) as connection:
                     with connection.cursor() as cursor:
                         cursor.execute("SELECT count(*) FROM demo.orders_cdc")
                         print(cursor.fetchall())

        Next     ./bin/fulmar sql 'SELECT * FROM demo.events LIMIT 10'
                 ./bin/fulmar sql 'EXPLAIN SELECT count(*) FROM demo.orders_cdc'
                 ./bin/fulmar sql 'SELECT * FROM demo."orders_cdc$delete_files"'
                 ./bin/fulmar sql 'SELECT * FROM system.runtime.queries'
        """
            .formatted(server.uri(), server.address()));
  }

  private static void print(PrintWriter out, String text) {
    out.println(text);
    out.flush();
  }
}
