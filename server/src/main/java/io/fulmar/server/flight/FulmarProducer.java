package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.auth.CallerMiddleware;
import io.fulmar.server.error.ErrorMapper;
import io.fulmar.server.metadata.MetadataService;
import io.fulmar.server.session.Caller;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.CloseSessionRequest;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightConstants;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.GetSessionOptionsRequest;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.SetSessionOptionsRequest;
import org.apache.arrow.flight.SetSessionOptionsResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.FlightSqlUtils;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionClosePreparedStatementRequest;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionCreatePreparedStatementRequest;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandPreparedStatementQuery;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandPreparedStatementUpdate;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementQuery;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementUpdate;
import org.apache.arrow.flight.sql.impl.FlightSql.DoPutUpdateResult;
import org.apache.arrow.flight.sql.impl.FlightSql.TicketStatementQuery;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Takes each call, finds its caller, hands it to the handler of its concern, and maps what is
 * thrown. What the interface knows and no method here overrides is answered UNIMPLEMENTED.
 */
final class FulmarProducer extends MetadataCommands {
  private static final List<ActionType> ACTIONS =
      List.of(
          FlightSqlUtils.FLIGHT_SQL_CREATE_PREPARED_STATEMENT,
          FlightSqlUtils.FLIGHT_SQL_CLOSE_PREPARED_STATEMENT,
          FlightSqlUtils.FLIGHT_SQL_CANCEL_QUERY,
          FlightConstants.CANCEL_FLIGHT_INFO,
          FlightConstants.SET_SESSION_OPTIONS,
          FlightConstants.GET_SESSION_OPTIONS,
          FlightConstants.CLOSE_SESSION);

  private final StatementHandler statements;
  private final PreparedHandler prepared;
  private final SessionHandler sessions;
  private final ResultStreams streams;
  private final BufferAllocator allocator;

  FulmarProducer(
      MetadataService metadata,
      MetadataHandler metadataHandler,
      StatementHandler statements,
      PreparedHandler prepared,
      SessionHandler sessions,
      ResultStreams streams,
      BufferAllocator allocator) {
    super(metadata, metadataHandler);
    this.statements = requireNonNull(statements, "statements is null");
    this.prepared = requireNonNull(prepared, "prepared is null");
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.streams = requireNonNull(streams, "streams is null");
    this.allocator = requireNonNull(allocator, "allocator is null");
  }

