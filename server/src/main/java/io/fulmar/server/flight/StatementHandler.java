package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.query.Bindings;
import io.fulmar.server.query.PlannedQuery;
import io.fulmar.server.query.QueryService;
import io.fulmar.server.query.Statement;
import io.fulmar.server.session.Caller;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementQuery;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementUpdate;

/**
 * Statements by their text, and what prepared ones share with them. A query is planned here and
 * runs when its ticket is redeemed; any other statement runs here, once for each call.
 */
final class StatementHandler {
  private final QueryService queries;
  private final ResultStreams streams;

  StatementHandler(QueryService queries, ResultStreams streams) {
    this.queries = requireNonNull(queries, "queries is null");
    this.streams = requireNonNull(streams, "streams is null");
  }

  FlightInfo info(Caller caller, CommandStatementQuery command, FlightDescriptor descriptor) {
    refuseTransaction(command.hasTransactionId(), command.getTransactionId());
    Statement statement = queries.prepare(caller, command.getQuery());
    return info(caller, statement, Bindings.none(), descriptor);
  }

  SchemaResult schema(Caller caller, CommandStatementQuery command) {
    return new SchemaResult(queries.prepare(caller, command.getQuery()).resultSchema());
  }

  /** Runs a statement that changes something; the count of changed rows. */
  long update(Caller caller, CommandStatementUpdate command) {
    refuseTransaction(command.hasTransactionId(), command.getTransactionId());
    return update(caller, queries.prepare(caller, command.getQuery()));
  }

  long update(Caller caller, Statement statement) {
    if (statement.returnsRows()) {
      throw new FulmarException(
          ErrorCode.INVALID_STATEMENT, "The statement gives rows: run it as a query");
    }

    return queries.execute(caller, statement);
  }

  FlightInfo info(
      Caller caller, Statement statement, Bindings bindings, FlightDescriptor descriptor) {
    if (statement.returnsRows()) {
      PlannedQuery query = queries.plan(caller, statement, bindings);
      return Replies.rows(
          statement.resultSchema(),
          descriptor,
          streams.issue(caller, (sink, cancellation) -> queries.run(query, sink, cancellation)));
    }

    long count = queries.execute(caller, statement);
    return Replies.changed(
        statement.resultSchema(),
        descriptor,
        streams.issue(caller, (sink, cancellation) -> sink.start(statement.resultSchema())),
        count);
  }

  static void refuseTransaction(boolean present, ByteString transactionId) {
    if (present && !transactionId.isEmpty()) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "There are no transactions");
    }
  }
}
