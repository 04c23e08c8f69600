package io.fulmar.planner.name;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** "Did you mean". */
public final class NearNames {
  private static final int CHARACTERS_PER_SLIP = 3;
  private static final int MAX_LENGTH = 128;

  private NearNames() {}

  /** The known name that is nearest to a misspelt one, if one is near. */
  public static Optional<String> find(String name, Collection<String> known) {
    if (name.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String lower = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, name.length() / CHARACTERS_PER_SLIP);
    return known.stream()
        .filter(candidate -> Math.abs(candidate.length() - name.length()) <= limit)
        .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.<String>comparingInt(
                    candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** A hint, or empty. */
  public static Optional<String> hint(String name, Collection<String> known) {
    return find(name, known).map(NearNames::hint);
  }

  /** The hint for a near name. */
  public static String hint(String near) {
    return "Did you mean \"" + near + "\"?";
  }

  /** Insertions, deletions, replacements and swaps of neighbours. */
  private static int distance(String left, String right) {
    int[] beforePrevious = new int[right.length() + 1];
    int[] previous = new int[right.length() + 1];
    int[] current = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
        current[j] =
            Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + replaced);
        boolean swapped =
            i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        if (swapped) {
          current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
        }
      }
      int[] free = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = free;
    }
    return previous[right.length()];
  }
}
