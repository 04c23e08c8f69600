package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.ParameterValues;

/** Values bound to a statement's parameters. */
public record Bindings(ParameterValues values) {
  private static final Bindings NONE = new Bindings(ParameterValues.none());

  public Bindings {
    requireNonNull(values, "values is null");
  }

  public static Bindings none() {
    return NONE;
  }
}
