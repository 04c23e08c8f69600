package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.PreparedStatement;
import io.fulmar.planner.SqlPlanner;
import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.error.ErrorContext;
import io.fulmar.server.error.ErrorMapper;
import io.fulmar.server.error.StatementException;
import io.fulmar.server.result.ResultSink;
import io.fulmar.server.session.Caller;
import io.fulmar.server.statement.CommandRunner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Prepares, plans and runs statements for the protocol. Safe for use by several threads. */
public final class QueryService {
  private final SqlPlanner planner;
  private final QuerySettingsFactory settings;
  private final CommandRunner commands;
  private final ExecutionServices services;
  private final ExplainRunner explain;
  private final DataSize maxText;
  private final QueryIds ids = new QueryIds();

  QueryService(
      SqlPlanner planner,
      QuerySettingsFactory settings,
      CommandRunner commands,
      ExecutionServices services,
      DataSize maxText) {
    this.planner = requireNonNull(planner, "planner is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.commands = requireNonNull(commands, "commands is null");
    this.services = requireNonNull(services, "services is null");
    this.explain = new ExplainRunner(services);
    this.maxText = requireNonNull(maxText, "maxText is null");
  }

  /**
   * Parses and validates; runs nothing.
   *
   * @throws StatementException with a positioned error
   */
  public Statement prepare(Caller caller, String sql) {
    return explained(ErrorContext.ofStatement(sql), () -> parse(caller, sql));
  }

  /** Reads parameter values from a batch of one row. */
  public Bindings bind(Statement statement, VectorSchemaRoot row) {
    int count = statement.parameterSchema().getFields().size();
    return new Bindings(ParameterBinder.bind(row, count));
  }

  /**
   * Pins snapshots and plans a query; runs nothing.
   *
   * @throws StatementException with a positioned error
   */
  public PlannedQuery plan(Caller caller, Statement statement, Bindings bindings) {
    return explained(
        ErrorContext.ofStatement(statement.sql()), () -> planned(caller, statement, bindings));
  }

  /** Runs a planned query on the calling thread, once. */
  public void run(PlannedQuery query, ResultSink sink, Cancellation cancellation) {
    if (query.statement().prepared() instanceof PreparedStatement.Explain plan) {
      if (plan.detail() == PreparedStatement.Explain.Detail.ANALYZE) {
        new QueryExecution(query, services, cancellation)
            .run(running -> explain.analyze(running, cancellation, query, sink));
        return;
      }
      explained(query.errorContext(), () -> explain.run(plan.detail(), query, sink));
      return;
    }

    new QueryExecution(query, services, cancellation).run(sink);
  }

  /**
   * Runs a statement without rows, now and once.
   *
   * @return the count of changed rows
   * @throws StatementException with a positioned error
   */
  public long execute(Caller caller, Statement statement) {
    PreparedStatement.Update update = (PreparedStatement.Update) statement.prepared();
    Instant now = Instant.now();
    QueryRecord record =
        new QueryRecord(
            ids.next(now), caller.user(), caller.owner(), statement.sql(), now, new Cancellation());
    services.registry().add(record);
    try {
      long count = commands.run(update.command(), caller);
      record.finished();
      return count;
    } catch (RuntimeException | Error e) {
      record.failed(ErrorMapper.toFulmar(e, Map.of()));
      throw new StatementException(ErrorContext.ofStatement(statement.sql()), e);
    } finally {
      services.registry().end(record);
      services.log(record);
    }
  }

  private Statement parse(Caller caller, String sql) {
    if (sql.getBytes(StandardCharsets.UTF_8).length > maxText.bytes()) {
      throw new FulmarException(
              ErrorCode.STATEMENT_TOO_COMPLEX, "The statement is longer than " + maxText)
          .withHint("Raise query.max-text-size.");
    }

    Instant now = Instant.now();
    return new Statement(sql, planner.prepare(sql, settings.context(caller, "", now)));
  }

  private PlannedQuery planned(Caller caller, Statement statement, Bindings bindings) {
    int bound = bindings.values().values().size();
    int wanted = statement.parameterSchema().getFields().size();
    if (bound != wanted) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER,
          "The statement has %d parameters, %d are bound".formatted(wanted, bound));
    }

    Instant now = Instant.now();
    String queryId = ids.next(now);
    SettingValues values = settings.values(caller);
    BackendPlan plan =
        query(statement)
            .plan(
                bindings.values(),
                settings.context(caller, queryId, now),
                services.backends().of(values.value(Settings.ENGINE_BACKEND)));
    return new PlannedQuery(
        queryId,
        caller.user(),
        caller.owner(),
        statement,
        plan,
        now,
        settings.reserve(values),
        values.value(Settings.QUERY_QUEUE_TIMEOUT),
        Optional.of(values.value(Settings.QUERY_TIMEOUT)).filter(limit -> !limit.isZero()));
  }

  private static PreparedStatement.Query query(Statement statement) {
    return statement.prepared() instanceof PreparedStatement.Explain explained
        ? explained.query()
        : (PreparedStatement.Query) statement.prepared();
  }

  private static void explained(ErrorContext context, Runnable action) {
    explained(
        context,
        () -> {
          action.run();
          return true;
        });
  }

  private static <T> T explained(ErrorContext context, Supplier<T> action) {
    try {
      return action.get();
    } catch (StatementException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new StatementException(context, e);
    }
  }
}
