package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.PreparedStatement;
import io.fulmar.planner.backend.BackendQuery;
import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.result.ResultSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Gives a plan's text as rows, one for each line. */
final class ExplainRunner {
  private final ExecutionServices services;

  ExplainRunner(ExecutionServices services) {
    this.services = requireNonNull(services, "services is null");
  }

  void run(PreparedStatement.Explain.Detail detail, PlannedQuery query, ResultSink sink) {
    send(text(detail, query), query, sink);
  }

  /** Reads all that the query gives and keeps nothing of it; what was counted takes its place. */
  void analyze(
      BackendQuery running, Cancellation cancellation, PlannedQuery query, ResultSink sink) {
    while (running.next()) {
      cancellation.throwIfCancelled();
    }
    cancellation.throwIfCancelled();
    send(AnalyzeText.of(running), query, sink);
  }

  private void send(String text, PlannedQuery query, ResultSink sink) {
    List<String> lines = text.lines().toList();
    sink.start(query.statement().resultSchema());
    try (VectorSchemaRoot root =
        VectorSchemaRoot.create(query.statement().resultSchema(), services.allocator())) {
      VarCharVector vector = (VarCharVector) root.getVector(0);
      for (int row = 0; row < lines.size(); row++) {
        vector.setSafe(row, lines.get(row).getBytes(StandardCharsets.UTF_8));
      }
      root.setRowCount(lines.size());
      sink.send(root);
    }
  }

  private String text(PreparedStatement.Explain.Detail detail, PlannedQuery query) {
    return switch (detail) {
      case LOGICAL -> query.plan().logicalText();
      case PHYSICAL -> physical(query);
      case ANALYZE -> throw new IllegalArgumentException("The query must run");
      case ALL -> query.plan().logicalText().stripTrailing() + "\n\n" + physical(query);
    };
  }

  private String physical(PlannedQuery query) {
    try (BackendQuery prepared = query.plan().start(services.allocator())) {
      return prepared.physicalPlan();
    }
  }
}
