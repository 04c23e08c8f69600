package io.fulmar.server.auth;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** The {@code authorization} header, parsed. */
sealed interface AuthorizationHeader {
  /** No header. */
  record Absent() implements AuthorizationHeader {}

  /** {@code Basic}. */
  record Basic(Credentials credentials) implements AuthorizationHeader {}

  /** {@code Bearer}. */
  record Bearer(String token) implements AuthorizationHeader {
    @Override
    public String toString() {
      return "Bearer";
    }
  }

  /**
   * Parses a header's value, null where there is none.
   *
   * @throws FulmarException UNAUTHENTICATED if it is malformed
   */
  static AuthorizationHeader parse(String value) {
    if (value == null || value.isBlank()) {
      return new Absent();
    }

    int space = value.indexOf(' ');
    String scheme = space < 0 ? value : value.substring(0, space);
    String rest = space < 0 ? "" : value.substring(space + 1).strip();
    return switch (scheme.toLowerCase(Locale.ROOT)) {
      case "basic" -> new Basic(parseBasic(rest));
      case "bearer" -> new Bearer(rest);
      default -> throw malformed();
    };
  }

  private static Credentials parseBasic(String encoded) {
    try {
      String decoded = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      int colon = decoded.indexOf(':');
      if (colon < 0) {
        throw malformed();
      }

      return new Credentials(decoded.substring(0, colon), decoded.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static FulmarException malformed() {
    return new FulmarException(ErrorCode.UNAUTHENTICATED, "The authorization header is malformed");
  }
}
