package io.fulmar.it.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rows of a query as a client gave them.
 *
 * @param columns in order
 * @param rows cells as the client's own Java values; NULL is null
 */
public record QueryResult(List<Column> columns, List<List<Object>> rows) {
  public QueryResult {
    columns = List.copyOf(columns);
    rows = Collections.unmodifiableList(new ArrayList<>(rows));
  }

  /**
   * A result column.
   *
   * @param name its label
   * @param type the client's name of its type
   */
  public record Column(String name, String type) {}
}
