package io.fulmar.server;

import io.fulmar.server.command.FulmarCommand;
import io.fulmar.server.observe.Logging;

/** The program {@code fulmar}. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Logging.calm();
    if (arguments.length == 0 || !arguments[0].equals("serve")) {
      Logging.quiet();
    }
    System.exit(FulmarCommand.run(arguments));
  }
}
