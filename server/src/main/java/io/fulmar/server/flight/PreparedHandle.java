package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.query.Bindings;
import io.fulmar.server.query.Statement;

/** A prepared statement with the parameters that were bound last. */
final class PreparedHandle {
  private final Statement statement;
  private volatile Bindings bindings = Bindings.none();

  PreparedHandle(Statement statement) {
    this.statement = requireNonNull(statement, "statement is null");
  }

  Statement statement() {
    return statement;
  }

  Bindings bindings() {
    return bindings;
  }

  void bind(Bindings values) {
    bindings = requireNonNull(values, "values is null");
  }
}
