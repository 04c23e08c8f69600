package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.query.Bindings;
import io.fulmar.server.query.QueryService;
import io.fulmar.server.query.Statement;
import io.fulmar.server.session.Caller;
import io.fulmar.server.session.HandleStore;
import java.util.Optional;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionCreatePreparedStatementRequest;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionCreatePreparedStatementResult;

/** Prepared statements: made, bound, run many times, closed. */
final class PreparedHandler {
  private final QueryService queries;
  private final StatementHandler statements;
  private final HandleStore<PreparedHandle> handles;

  PreparedHandler(
      QueryService queries, StatementHandler statements, HandleStore<PreparedHandle> handles) {
    this.queries = requireNonNull(queries, "queries is null");
    this.statements = requireNonNull(statements, "statements is null");
    this.handles = requireNonNull(handles, "handles is null");
  }

  /** A dataset schema tells drivers that the statement is a query; others get none. */
  ActionCreatePreparedStatementResult create(
      Caller caller, ActionCreatePreparedStatementRequest request) {
    StatementHandler.refuseTransaction(request.hasTransactionId(), request.getTransactionId());
    Statement statement = queries.prepare(caller, request.getQuery());
    String handle = handles.put(caller.owner(), new PreparedHandle(statement));
    ActionCreatePreparedStatementResult.Builder result =
        ActionCreatePreparedStatementResult.newBuilder()
            .setPreparedStatementHandle(ByteString.copyFromUtf8(handle))
            .setParameterSchema(Replies.schemaBytes(statement.parameterSchema()));
    if (statement.returnsRows()) {
      result.setDatasetSchema(Replies.schemaBytes(statement.resultSchema()));
    }
    return result.build();
  }

  /** Closing twice does nothing; a stream that runs goes on. */
  void close(Caller caller, ByteString handle) {
    handles.remove(caller.owner(), handle.toStringUtf8());
  }

  FlightInfo info(Caller caller, ByteString handle, FlightDescriptor descriptor) {
    PreparedHandle prepared = find(caller, handle);
    return statements.info(caller, prepared.statement(), prepared.bindings(), descriptor);
  }

  SchemaResult schema(Caller caller, ByteString handle) {
    return new SchemaResult(find(caller, handle).statement().resultSchema());
  }

  /** Binds the one row of a stream; more rows would mean more executions, which are refused. */
  void bind(Caller caller, ByteString handle, FlightStream rows) {
    PreparedHandle prepared = find(caller, handle);
    readOneRow(prepared.statement(), rows).ifPresent(prepared::bind);
  }

  /** Runs a prepared statement that changes something. */
  long update(Caller caller, ByteString handle, FlightStream rows) {
    PreparedHandle prepared = find(caller, handle);
    readOneRow(prepared.statement(), rows).ifPresent(prepared::bind);
    return statements.update(caller, prepared.statement());
  }

  private Optional<Bindings> readOneRow(Statement statement, FlightStream rows) {
    Optional<Bindings> bindings = Optional.empty();
    while (rows.next()) {
      if (!rows.hasRoot() || rows.getRoot().getRowCount() == 0) {
        continue;
      }
      if (bindings.isPresent()) {
        throw new FulmarException(
            ErrorCode.INVALID_PARAMETER, "Expected one row of parameters, got more");
      }

      bindings = Optional.of(queries.bind(statement, rows.getRoot()));
    }
    return bindings;
  }

  private PreparedHandle find(Caller caller, ByteString handle) {
    return handles.find(caller.owner(), handle.toStringUtf8());
  }
}