  @Override
  public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
    return mapped(() -> super.getFlightInfo(context, requireCommand(descriptor)));
  }

  @Override
  public SchemaResult getSchema(CallContext context, FlightDescriptor descriptor) {
    return mapped(() -> super.getSchema(context, requireCommand(descriptor)));
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    try {
      super.getStream(context, ticket, listener);
    } catch (RuntimeException | Error e) {
      listener.error(ErrorMapper.toFlight(e));
    }
  }

  @Override
  public Runnable acceptPut(
      CallContext context, FlightStream stream, StreamListener<PutResult> acknowledgements) {
    return mapped(
        () -> {
          requireCommand(stream.getDescriptor());
          Runnable put = super.acceptPut(context, stream, acknowledgements);
          return () ->
              mapped(
                  () -> {
                    put.run();
                    return true;
                  });
        });
  }

  @Override
  public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
    try {
      super.doAction(context, action, listener);
    } catch (RuntimeException | Error e) {
      listener.onError(ErrorMapper.toFlight(e));
    }
  }

  @Override
  public void listActions(CallContext context, StreamListener<ActionType> listener) {
    ACTIONS.forEach(listener::onNext);
    listener.onCompleted();
  }

  @Override
  public void listFlights(
      CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
    listener.onCompleted();
  }

  @Override
  public FlightInfo getFlightInfoStatement(
      CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return statements.info(caller(context), command, descriptor);
  }

  @Override
  public SchemaResult getSchemaStatement(
      CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return statements.schema(caller(context), command);
  }

  @Override
  public void getStreamStatement(
      TicketStatementQuery ticket, CallContext context, ServerStreamListener listener) {
    streams.redeem(caller(context), ticket, listener);
  }

  @Override
  public FlightInfo getFlightInfoPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return prepared.info(caller(context), command.getPreparedStatementHandle(), descriptor);
  }

  @Override
  public SchemaResult getSchemaPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return prepared.schema(caller(context), command.getPreparedStatementHandle());
  }

  @Override
  public void getStreamPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, ServerStreamListener listener) {
    throw new FulmarException(
        ErrorCode.INVALID_TICKET, "A prepared statement's handle is not a ticket");
  }

  @Override
  public void createPreparedStatement(
      ActionCreatePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    Message result = prepared.create(caller(context), request);
    listener.onNext(new Result(Any.pack(result).toByteArray()));
    listener.onCompleted();
  }

  @Override
  public void closePreparedStatement(
      ActionClosePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    prepared.close(caller(context), request.getPreparedStatementHandle());
    listener.onCompleted();
  }

  @Override
  public Runnable acceptPutStatement(
      CommandStatementUpdate command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> acknowledgements) {
    return () -> acknowledge(() -> statements.update(caller(context), command), acknowledgements);
  }

  @Override
  public Runnable acceptPutPreparedStatementUpdate(
      CommandPreparedStatementUpdate command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> acknowledgements) {
    return () ->
        acknowledge(
            () -> prepared.update(caller(context), command.getPreparedStatementHandle(), stream),
            acknowledgements);
  }

  /** No result message: drivers would take their handle from it. */
  @Override
  public Runnable acceptPutPreparedStatementQuery(
      CommandPreparedStatementQuery command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> acknowledgements) {
    return () -> {
      prepared.bind(caller(context), command.getPreparedStatementHandle(), stream);
      acknowledgements.onCompleted();
    };
  }

  @Override
  public void cancelFlightInfo(
      CancelFlightInfoRequest request, CallContext context, StreamListener<CancelStatus> listener) {
    Caller caller = caller(context);
    for (FlightEndpoint endpoint : request.getInfo().getEndpoints()) {
      streams.cancel(caller, ticket(endpoint));
    }
    listener.onNext(CancelStatus.CANCELLED);
    listener.onCompleted();
  }

  @Override
  public void setSessionOptions(
      SetSessionOptionsRequest request,
      CallContext context,
      StreamListener<SetSessionOptionsResult> listener) {
    reply(sessions.set(caller(context), request), listener);
  }

  @Override
  public void getSessionOptions(
      GetSessionOptionsRequest request,
      CallContext context,
      StreamListener<GetSessionOptionsResult> listener) {
    reply(sessions.options(caller(context)), listener);
  }

  @Override
  public void closeSession(
      CloseSessionRequest request,
      CallContext context,
      StreamListener<CloseSessionResult> listener) {
    reply(sessions.close(caller(context)), listener);
  }

  @Override
  public void close() {}

  private static Caller caller(CallContext context) {
    return CallerMiddleware.callerOf(context);
  }

  private void acknowledge(LongSupplier update, StreamListener<PutResult> acknowledgements) {
    byte[] result =
        DoPutUpdateResult.newBuilder().setRecordCount(update.getAsLong()).build().toByteArray();
    try (ArrowBuf buffer = allocator.buffer(Math.max(1, result.length))) {
      buffer.writeBytes(result);
      acknowledgements.onNext(PutResult.metadata(buffer));
      acknowledgements.onCompleted();
    }
  }

  private static TicketStatementQuery ticket(FlightEndpoint endpoint) {
    try {
      return Any.parseFrom(endpoint.getTicket().getBytes()).unpack(TicketStatementQuery.class);
    } catch (InvalidProtocolBufferException e) {
      throw new FulmarException(ErrorCode.INVALID_TICKET, "Not a ticket of a statement", e);
    }
  }

  private static FlightDescriptor requireCommand(FlightDescriptor descriptor) {
    if (!descriptor.isCommand()) {
      throw CallStatus.INVALID_ARGUMENT
          .withDescription("The descriptor has no Flight SQL command")
          .toRuntimeException();
    }

    return descriptor;
  }

  private static <T> void reply(T answer, StreamListener<T> listener) {
    listener.onNext(answer);
    listener.onCompleted();
  }

  private static <T> T mapped(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      throw ErrorMapper.toFlight(e);
    }
  }
}
