package io.fulmar.server.auth;

/** Decides whether credentials are good. */
@FunctionalInterface
interface Authenticator {
  /**
   * The name of the user behind good credentials.
   *
   * @throws io.fulmar.catalog.error.FulmarException UNAUTHENTICATED
   */
  String authenticate(Credentials credentials);
}
