package io.fulmar.server.statement;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Arguments of a CALL, by the procedure's parameters: given by position or by name. */
final class ProcedureArguments {
  private final Map<String, Object> values = new LinkedHashMap<>();

  private ProcedureArguments() {}

  /**
   * Matches arguments with parameters.
   *
   * @throws FulmarException INVALID_ARGUMENT at the argument at fault
   */
  static ProcedureArguments of(Procedure procedure, Command.Call call) {
    ProcedureArguments arguments = new ProcedureArguments();
    int position = 0;
    for (Command.Argument argument : call.arguments()) {
      Procedure.Parameter parameter = parameter(procedure, argument, position++);
      arguments.put(procedure, parameter, argument);
    }
    List<String> missing =
        procedure.parameters().stream()
            .map(Procedure.Parameter::name)
            .filter(name -> !arguments.values.containsKey(name))
            .toList();
    if (!missing.isEmpty()) {
      throw new FulmarException(
              ErrorCode.INVALID_ARGUMENT,
              "Missing arguments of %s: %s".formatted(procedure.name(), String.join(", ", missing)))
          .at(call.position())
          .withHint("Call " + procedure.signature() + ".");
    }

    return arguments;
  }

  String text(String name) {
    return (String) values.get(name);
  }

  private void put(Procedure procedure, Procedure.Parameter parameter, Command.Argument argument) {
    Object value =
        argument
            .value()
            .filter(parameter.type()::isInstance)
            .orElseThrow(
                () ->
                    fault(
                        procedure,
                        argument,
                        "Argument %s takes a %s"
                            .formatted(parameter.name(), parameter.type().getSimpleName())));
    if (values.put(parameter.name(), value) != null) {
      throw fault(procedure, argument, "Argument " + parameter.name() + " is given twice");
    }
  }

  private static Procedure.Parameter parameter(
      Procedure procedure, Command.Argument argument, int position) {
    List<Procedure.Parameter> parameters = procedure.parameters();
    Optional<Procedure.Parameter> found =
        argument
            .name()
            .map(
                name ->
                    parameters.stream()
                        .filter(parameter -> parameter.name().equalsIgnoreCase(name))
                        .findFirst())
            .orElseGet(
                () ->
                    position < parameters.size()
                        ? Optional.of(parameters.get(position))
                        : Optional.empty());
    return found.orElseThrow(
        () ->
            fault(
                procedure,
                argument,
                argument
                    .name()
                    .map(name -> "No argument is named " + name)
                    .orElse("More arguments than parameters")));
  }

  private static FulmarException fault(
      Procedure procedure, Command.Argument argument, String message) {
    return new FulmarException(ErrorCode.INVALID_ARGUMENT, message)
        .at(argument.position())
        .withHint("Call " + procedure.signature() + ".");
  }
}
