package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.host.MetadataTables;
import io.fulmar.catalog.metadata.TableResolver;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.catalog.registry.LoadedTable;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.catalog.scan.ChangeColumns;
import io.fulmar.catalog.scan.ChangeRange;
import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.name.NearNames;
import io.fulmar.planner.name.TableFinder;
import io.fulmar.planner.parse.Positions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/** The tables and views that one query of a statement names. */
final class StatementTables {
  private static final String BRANCH = "branch_";
  private static final String TAG = "tag_";

  private final TableFinder finder;
  private final SystemTables systemTables;
  private final RelDataTypeFactory types;
  private final Positions positions;
  private final Set<String> metadataColumns;
  private final LoadedTables loaded;
  private final ViewExpander views;
  private final Map<TableVersion, StatementTable> tables = new HashMap<>();

  /**
   * @param metadataColumns the metadata columns that the statement names, in lower case
   */
  StatementTables(
      TableFinder finder,
      SystemTables systemTables,
      RelDataTypeFactory types,
      Positions positions,
      Set<String> metadataColumns,
      LoadedTables loaded,
      ViewExpander views) {
    this.finder = requireNonNull(finder, "finder is null");
    this.systemTables = requireNonNull(systemTables, "systemTables is null");
    this.types = requireNonNull(types, "types is null");
    this.positions = requireNonNull(positions, "positions is null");
    this.metadataColumns = Set.copyOf(metadataColumns);
    this.loaded = requireNonNull(loaded, "loaded is null");
    this.views = requireNonNull(views, "views is null");
  }

  private record TableVersion(
      LoadedTables.Identity table, String metadataTable, VersionSelector version) {}

  /**
   * The table of a written name.
   *
   * @throws FulmarException with the part of the name that is at fault
   */
  StatementTable find(List<NamePart> parts, VersionSelector version) {
    try {
      return systemTable(parts)
          .or(() -> icebergTable(parts, version))
          .or(() -> view(parts, version))
          .or(() -> metadataTable(parts, version))
          .or(() -> tableAtRef(parts, version))
          .orElseThrow(() -> notFound(parts));
    } catch (FulmarException e) {
      if (e.position().isPresent()) {
        throw e;
      }
      throw e.at(positions.of(parts.get(parts.size() - 1).position()));
    }
  }

  /**
   * The changes of a table, with its current columns.
   *
   * @param from exclusive; absent: from the beginning
   * @param to inclusive
   */
  StatementTable changes(List<NamePart> parts, Optional<VersionSelector> from, VersionSelector to) {
    NamePart last = parts.get(parts.size() - 1);
    LoadedTable table = loaded.first(finder.find(parts).orElseThrow(() -> notFound(parts)));
    try {
      TableSnapshot current = TableResolver.pin(table, new VersionSelector.Current());
      TableSnapshot shown =
          new TableSnapshot(
              current.catalog(),
              current.identifier(),
              current.metadata(),
              current.io(),
              current.location(),
              current.snapshot(),
              ChangeColumns.addTo(current.schema()),
              current.storage());
      ChangeRange range =
          ChangeRange.of(shown, from.map(version -> id(table, version)), id(table, to));
      return new TableChanges(shown, range, TableColumns.of(types, shown, metadataColumns));
    } catch (FulmarException e) {
      throw e.position().isPresent() ? e : e.at(positions.of(last.position()));
    }
  }

  private static long id(LoadedTable table, VersionSelector version) {
    return TableResolver.pin(table, version)
        .snapshot()
        .orElseThrow(
            () ->
                new FulmarException(
                    ErrorCode.UNKNOWN_SNAPSHOT,
                    "The table %s.%s has no snapshot"
                        .formatted(table.catalog(), table.identifier())))
        .snapshotId();
  }

  private Optional<StatementTable> systemTable(List<NamePart> parts) {
    if (parts.size() < 2 || !parts.get(0).matches(SystemTables.CATALOG)) {
      return Optional.empty();
    }
    String name =
        parts.stream()
            .skip(1)
            .map(part -> part.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining("."));
    return systemTables.find(name).map(this::hostTable);
  }

  private StatementTable hostTable(HostTable table) {
    return new HostRelTable(table, TableColumns.of(types, table.schema()));
  }

  private Optional<StatementTable> icebergTable(List<NamePart> parts, VersionSelector version) {
    return finder.find(parts).map(found -> pinned(found, version));
  }

  private StatementTable pinned(LoadedTable table, VersionSelector version) {
    return tables.computeIfAbsent(
        new TableVersion(LoadedTables.Identity.of(table), "", version),
        key -> icebergTable(loaded.first(table), version));
  }

