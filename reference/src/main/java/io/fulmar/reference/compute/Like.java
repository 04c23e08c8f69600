package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;
import java.util.regex.Pattern;

/** LIKE: {@code %} is any text, {@code _} one character, an escape makes the next one literal. */
final class Like {
  private Like() {}

  /**
   * @param escape absent means backslash, empty that nothing escapes
   * @throws FulmarException INVALID_ARGUMENT for a pattern that ends with its escape
   */
  static Pattern compile(String pattern, Optional<String> escape) {
    String escaping = escape.orElse("\\");
    StringBuilder regex = new StringBuilder();
    int[] characters = pattern.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      String character = Character.toString(characters[i]);
      if (!escaping.isEmpty() && character.equals(escaping)) {
        if (++i == characters.length) {
          throw new FulmarException(
              ErrorCode.INVALID_ARGUMENT,
              "LIKE pattern '" + pattern + "' ends with its escape character");
        }
        regex.append(Pattern.quote(Character.toString(characters[i])));
      } else if (character.equals("%")) {
        regex.append(".*");
      } else if (character.equals("_")) {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(character));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
