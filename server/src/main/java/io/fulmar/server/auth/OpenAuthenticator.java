package io.fulmar.server.auth;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;

/**
 * Accepts every user name with any password: for servers that only the machine itself can reach.
 */
final class OpenAuthenticator implements Authenticator {
  private static final int MAX_NAME_LENGTH = 128;

  @Override
  public String authenticate(Credentials credentials) {
    String user = credentials.user();
    if (user.isBlank() || user.length() > MAX_NAME_LENGTH || hasControl(user)) {
      throw new FulmarException(ErrorCode.UNAUTHENTICATED, "The user name is empty or malformed");
    }

    return user;
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
