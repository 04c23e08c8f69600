package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Gives the parts of a statement that expressions come from their node ids, 1, 2, …; 0 is none. */
final class NodeIds {
  private final Function<SqlParserPos, SourcePosition> positions;
  private final Map<SqlParserPos, Integer> ids = new LinkedHashMap<>();

  /**
   * @param positions adds the statement's text to a position
   */
  NodeIds(Function<SqlParserPos, SourcePosition> positions) {
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** The id of an expression, 0 where Calcite kept no position. */
  int of(RexNode node) {
    return node instanceof RexCall call ? of(call.getParserPosition()) : 0;
  }

  int of(SqlParserPos position) {
    if (!isKnown(position)) {
      return 0;
    }
    Integer known = ids.putIfAbsent(position, ids.size() + 1);
    return known == null ? ids.size() : known;
  }

  /** The error, with its place in the statement where that is known. */
  FulmarException at(SqlParserPos position, FulmarException error) {
    return isKnown(position) ? error.at(positions.apply(position)) : error;
  }

  Optional<SqlParserPos> positionOf(RexNode node) {
    return node instanceof RexCall call && isKnown(call.getParserPosition())
        ? Optional.of(call.getParserPosition())
        : Optional.empty();
  }

  Map<Integer, SourcePosition> all() {
    Map<Integer, SourcePosition> all = new LinkedHashMap<>();
    ids.forEach((position, id) -> all.put(id, positions.apply(position)));
    return all;
  }

  private static boolean isKnown(SqlParserPos position) {
    return position != null && position.getLineNum() > 0 && position.getColumnNum() > 0;
  }
}
