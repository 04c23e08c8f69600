package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.PreparedStatement;
import io.fulmar.planner.backend.BackendQuery;
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
    List<String> lines = text(detail, query).lines().toList();
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
      case ALL -> query.plan().logicalText().stripTrailing() + "\n\n" + physical(query);
    };
  }

  private String physical(PlannedQuery query) {
    try (BackendQuery prepared = query.plan().start(services.allocator())) {
      return prepared.physicalPlan();
    }
  }
}
