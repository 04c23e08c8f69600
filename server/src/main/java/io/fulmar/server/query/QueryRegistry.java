package io.fulmar.server.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statements that run, and the latest that ended. Safe for use by several threads. */
final class QueryRegistry {
  private final int history;
  private final Map<String, QueryRecord> active = new LinkedHashMap<>();
  private final Deque<QueryRecord> ended = new ArrayDeque<>();

  /**
   * @param history how many ended statements are kept
   */
  QueryRegistry(int history) {
    this.history = history;
  }

  synchronized void add(QueryRecord record) {
    active.put(record.queryId(), record);
  }

  /** Moves a statement to the history. */
  synchronized void end(QueryRecord record) {
    active.remove(record.queryId());
    ended.addLast(record);
    while (ended.size() > history) {
      ended.removeFirst();
    }
  }

  /** A statement that runs. */
  synchronized Optional<QueryRecord> find(String queryId) {
    return Optional.ofNullable(active.get(queryId));
  }

  /** Ended ones first, each group in the order of time. */
  synchronized List<QueryRecord> all() {
    List<QueryRecord> records = new ArrayList<>(ended);
    records.addAll(active.values());
    return records;
  }

  synchronized List<QueryRecord> active() {
    return List.copyOf(active.values());
  }
}
