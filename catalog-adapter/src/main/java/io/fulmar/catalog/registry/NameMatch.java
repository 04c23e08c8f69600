package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rule for unquoted names: the exact match, else the one match that differs by case alone. */
final class NameMatch {
  private NameMatch() {}

  /**
   * @throws FulmarException AMBIGUOUS_NAME where no match is exact and several differ by case
   */
  static <T> Optional<T> only(Collection<T> candidates, Function<T, String> nameOf, String wanted) {
    List<T> matches =
        candidates.stream()
            .filter(candidate -> nameOf.apply(candidate).equalsIgnoreCase(wanted))
            .toList();
    Optional<T> exact =
        matches.stream().filter(match -> nameOf.apply(match).equals(wanted)).findFirst();
    if (exact.isPresent() || matches.isEmpty()) {
      return exact;
    }

    if (matches.size() > 1) {
      List<String> names = matches.stream().map(nameOf).toList();
      throw new FulmarException(
              ErrorCode.AMBIGUOUS_NAME, "The name " + wanted + " fits several: " + names)
          .withHint("Put the name in double quotes.");
    }
    return Optional.of(matches.get(0));
  }
}
