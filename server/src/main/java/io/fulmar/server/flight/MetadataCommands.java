package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import io.fulmar.server.auth.CallerMiddleware;
import io.fulmar.server.metadata.MetadataService;
import io.fulmar.server.session.SessionState;
import java.util.Optional;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.sql.FlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetCatalogs;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetCrossReference;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetDbSchemas;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetExportedKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetImportedKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetPrimaryKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetSqlInfo;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetTableTypes;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetTables;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetXdbcTypeInfo;
import org.apache.arrow.vector.types.pojo.Schema;

/** The metadata half of the protocol's interface: each command to its answer. */
abstract class MetadataCommands implements FlightSqlProducer {
  private final MetadataService metadata;
  private final MetadataHandler handler;

  MetadataCommands(MetadataService metadata, MetadataHandler handler) {
    this.metadata = requireNonNull(metadata, "metadata is null");
    this.handler = requireNonNull(handler, "handler is null");
  }

  @Override
  public final FlightInfo getFlightInfoCatalogs(
      CommandGetCatalogs command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_CATALOGS_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamCatalogs(CallContext context, ServerStreamListener listener) {
    handler.send(metadata::catalogs, listener);
  }

  @Override
  public final FlightInfo getFlightInfoSchemas(
      CommandGetDbSchemas command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_SCHEMAS_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamSchemas(
      CommandGetDbSchemas command, CallContext context, ServerStreamListener listener) {
    Optional<String> catalog = optional(command.hasCatalog(), command.getCatalog());
    Optional<String> schemas =
        optional(command.hasDbSchemaFilterPattern(), command.getDbSchemaFilterPattern());
    handler.send(() -> metadata.schemas(catalog, schemas), listener);
  }

  @Override
  public final FlightInfo getFlightInfoTables(
      CommandGetTables command, CallContext context, FlightDescriptor descriptor) {
    Schema schema =
        command.getIncludeSchema()
            ? Schemas.GET_TABLES_SCHEMA
            : Schemas.GET_TABLES_SCHEMA_NO_SCHEMA;
    return info(command, schema, descriptor);
  }

  @Override
  public final void getStreamTables(
      CommandGetTables command, CallContext context, ServerStreamListener listener) {
    MetadataService.TableFilter filter =
        new MetadataService.TableFilter(
            optional(command.hasCatalog(), command.getCatalog()),
            optional(command.hasDbSchemaFilterPattern(), command.getDbSchemaFilterPattern()),
            optional(command.hasTableNameFilterPattern(), command.getTableNameFilterPattern()),
            command.getTableTypesList());
    handler.send(
        () ->
            command.getIncludeSchema()
                ? metadata.tablesWithSchema(filter)
                : metadata.tables(filter),
        listener);
  }

  @Override
  public final FlightInfo getFlightInfoTableTypes(
      CommandGetTableTypes command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_TABLE_TYPES_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamTableTypes(CallContext context, ServerStreamListener listener) {
    handler.send(metadata::tableTypes, listener);
  }

  @Override
  public final FlightInfo getFlightInfoSqlInfo(
      CommandGetSqlInfo command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_SQL_INFO_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamSqlInfo(
      CommandGetSqlInfo command, CallContext context, ServerStreamListener listener) {
    handler.send(() -> metadata.sqlInfo(command.getInfoList()), listener);
  }

  @Override
  public final FlightInfo getFlightInfoTypeInfo(
      CommandGetXdbcTypeInfo command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_TYPE_INFO_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamTypeInfo(
      CommandGetXdbcTypeInfo command, CallContext context, ServerStreamListener listener) {
    Optional<Integer> dataType =
        command.hasDataType() ? Optional.of(command.getDataType()) : Optional.empty();
    handler.send(() -> metadata.typeInfo(dataType), listener);
  }

  @Override
  public final FlightInfo getFlightInfoPrimaryKeys(
      CommandGetPrimaryKeys command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_PRIMARY_KEYS_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamPrimaryKeys(
      CommandGetPrimaryKeys command, CallContext context, ServerStreamListener listener) {
    Optional<String> catalog = optional(command.hasCatalog(), command.getCatalog());
    Optional<String> schema = optional(command.hasDbSchema(), command.getDbSchema());
    SessionState session = CallerMiddleware.callerOf(context).state();
    handler.send(
        () -> metadata.primaryKeys(session, catalog, schema, command.getTable()), listener);
  }

  @Override
  public final FlightInfo getFlightInfoExportedKeys(
      CommandGetExportedKeys command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_EXPORTED_KEYS_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamExportedKeys(
      CommandGetExportedKeys command, CallContext context, ServerStreamListener listener) {
    handler.send(metadata::foreignKeys, listener);
  }

  @Override
  public final FlightInfo getFlightInfoImportedKeys(
      CommandGetImportedKeys command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_IMPORTED_KEYS_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamImportedKeys(
      CommandGetImportedKeys command, CallContext context, ServerStreamListener listener) {
    handler.send(metadata::foreignKeys, listener);
  }

  @Override
  public final FlightInfo getFlightInfoCrossReference(
      CommandGetCrossReference command, CallContext context, FlightDescriptor descriptor) {
    return info(command, Schemas.GET_CROSS_REFERENCE_SCHEMA, descriptor);
  }

  @Override
  public final void getStreamCrossReference(
      CommandGetCrossReference command, CallContext context, ServerStreamListener listener) {
    handler.send(metadata::foreignKeys, listener);
  }

  private FlightInfo info(Message command, Schema schema, FlightDescriptor descriptor) {
    return handler.info(command, schema, descriptor);
  }

  private static Optional<String> optional(boolean present, String value) {
    return present ? Optional.of(value) : Optional.empty();
  }
}
