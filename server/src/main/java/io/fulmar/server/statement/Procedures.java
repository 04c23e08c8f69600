package io.fulmar.server.statement;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.Command;
import io.fulmar.server.config.Suggestions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All procedures, by name. */
public final class Procedures {
  private final Map<String, Procedure> byName;

  Procedures(List<Procedure> procedures) {
    this.byName =
        procedures.stream().collect(Collectors.toMap(Procedure::name, Function.identity()));
  }

  /** The procedures of a server. */
  public static Procedures standard(CatalogRegistry catalogs) {
    return new Procedures(List.of(Registration.ofTables(catalogs), Registration.ofViews(catalogs)));
  }

  /**
   * Runs a procedure.
   *
   * @throws FulmarException UNKNOWN_PROCEDURE, INVALID_ARGUMENT, or what the procedure throws
   */
  void call(Command.Call call) {
    Procedure procedure = byName.get(normal(call.procedure()));
    if (procedure == null) {
      throw unknown(call);
    }

    ProcedureArguments arguments = ProcedureArguments.of(procedure, call);
    try {
      procedure.action().accept(arguments);
    } catch (FulmarException e) {
      throw e.position().isPresent() ? e : e.at(call.position());
    }
  }

  /** The schema may be left out. */
  private static String normal(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.indexOf('.') < 0 ? "system." + lower : lower;
  }

  private FulmarException unknown(Command.Call call) {
    FulmarException error =
        new FulmarException(
                ErrorCode.UNKNOWN_PROCEDURE, "No procedure " + call.procedure() + " exists")
            .at(call.position());
    String hint =
        Suggestions.closest(normal(call.procedure()), byName.keySet())
            .map(found -> "Did you mean " + found + "?")
            .orElse("Known: " + String.join(", ", byName.keySet().stream().sorted().toList()));
    return error.withHint(hint);
  }
}
