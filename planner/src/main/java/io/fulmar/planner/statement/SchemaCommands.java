package io.fulmar.planner.statement;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.planner.Command;
import io.fulmar.planner.name.NearNames;
import io.fulmar.planner.name.SchemaName;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.SchemaStatement;
import io.fulmar.planner.parse.UseStatement;
import io.fulmar.planner.validate.CatalogNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.iceberg.catalog.Namespace;

/** USE, CREATE SCHEMA and DROP SCHEMA. */
final class SchemaCommands {
  private final CatalogRegistry registry;
  private final CatalogNames names;
  private final Positions positions;

  SchemaCommands(CatalogRegistry registry, CatalogNames names, Positions positions) {
    this.registry = requireNonNull(registry, "registry is null");
    this.names = requireNonNull(names, "names is null");
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** A catalog if there is one of that name, else a schema. */
  Command.Use use(UseStatement statement) {
    SqlIdentifier name = statement.name();
    if (name.isSimple()) {
      Optional<IcebergCatalog> catalog = names.catalog(name);
      if (catalog.isPresent()) {
        return new Command.Use(catalog.get().name(), Optional.empty());
      }
    }
    SchemaName schema = names.schema(name).orElseThrow(() -> unknown(name));
    return new Command.Use(
        schema.catalog().name(), Optional.of(String.join(".", schema.namespace().levels())));
  }

  Command.CreateSchema create(SchemaStatement.Create statement) {
    SchemaName written =
        names.writtenSchema(statement.name()).orElseThrow(() -> noCatalog(statement.name()));
    return new Command.CreateSchema(
        written.catalog().name(),
        written.namespace(),
        statement.skipsExisting() ? Command.IfExists.SKIP : Command.IfExists.FAIL,
        position(statement.name()));
  }

  Command.DropSchema drop(SchemaStatement.Drop statement) {
    SqlIdentifier name = statement.name();
    Optional<SchemaName> found = names.schema(name);
    if (found.isEmpty() && !statement.skipsAbsent()) {
      throw unknown(name);
    }
    SchemaName schema =
        found.or(() -> names.writtenSchema(name)).orElseThrow(() -> noCatalog(name));
    return new Command.DropSchema(
        schema.catalog().name(),
        schema.namespace(),
        statement.skipsAbsent() ? Command.IfExists.SKIP : Command.IfExists.FAIL,
        position(name));
  }

  private FulmarException unknown(SqlIdentifier name) {
    FulmarException error =
        new FulmarException(
                ErrorCode.UNKNOWN_SCHEMA, "No schema or catalog \"" + name + "\" exists")
            .at(position(name));
    String last = name.names.get(name.names.size() - 1);
    return NearNames.hint(last, known()).map(error::withHint).orElse(error);
  }

  private List<String> known() {
    Stream<String> schemas =
        names.sessionCatalog().stream()
            .flatMap(catalog -> catalog.namespaces(Namespace.empty()).stream())
            .map(Namespace::toString);
    return Stream.concat(registry.names().stream(), schemas).toList();
  }

  private FulmarException noCatalog(SqlIdentifier name) {
    return new FulmarException(
            ErrorCode.UNKNOWN_CATALOG, "The session has no catalog for schema \"" + name + "\"")
        .at(position(name))
        .withHint("Write catalog.schema, or USE a catalog: " + String.join(", ", registry.names()));
  }

  private SourcePosition position(SqlIdentifier name) {
    return positions.of(name.getParserPosition());
  }
}
