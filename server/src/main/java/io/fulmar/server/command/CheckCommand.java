package io.fulmar.server.command;

import io.fulmar.server.FulmarServer;
import io.fulmar.server.config.ConfigLoader;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.demo.CheckTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.SupportsNamespaces;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fulmar check}. */
@Command(
    name = "check",
    description = {
      "Check this installation: make a small table with deletes in a temporary folder,",
      "serve it, query it, and compare the rows."
    },
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("fulmar-check");
    try {
      String rows = ask(config(folder));
      if (!rows.equals(CheckTable.ANSWER)) {
        throw new CommandException(
            "The check gave other rows than expected.\nExpected:\n"
                + CheckTable.ANSWER
                + "Got:\n"
                + rows);
      }
    } finally {
      remove(folder);
    }
    spec.commandLine().getOut().println("Fulmar works here.");
    return CommandLine.ExitCode.OK;
  }

  private static ServerConfig config(Path folder) {
    return ConfigLoader.load(
        Optional.empty(), List.of("server.port=0", "server.home=" + folder.toAbsolutePath()));
  }

  private static String ask(ServerConfig config) {
    StringWriter text = new StringWriter();
    try (FulmarServer server = FulmarServer.start(config)) {
      if (!(server.catalogs().catalogs().get(0).icebergCatalog()
          instanceof SupportsNamespaces namespaces)) {
        throw new CommandException("The embedded catalog has no schemas");
      }
      CheckTable.create(server.catalogs().catalogs().get(0).icebergCatalog(), namespaces);
      try (SqlClient client = SqlClient.connect(server.uri(), "check")) {
        client.run(CheckTable.QUERY, new CsvPrinter(new PrintWriter(text)), ProgressLine.none());
      }
    }
    return text.toString().replace("\r\n", "\n");
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
