package io.fulmar.server.command;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fulmar sql}. */
@Command(
    name = "sql",
    description = {
      "Run statements on a Flight SQL server and print their rows.",
      "Statements end with a semicolon; without an argument they are read from standard input.",
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit code: 0 all statements ran, 1 one failed (its error is on standard error), 2 not"
          + " understood.",
      "",
      "Examples:",
      "  fulmar sql 'SELECT * FROM demo.events LIMIT 10'",
      "  fulmar sql --format csv < report.sql > report.csv"
    })
final class SqlCommand implements Callable<Integer> {
  @Option(
      names = {"-u", "--url"},
      paramLabel = "URL",
      defaultValue = "grpc://127.0.0.1:32010",
      description = "The server, default ${DEFAULT-VALUE}; grpc+tls:// for TLS.")
  private String url;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "User name, default the one of the operating system.")
  private String user = System.getProperty("user.name");

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private Format format;

  @Parameters(arity = "0..1", paramLabel = "SQL", description = "One or more statements.")
  private String sql;

  @Spec private CommandSpec spec;

  /** How rows are printed. */
  enum Format {
    TABLE,
    CSV,
    JSON;

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Integer call() throws IOException {
    String text = sql == null ? readStandardInput() : sql;
    List<String> statements = StatementSplitter.split(text);
    if (statements.isEmpty()) {
      throw new CommandLine.ParameterException(spec.commandLine(), "There is no statement");
    }

    PrintWriter out = spec.commandLine().getOut();
    try (SqlClient client = SqlClient.connect(url, user)) {
      for (String statement : statements) {
        client.run(statement, printer(out), ProgressLine.onTerminal(spec.commandLine().getErr()));
        out.flush();
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private ResultPrinter printer(PrintWriter out) {
    return switch (format) {
      case TABLE -> new TablePrinter(out);
      case CSV -> new CsvPrinter(out);
      case JSON -> new JsonPrinter(out);
    };
  }

  private static String readStandardInput() throws IOException {
    StringWriter text = new StringWriter();
    try (Reader reader = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
      reader.transferTo(text);
    }
    return text.toString();
  }
}
