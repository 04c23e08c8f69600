package io.fulmar.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a misspelt name may have meant. */
public final class Suggestions {
  private Suggestions() {}

  /** The closest candidate, if at most a third of the name's letters differ. */
  public static Optional<String> closest(String name, Collection<String> candidates) {
    String lower = name.toLowerCase(Locale.ROOT);
    int tolerance = Math.max(1, name.length() / 3);
    return candidates.stream()
        .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= tolerance)
        .min(
            Comparator.<String>comparingInt(
                    candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code ". Did you mean x?"}, or nothing. */
  static String didYouMean(String name, Collection<String> candidates) {
    return closest(name, candidates).map(found -> ". Did you mean " + found + "?").orElse("");
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours that turn one word into another.
   */
  private static int distance(String left, String right) {
    int[][] cost = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, left, right, i, j);
      }
    }
    return cost[left.length()][right.length()];
  }

  private static int cheapest(int[][] cost, String left, String right, int i, int j) {
    boolean same = left.charAt(i - 1) == right.charAt(j - 1);
    int best = cost[i - 1][j - 1] + (same ? 0 : 1);
    best = Math.min(best, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    if (i > 1
        && j > 1
        && left.charAt(i - 1) == right.charAt(j - 2)
        && left.charAt(i - 2) == right.charAt(j - 1)) {
      best = Math.min(best, cost[i - 2][j - 2] + 1);
    }
    return best;
  }
}
