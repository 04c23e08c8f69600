package io.fulmar.server.command;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.config.ConfigException;
import io.fulmar.server.observe.BuildInfo;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code fulmar}. */
@Command(
    name = "fulmar",
    description = "An Arrow Flight SQL server for Apache Iceberg tables.",
    subcommands = {ServeCommand.class, SqlCommand.class, DemoCommand.class, CheckCommand.class},
    versionProvider = FulmarCommand.Version.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Start with: fulmar demo"})
public final class FulmarCommand {
  private FulmarCommand() {}

  /** Runs a command line; the exit code: 0 done, 1 failed, 2 not understood. */
  public static int run(String... arguments) {
    CommandLine commandLine = new CommandLine(new FulmarCommand());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setOut(utf8(System.out));
    commandLine.setErr(utf8(System.err));
    commandLine.setExecutionExceptionHandler(FulmarCommand::explain);
    return commandLine.execute(arguments);
  }

  /** Whatever the locale: rows may hold any text. */
  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private static int explain(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    if (failure instanceof ConfigException) {
      commandLine.getErr().println(failure.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    if (failure instanceof CommandException || failure instanceof FulmarException) {
      commandLine.getErr().println(text(failure));
      return CommandLine.ExitCode.SOFTWARE;
    }

    commandLine.getErr().println("fulmar failed: " + failure);
    failure.printStackTrace(commandLine.getErr());
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String text(Exception failure) {
    return failure instanceof FulmarException error
        ? error.getMessage() + error.hint().map(hint -> "\n" + hint).orElse("")
        : failure.getMessage();
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String java = System.getProperty("java.version");
      return new String[] {"fulmar " + BuildInfo.version(), "java " + java};
    }
  }
}
