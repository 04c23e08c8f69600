package io.fulmar.server.statement;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Consumer;

/**
 * A procedure that CALL can run.
 *
 * @param name with its schema: {@code system.register_table}
 * @param parameters in order, all required
 * @param description one sentence
 * @param action takes the arguments
 */
record Procedure(
    String name,
    List<Parameter> parameters,
    String description,
    Consumer<ProcedureArguments> action) {
  Procedure {
    requireNonNull(name, "name is null");
    parameters = List.copyOf(parameters);
    requireNonNull(description, "description is null");
    requireNonNull(action, "action is null");
  }

  /** A parameter with the Java type of its values. */
  record Parameter(String name, Class<?> type) {
    static Parameter text(String name) {
      return new Parameter(name, String.class);
    }
  }

  /** {@code system.name(a, b)} for people. */
  String signature() {
    return name + "(" + String.join(", ", parameters.stream().map(Parameter::name).toList()) + ")";
  }
}
