package io.fulmar.server.statement;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.catalog.registry.ViewDefinition;
import io.fulmar.planner.Command;
import io.fulmar.server.session.Caller;
import java.util.Map;
import java.util.Optional;

/** Runs a command, once for each call. */
public final class CommandRunner {
  private static final long NO_ROWS = 0;

  private final CatalogRegistry catalogs;
  private final SessionOptions options;
  private final Procedures procedures;

  public CommandRunner(CatalogRegistry catalogs, SessionOptions options, Procedures procedures) {
    this.catalogs = requireNonNull(catalogs, "catalogs is null");
    this.options = requireNonNull(options, "options is null");
    this.procedures = requireNonNull(procedures, "procedures is null");
  }

  /**
   * Runs.
   *
   * @return the count of changed rows
   * @throws FulmarException blamed on the part of the statement that is at fault
   */
  public long run(Command command, Caller caller) {
    if (command instanceof Command.CreateSchema create) {
      positioned(create.position(), () -> createSchema(create));
    } else if (command instanceof Command.DropSchema drop) {
      positioned(drop.position(), () -> dropSchema(drop));
    } else if (command instanceof Command.CreateView create) {
      positioned(create.position(), () -> createView(create));
    } else if (command instanceof Command.DropView drop) {
      positioned(drop.position(), () -> dropView(drop));
    } else if (command instanceof Command.Use use) {
      use(use, caller);
    } else if (command instanceof Command.SetOption set) {
      positioned(
          set.position(), () -> options.set(caller.requireSession("SET"), set.key(), set.value()));
    } else if (command instanceof Command.ResetOption reset) {
      positioned(
          reset.position(), () -> options.reset(caller.requireSession("RESET"), reset.key()));
    } else if (command instanceof Command.Call call) {
      procedures.call(call);
    }
    return NO_ROWS;
  }

  private void createSchema(Command.CreateSchema create) {
    IcebergCatalog catalog = catalogs.require(create.catalog());
    boolean exists = catalog.namespaceExists(create.namespace());
    if (!exists) {
      catalog.createNamespace(create.namespace(), Map.of());
    } else if (create.ifExists() == Command.IfExists.FAIL) {
      throw new FulmarException(
          ErrorCode.DUPLICATE_SCHEMA,
          "Schema %s.%s exists".formatted(catalog.name(), create.namespace()));
    }
  }

  private void dropSchema(Command.DropSchema drop) {
    IcebergCatalog catalog = catalogs.require(drop.catalog());
    boolean exists = catalog.namespaceExists(drop.namespace());
    if (!exists && drop.ifExists() == Command.IfExists.SKIP) {
      return;
    }
    if (exists && !isEmpty(catalog, drop)) {
      throw new FulmarException(
          ErrorCode.SCHEMA_NOT_EMPTY,
          "Schema %s.%s still holds tables, views or schemas"
              .formatted(catalog.name(), drop.namespace()));
    }

    catalog.dropNamespace(drop.namespace());
  }

  private static boolean isEmpty(IcebergCatalog catalog, Command.DropSchema drop) {
    return catalog.tables(drop.namespace()).isEmpty()
        && catalog.views(drop.namespace()).isEmpty()
        && catalog.namespaces(drop.namespace()).isEmpty();
  }

  private void createView(Command.CreateView create) {
    IcebergCatalog catalog = catalogs.require(create.catalog());
    boolean exists = catalog.findView(create.view()).isPresent();
    if (exists && create.ifExists() == Command.IfViewExists.SKIP) {
      return;
    }
    catalog.createView(
        create.view(),
        create.definition(),
        create.ifExists() == Command.IfViewExists.REPLACE
            ? ViewDefinition.IfExists.REPLACE
            : ViewDefinition.IfExists.FAIL);
  }

  private void dropView(Command.DropView drop) {
    boolean dropped =
        catalogs.require(drop.catalog()).findView(drop.view()).isPresent()
            && catalogs.require(drop.catalog()).dropView(drop.view());
    if (!dropped && drop.ifExists() == Command.IfExists.FAIL) {
      throw new FulmarException(
          ErrorCode.UNKNOWN_TABLE, "No view %s.%s exists".formatted(drop.catalog(), drop.view()));
    }
  }

  private static void use(Command.Use use, Caller caller) {
    caller
        .requireSession("USE")
        .update(state -> state.withNamespace(Optional.of(use.catalog()), use.schema()));
  }

  private static void positioned(SourcePosition position, Runnable action) {
    try {
      action.run();
    } catch (FulmarException e) {
      throw e.position().isPresent() ? e : e.at(position);
    }
  }
}
