package io.fulmar.server.auth;

import static java.util.Objects.requireNonNull;

/** A user name and a password as a client sent them. */
record Credentials(String user, String password) {
  Credentials {
    requireNonNull(user, "user is null");
    requireNonNull(password, "password is null");
  }

  @Override
  public String toString() {
    return user + " with a password";
  }
}
