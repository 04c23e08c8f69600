package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.error.ErrorMapper;
import io.fulmar.server.query.ResultProducer;
import io.fulmar.server.result.FlightResultSink;
import io.fulmar.server.result.ResultLimits;
import io.fulmar.server.session.Caller;
import io.fulmar.server.session.HandleStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.sql.impl.FlightSql.TicketStatementQuery;
import org.apache.arrow.memory.BufferAllocator;

/** Tickets, and the streams that redeem them: each ticket once, off the gRPC threads. */
final class ResultStreams {
  private final HandleStore<ResultProducer> tickets;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final BufferAllocator allocator;
  private final ResultLimits limits;
  private final Executor executor;

  ResultStreams(
      HandleStore<ResultProducer> tickets,
      BufferAllocator allocator,
      ResultLimits limits,
      Executor executor) {
    this.tickets = requireNonNull(tickets, "tickets is null");
    this.allocator = requireNonNull(allocator, "allocator is null");
    this.limits = requireNonNull(limits, "limits is null");
    this.executor = requireNonNull(executor, "executor is null");
  }

  /** A ticket that only its owner can redeem. */
  TicketStatementQuery issue(Caller caller, ResultProducer producer) {
    String handle = tickets.put(caller.owner(), producer);
    return TicketStatementQuery.newBuilder()
        .setStatementHandle(ByteString.copyFromUtf8(handle))
        .build();
  }

  /** Starts the stream of a ticket and returns at once. */
  void redeem(Caller caller, TicketStatementQuery ticket, ServerStreamListener listener) {
    String handle = ticket.getStatementHandle().toStringUtf8();
    Cancellation cancellation = new Cancellation();
    ResultProducer producer = tickets.take(caller.owner(), handle);
    running.put(handle, new Running(caller.owner(), cancellation));
    try {
      send(producer, cancellation, () -> running.remove(handle), listener);
    } catch (RuntimeException e) {
      running.remove(handle);
      throw e;
    }
  }

  /** Starts a stream that needs no ticket. */
  void send(ResultProducer producer, ServerStreamListener listener) {
    send(producer, new Cancellation(), () -> {}, listener);
  }

  /**
   * Cancels what a ticket stands for, whether it runs or waits to be redeemed.
   *
   * @throws FulmarException INVALID_TICKET if the caller has no such ticket
   */
  void cancel(Caller caller, TicketStatementQuery ticket) {
    String handle = ticket.getStatementHandle().toStringUtf8();
    Running stream = running.get(handle);
    if (stream != null && stream.owner().equals(caller.owner())) {
      stream.cancellation().cancel();
      return;
    }

    tickets.take(caller.owner(), handle);
  }

  private void send(
      ResultProducer producer,
      Cancellation cancellation,
      Runnable atEnd,
      ServerStreamListener listener) {
    FlightResultSink sink = new FlightResultSink(listener, allocator, limits);
    listener.setOnCancelHandler(
        () -> {
          cancellation.cancel();
          sink.wake();
        });
    try {
      executor.execute(
          () -> {
            run(producer, sink, cancellation, listener);
            atEnd.run();
          });
    } catch (RejectedExecutionException e) {
      throw new FulmarException(ErrorCode.SHUTTING_DOWN, "The server is shutting down", e);
    }
  }

  /** A failed stream never ends as a complete one. */
  private static void run(
      ResultProducer producer,
      FlightResultSink sink,
      Cancellation cancellation,
      ServerStreamListener listener) {
    try (sink) {
      cancellation.throwIfCancelled();
      producer.produce(sink, cancellation);
      listener.completed();
    } catch (Throwable t) {
      listener.error(ErrorMapper.toFlight(t));
    }
  }

  private record Running(String owner, Cancellation cancellation) {}
}