  private Optional<StatementTable> view(List<NamePart> parts, VersionSelector version) {
    Optional<LoadedView> view = finder.findView(parts);
    if (view.isPresent() && !(version instanceof VersionSelector.Current)) {
      throw new FulmarException(
          ErrorCode.INVALID_STATEMENT,
          "A view has no snapshots to read: " + view.get().displayName());
    }
    return view.map(views::expand);
  }

  private StatementTable icebergTable(LoadedTable table, VersionSelector version) {
    TableSnapshot snapshot = TableResolver.pin(table, version);
    return new IcebergRelTable(snapshot, TableColumns.of(types, snapshot, metadataColumns));
  }

  /** {@code "t$kind"}, or {@code t.kind} where no table has that name. */
  private Optional<StatementTable> metadataTable(List<NamePart> parts, VersionSelector version) {
    NamePart last = parts.get(parts.size() - 1);
    List<NamePart> before = parts.subList(0, parts.size() - 1);
    int separator = last.name().lastIndexOf('$');
    if (separator > 0) {
      List<NamePart> base = new ArrayList<>(before);
      base.add(new NamePart(last.name().substring(0, separator), last.spelling(), last.position()));
      String kind = last.name().substring(separator + 1);
      LoadedTable table = finder.find(base).orElseThrow(() -> notFound(base));
      return Optional.of(metadataTable(table, kind.toLowerCase(Locale.ROOT), version, last));
    }
    boolean named = MetadataTables.names().stream().anyMatch(last::matches);
    return before.isEmpty() || !named
        ? Optional.empty()
        : finder
            .find(before)
            .map(
                table -> metadataTable(table, last.name().toLowerCase(Locale.ROOT), version, last));
  }

  /** {@code t.branch_name} and {@code t.tag_name}, where no table has that name. */
  private Optional<StatementTable> tableAtRef(List<NamePart> parts, VersionSelector version) {
    List<NamePart> before = parts.subList(0, parts.size() - 1);
    Optional<VersionSelector> ref = ref(parts.get(parts.size() - 1).name());
    if (before.isEmpty() || ref.isEmpty()) {
      return Optional.empty();
    }
    Optional<LoadedTable> table = finder.find(before);
    if (table.isPresent() && !(version instanceof VersionSelector.Current)) {
      throw new FulmarException(
          ErrorCode.INVALID_STATEMENT, "A version is asked for twice: by the name and by AS OF");
    }
    return table.map(found -> pinned(found, ref.get()));
  }

  private static Optional<VersionSelector> ref(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith(BRANCH)) {
      return Optional.of(
          new VersionSelector.TypedRef(
              VersionSelector.RefKind.BRANCH, name.substring(BRANCH.length())));
    }
    return lower.startsWith(TAG)
        ? Optional.of(
            new VersionSelector.TypedRef(VersionSelector.RefKind.TAG, name.substring(TAG.length())))
        : Optional.empty();
  }

  private StatementTable metadataTable(
      LoadedTable table, String kind, VersionSelector version, NamePart blamed) {
    TableSnapshot snapshot = TableResolver.pin(loaded.first(table), version);
    HostTable found =
        MetadataTables.find(snapshot, kind)
            .orElseThrow(() -> unknownMetadataTable(kind, snapshot, blamed));
    return tables.computeIfAbsent(
        new TableVersion(LoadedTables.Identity.of(table), kind, version), key -> hostTable(found));
  }

  private FulmarException unknownMetadataTable(String kind, TableSnapshot table, NamePart part) {
    FulmarException error =
        new FulmarException(
                ErrorCode.UNKNOWN_TABLE,
                "Table %s has no metadata table \"%s\"".formatted(table.displayName(), kind))
            .at(positions.of(part.position()));
    return NearNames.hint(kind, MetadataTables.names()).map(error::withHint).orElse(error);
  }

  private FulmarException notFound(List<NamePart> parts) {
    if (parts.size() > 1 && parts.get(0).matches(SystemTables.CATALOG)) {
      NamePart last = parts.get(parts.size() - 1);
      return error(
          ErrorCode.UNKNOWN_TABLE,
          "No table \"%s\" exists in %s".formatted(last.name(), SystemTables.CATALOG),
          last,
          systemTables.names());
    }
    TableFinder.NotFound reason = finder.explain(parts);
    return error(reason.code(), reason.message(), reason.blamed(), reason.known());
  }

  private FulmarException error(
      ErrorCode code, String message, NamePart blamed, List<String> known) {
    FulmarException error = new FulmarException(code, message).at(positions.of(blamed.position()));
    return NearNames.hint(blamed.name(), known).map(error::withHint).orElse(error);
  }
}
