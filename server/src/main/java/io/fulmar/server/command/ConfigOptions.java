package io.fulmar.server.command;

import io.fulmar.server.config.ConfigLoader;
import io.fulmar.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of commands that start a server. */
final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Settings in YAML; without it the embedded catalog `lake` is served.")
  private Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "KEY=VALUE",
      description = "One setting, like --set server.port=32011; wins over the file.")
  private List<String> assignments = new ArrayList<>();

  /**
   * Loads the settings.
   *
   * @throws io.fulmar.server.config.ConfigException with all problems
   */
  ServerConfig load() {
    return ConfigLoader.load(Optional.ofNullable(file), assignments);
  }
}
