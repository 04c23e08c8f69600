package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.scan.DeleteGroup;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.util.ArrayList;
import java.util.List;

/** The equality deletes of one scope and id set, and whether any concerns a data file. */
final class EqualityGroup {
  /** Nodes of the index that one look-up may visit before it takes the group as concerned. */
  private static final int SEARCH_BUDGET = 256;

  private final List<Integer> fieldIds;
  private final String scope;
  private final int[] columnNumbers;
  private final List<KeyColumn> columns;
  private final List<Integer> files = new ArrayList<>();
  private final LongColumn sequences = new LongColumn();
  private long maxSequence = Long.MIN_VALUE;
  private int number = -1;
  private List<KeyColumn.Intervals> intervals = List.of();
  private IntervalIndex index;
  private KeyColumn.Intervals indexed;
  private long maxNullSequence = Long.MIN_VALUE;

  /**
   * @param fieldIds sorted
   * @param columnNumbers which of the plan's key columns have statistics in this group
   * @param columns of those
   */
  EqualityGroup(
      List<Integer> fieldIds, String scope, int[] columnNumbers, List<KeyColumn> columns) {
    this.fieldIds = fieldIds;
    this.scope = scope;
    this.columnNumbers = columnNumbers.clone();
    this.columns = List.copyOf(columns);
  }

  /**
   * @param keys values of the delete file, one for each of the group's columns
   */
  void add(int file, long sequence, List<ValueSummary> keys) {
    files.add(file);
    sequences.add(sequence);
    maxSequence = Math.max(maxSequence, sequence);
    for (int position = 0; position < columns.size(); position++) {
      columns.get(position).add(keys.get(position));
    }
  }

  int[] columnNumbers() {
    return columnNumbers.clone();
  }

  int number() {
    return number;
  }

  /** Ends the adding; the index is built over the column that tells most. */
  DeleteGroup finish(int groupNumber) {
    number = groupNumber;
    intervals = columns.stream().map(KeyColumn::finish).toList();
    long most = 1;
    for (KeyColumn.Intervals each : intervals) {
      long distinct = each.distinct();
      if (indexed == null || distinct > most) {
        indexed = each;
        most = distinct;
      }
    }

    if (indexed != null) {
      buildIndex();
    }
    return new DeleteGroup(groupNumber, fieldIds, files, scope);
  }

  /**
   * Whether a delete of a higher sequence number may match a row of the data file (rule R10).
   *
   * @param keys values of the data file, by number of the plan's key columns; empty: unknown
   */
  boolean mayApply(long dataSequence, List<ValueSummary> keys) {
    if (maxSequence <= dataSequence) {
      return false;
    }
    if (index == null || keys.isEmpty()) {
      return true;
    }

    List<Range> ranges = ranges(keys);
    Range range = ranges.get(intervals.indexOf(indexed));
    if (range.nulls && maxNullSequence > dataSequence) {
      return true;
    }
    return index.any(
        range.from, range.to, dataSequence, SEARCH_BUDGET, entry -> meets(entry, ranges));
  }

  private record Range(long from, long to, boolean nulls) {}

  private List<Range> ranges(List<ValueSummary> keys) {
    List<Range> ranges = new ArrayList<>(columnNumbers.length);
    for (int position = 0; position < columnNumbers.length; position++) {
      ValueSummary values = keys.get(columnNumbers[position]);
      KeyColumn column = columns.get(position);
      ranges.add(
          values.ordinary()
              ? new Range(
                  column.floor(values.lower()), column.ceiling(values.upper()), values.nulls())
              : new Range(Long.MAX_VALUE, Long.MIN_VALUE, values.nulls()));
    }
    return ranges;
  }

  private boolean meets(int entry, List<Range> ranges) {
    for (int position = 0; position < ranges.size(); position++) {
      Range range = ranges.get(position);
      if (!intervals.get(position).meets(entry, range.from, range.to, range.nulls)) {
        return false;
      }
    }
    return true;
  }

  private void buildIndex() {
    long[] newest = new long[files.size()];
    for (int entry = 0; entry < newest.length; entry++) {
      newest[entry] = sequences.get(entry);
      if (indexed.nulls().get(entry)) {
        maxNullSequence = Math.max(maxNullSequence, newest[entry]);
      }
    }
    index = new IntervalIndex(indexed.lows(), indexed.highs(), newest);
  }
}
