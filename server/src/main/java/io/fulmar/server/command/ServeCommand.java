package io.fulmar.server.command;

import io.fulmar.server.FulmarServer;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.observe.ShutdownSignal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fulmar serve}. */
@Command(
    name = "serve",
    description = "Serve the configured catalogs until Ctrl-C.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  fulmar serve",
      "  fulmar serve --config fulmar.yaml --set memory.process-limit=4GB"
    })
final class ServeCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig config = options.load();
    ShutdownSignal signal = ShutdownSignal.install();
    try (FulmarServer server = FulmarServer.start(config)) {
      spec.commandLine().getOut().println("Fulmar listens on " + server.uri());
      spec.commandLine().getOut().flush();
      signal.await();
    } finally {
      signal.done();
    }
    return CommandLine.ExitCode.OK;
  }
}
