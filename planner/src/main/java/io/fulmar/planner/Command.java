package io.fulmar.planner;

import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.registry.ViewDefinition;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** A statement without rows, with its names resolved. */
public sealed interface Command {
  /** {@code CREATE SCHEMA [IF NOT EXISTS] [catalog.]schema}. */
  record CreateSchema(
      String catalog, Namespace namespace, IfExists ifExists, SourcePosition position)
      implements Command {}

  /** {@code DROP SCHEMA [IF EXISTS] [catalog.]schema}. */
  record DropSchema(String catalog, Namespace namespace, IfExists ifExists, SourcePosition position)
      implements Command {}

  /**
   * {@code CREATE [OR REPLACE] VIEW [IF NOT EXISTS]}: the definition is validated.
   *
   * @param position of the name
   */
  record CreateView(
      String catalog,
      TableIdentifier view,
      ViewDefinition definition,
      IfViewExists ifExists,
      SourcePosition position)
      implements Command {}

  /** What to do where a view of that name exists. */
  enum IfViewExists {
    FAIL,
    SKIP,
    REPLACE
  }

  /**
   * {@code DROP VIEW [IF EXISTS]}.
   *
   * @param position of the name
   */
  record DropView(String catalog, TableIdentifier view, IfExists ifExists, SourcePosition position)
      implements Command {}

  /**
   * {@code USE catalog}, {@code USE schema}, {@code USE catalog.schema}: what exists, as the
   * catalog spells it.
   */
  record Use(String catalog, Optional<String> schema) implements Command {}

  /** {@code SET key = value}. */
  record SetOption(String key, String value, SourcePosition position) implements Command {}

  /** {@code RESET key}. */
  record ResetOption(String key, SourcePosition position) implements Command {}

  /** {@code CALL system.procedure(argument, …)}: string, number, boolean or NULL literals. */
  record Call(String procedure, List<Argument> arguments, SourcePosition position)
      implements Command {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * An argument: {@code value} is a String, Long, java.math.BigDecimal, Boolean, or absent for
   * NULL.
   */
  record Argument(Optional<String> name, Optional<Object> value, SourcePosition position) {}

  /** What to do where the object is (CREATE) or is not (DROP) there. */
  enum IfExists {
    FAIL,
    SKIP
  }
}
