package io.fulmar.planner.statement;

import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.types.Types.NestedField.optional;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.host.RowsHostTable;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.planner.name.SchemaName;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.ShowStatement;
import io.fulmar.planner.validate.CatalogNames;
import io.fulmar.planner.validate.TableColumn;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** SHOW and DESCRIBE as tables: names are resolved now, rows are made when the table is read. */
final class Listings {
  private final CatalogNames names;
  private final Positions positions;

  Listings(CatalogNames names, Positions positions) {
    this.names = requireNonNull(names, "names is null");
    this.positions = requireNonNull(positions, "positions is null");
  }

  HostTable show(ShowStatement show) {
    return switch (show.subject()) {
      case CATALOGS ->
          listing("catalogs", "catalog", show.pattern(), () -> names.registry().names().stream());
      case SCHEMAS -> schemas(show);
      case TABLES -> tables(show.scope(), show.pattern());
      case COLUMNS -> columns(show.scope().orElseThrow(), show.pattern());
      case SETTINGS -> settings(show);
    };
  }

  private HostTable settings(ShowStatement show) {
    return names
        .systemTable("settings")
        .orElseThrow(
            () ->
                new FulmarException(
                        ErrorCode.UNSUPPORTED_SQL, "This server does not list its settings")
                    .at(positions.of(show.getParserPosition())));
  }

  private HostTable schemas(ShowStatement show) {
    IcebergCatalog catalog =
        show.scope()
            .map(scope -> names.catalog(scope).orElseThrow(() -> unknownCatalog(scope)))
            .or(names::sessionCatalog)
            .orElseThrow(() -> nothingChosen("catalog", show));
    return listing(
        "schemas",
        "schema",
        show.pattern(),
        () -> catalog.namespaces().stream().map(each -> String.join(".", each.levels())));
  }

  /** The tables and views of a schema, by default the session's. */
  HostTable tables(Optional<SqlIdentifier> scope, Optional<String> pattern) {
    SchemaName schema =
        scope
            .map(name -> names.schema(name).orElseThrow(() -> unknownSchema(name)))
            .or(names::sessionSchema)
            .orElseThrow(
                () ->
                    new FulmarException(
                            ErrorCode.UNKNOWN_SCHEMA, "The session has no schema to list")
                        .withHint("Write SHOW TABLES FROM catalog.schema, or USE one."));
    return listing(
        "tables",
        "table",
        pattern,
        () ->
            Stream.concat(
                    schema.catalog().tables(schema.namespace()).stream(),
                    schema.catalog().views(schema.namespace()).stream())
                .map(TableIdentifier::name)
                .sorted());
  }

  /** Name, type and nullability of each column. */
  HostTable columns(SqlIdentifier table, Optional<String> pattern) {
    List<TableColumn> columns = names.columns(table);
    Optional<Pattern> wanted = pattern.map(Listings::regex);
    Schema schema =
        new Schema(
            optional(1, "column", Types.StringType.get()),
            optional(2, "type", Types.StringType.get()),
            optional(3, "nullable", Types.BooleanType.get()));
    return new RowsHostTable(
        "columns",
        schema,
        rows(
            () ->
                columns.stream()
                    .filter(column -> matches(wanted, column.name()))
                    .map(
                        column ->
                            HostRow.of(
                                column.name(),
                                TypeNames.of(column.type()),
                                column.type().isNullable()))));
  }

  private static HostTable listing(
      String name, String column, Optional<String> pattern, Supplier<Stream<String>> values) {
    Optional<Pattern> wanted = pattern.map(Listings::regex);
    return new RowsHostTable(
        name,
        new Schema(optional(1, column, Types.StringType.get())),
        rows(
            () ->
                values
                    .get()
                    .filter(value -> matches(wanted, value))
                    .map(value -> HostRow.of(value))));
  }

  private static Supplier<CloseableIterable<StructLike>> rows(Supplier<Stream<HostRow>> rows) {
    return () -> CloseableIterable.withNoopClose(rows.get().map(StructLike.class::cast).toList());
  }

  /** A LIKE pattern; backslash takes what follows literally. */
  private static Pattern regex(String like) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < like.length(); i++) {
      char character = like.charAt(i);
      switch (character) {
        case '%' -> regex.append(".*");
        case '_' -> regex.append('.');
        case '\\' -> {
          i = Math.min(i + 1, like.length() - 1);
          regex.append(literally(like.charAt(i)));
        }
        default -> regex.append(literally(character));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  private static String literally(char character) {
    return Pattern.quote(String.valueOf(character));
  }

  private static boolean matches(Optional<Pattern> pattern, String name) {
    return pattern.map(wanted -> wanted.matcher(name).matches()).orElse(true);
  }

  private FulmarException unknownCatalog(SqlIdentifier name) {
    return new FulmarException(ErrorCode.UNKNOWN_CATALOG, "No catalog \"" + name + "\" exists")
        .at(positions.of(name.getParserPosition()))
        .withHint("Configured: " + String.join(", ", names.registry().names()));
  }

  private FulmarException unknownSchema(SqlIdentifier name) {
    return new FulmarException(ErrorCode.UNKNOWN_SCHEMA, "No schema \"" + name + "\" exists")
        .at(positions.of(name.getParserPosition()));
  }

  private FulmarException nothingChosen(String what, ShowStatement show) {
    return new FulmarException(ErrorCode.UNKNOWN_CATALOG, "The session has no " + what)
        .at(positions.of(show.getParserPosition()))
        .withHint("Write SHOW SCHEMAS FROM catalog, or USE one.");
  }
}
