package io.fulmar.server.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.Command;
import io.fulmar.server.config.ConfigLoader;
import io.fulmar.server.config.DeleteForm;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.Settings;
import io.fulmar.server.session.Caller;
import io.fulmar.server.session.Session;
import io.fulmar.server.session.SessionLimits;
import io.fulmar.server.session.Sessions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionOptionsTest {
  private static final SourcePosition POSITION = new SourcePosition(1, 5, 1, 9, "x");

  private final ServerConfig config =
      ConfigLoader.load(
          Optional.empty(),
          List.of(
              "memory.process-limit=4GB",
              "catalogs.one.type=in-memory",
              "catalogs.two.type=in-memory"));
  private final CatalogRegistry catalogs = CatalogRegistry.open(config.catalogs());
  private final SessionOptions options = new SessionOptions(catalogs, config);
  private final Session session =
      new Sessions(new SessionLimits(9, 9, Duration.ofHours(1))).open("ada").session();
  private final CommandRunner runner =
      new CommandRunner(catalogs, options, Procedures.standard(catalogs));

  @AfterEach
  void close() {
    catalogs.close();
  }

  @Test
  void setsAndResetsSettings() {
    options.set(session, "scan.delete_form", " Merge ");
    assertEquals(DeleteForm.MERGE, session.state().overrides().get(Settings.SCAN_DELETE_FORM));
    assertEquals("merge", options.all(session.state()).get("scan.delete-form"));

    options.reset(session, "scan.delete-form");
    assertEquals("auto", options.all(session.state()).get("scan.delete-form"));
  }

  @Test
  void refusesUnknownNamesWithAHint() {
    FulmarException error =
        assertThrows(FulmarException.class, () -> options.set(session, "scan.delete-from", "auto"));

    assertEquals(ErrorCode.UNKNOWN_SETTING, error.code());
    assertEquals(Optional.of("Did you mean scan.delete-form?"), error.hint());
  }

  @Test
  void refusesSettingsOfTheServer() {
    FulmarException error =
        assertThrows(FulmarException.class, () -> options.set(session, "server.port", "1"));

    assertEquals("server.port cannot be changed for a session", error.getMessage());
  }

  @Test
  void refusesValuesThatDoNotFit() {
    FulmarException error =
        assertThrows(FulmarException.class, () -> options.set(session, "engine.threads", "none"));

    assertEquals(ErrorCode.INVALID_SETTING, error.code());
    assertEquals("engine.threads is 'none', which is not a whole number", error.getMessage());
  }

  @Test
  void refusesAQueryLimitThatTheProcessDoesNotHave() {
    FulmarException error =
        assertThrows(
            FulmarException.class, () -> options.set(session, "memory.query-limit", "64GB"));

    assertEquals(ErrorCode.INVALID_SETTING, error.code());
    assertTrue(error.hint().orElse("").contains("memory.process-limit"), error.toString());
  }

  @Test
  void catalogAndSchemaAreOptionsToo() {
    catalogs.require("two").createNamespace(Namespace.of("Sales"), Map.of());

    options.set(session, "catalog", "two");
    options.set(session, "schema", "sales");

    assertEquals(Optional.of("two"), session.state().catalog());
    assertEquals(Optional.of("Sales"), session.state().schema());
    assertEquals("Sales", options.all(session.state()).get("schema"));
    options.set(session, "catalog", "one");
    assertEquals(Optional.empty(), session.state().schema());
    assertThrows(FulmarException.class, () -> options.set(session, "catalog", "three"));
    assertThrows(FulmarException.class, () -> options.set(session, "schema", "sales"));
  }

  @Test
  void theFirstCatalogIsTheDefault() {
    assertEquals("one", options.all(session.state()).get("catalog"));
    assertFalse(options.all(session.state()).containsKey("schema"));
  }

  @Test
  void createsAndDropsSchemas() {
    Namespace namespace = Namespace.of("a");
    run(new Command.CreateSchema("one", namespace, Command.IfExists.FAIL, POSITION));
    run(new Command.CreateSchema("one", namespace, Command.IfExists.SKIP, POSITION));
    assertTrue(catalogs.require("one").namespaceExists(namespace));

    assertFails(
        ErrorCode.DUPLICATE_SCHEMA,
        new Command.CreateSchema("one", namespace, Command.IfExists.FAIL, POSITION));
    run(new Command.DropSchema("one", namespace, Command.IfExists.FAIL, POSITION));
    run(new Command.DropSchema("one", namespace, Command.IfExists.SKIP, POSITION));
    assertFails(
        ErrorCode.UNKNOWN_SCHEMA,
        new Command.DropSchema("one", namespace, Command.IfExists.FAIL, POSITION));
  }

  @Test
  void aSchemaThatHoldsOthersIsNotDropped() {
    catalogs.require("one").createNamespace(Namespace.of("a"), Map.of());
    catalogs.require("one").createNamespace(Namespace.of("a", "b"), Map.of());

    assertFails(
        ErrorCode.SCHEMA_NOT_EMPTY,
        new Command.DropSchema("one", Namespace.of("a"), Command.IfExists.SKIP, POSITION));
  }

  @Test
  void sessionCommandsNeedASession() {
    Command use = new Command.Use("one", Optional.empty());
    FulmarException error =
        assertThrows(FulmarException.class, () -> runner.run(use, Caller.anonymous()));

    assertEquals(ErrorCode.NO_SESSION, error.code());
    run(use);
    assertEquals(Optional.of("one"), session.state().catalog());
  }

  @Test
  void unknownProceduresAndArgumentsAreBlamed() {
    assertEquals(
        Optional.of("Did you mean system.register_table?"),
        assertFails(ErrorCode.UNKNOWN_PROCEDURE, call("system.registr_table")).hint());
    assertEquals(
        Optional.of("Call system.register_table(catalog, namespace, table, metadata_location)."),
        assertFails(ErrorCode.INVALID_ARGUMENT, call("register_table", "one")).hint());
    assertFails(ErrorCode.INVALID_ARGUMENT, call("register_table", "one", "a", "b", "c", "d"));
    assertFails(ErrorCode.INVALID_ARGUMENT, call("register_table", "one", "a", 7L, "c"));
    assertFails(ErrorCode.UNKNOWN_SCHEMA, call("register_table", "one", "a", "b", "file:/none"));
  }

  private void run(Command command) {
    assertEquals(0, runner.run(command, Caller.of(session)));
  }

  private FulmarException assertFails(ErrorCode code, Command command) {
    FulmarException error =
        assertThrows(FulmarException.class, () -> runner.run(command, Caller.of(session)));
    assertEquals(code, error.code(), error.toString());
    assertEquals(Optional.of(POSITION), error.position());
    return error;
  }

  private static Command call(String procedure, Object... values) {
    List<Command.Argument> arguments =
        List.of(values).stream()
            .map(value -> new Command.Argument(Optional.empty(), Optional.of(value), POSITION))
            .toList();
    return new Command.Call(procedure, arguments, POSITION);
  }
}
