package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;

/**
 * Who makes a call.
 *
 * @param user {@code anonymous} for a call without a token
 * @param session absent for a call without a token
 */
public record Caller(String user, Optional<Session> session) {
  private static final String ANONYMOUS = "anonymous";

  public Caller {
    requireNonNull(user, "user is null");
    requireNonNull(session, "session is null");
  }

  public static Caller anonymous() {
    return new Caller(ANONYMOUS, Optional.empty());
  }

  public static Caller of(Session session) {
    return new Caller(session.user(), Optional.of(session));
  }

  /** The session's state, or the initial one. */
  public SessionState state() {
    return session.map(Session::state).orElse(SessionState.initial());
  }

  /** Whom handles and tickets belong to: the session, or all callers without one. */
  public String owner() {
    return session.map(Session::id).orElse("");
  }

  /**
   * The session, for what only a session can have.
   *
   * @throws FulmarException NO_SESSION
   */
  public Session requireSession(String what) {
    return session.orElseThrow(
        () ->
            new FulmarException(ErrorCode.NO_SESSION, what + " needs a session")
                .withHint(
                    "Connect with a user name, so that the server can tell your calls apart."));
  }
}
