package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** One login. Safe for use by several threads: several statements may run in it at once. */
public final class Session {
  private final String id;
  private final String user;
  private final AtomicReference<SessionState> state = new AtomicReference<>(SessionState.initial());

  Session(String id, String user) {
    this.id = requireNonNull(id, "id is null");
    this.user = requireNonNull(user, "user is null");
  }

  /** For logs and system tables; it is not the token and gives no access. */
  public String id() {
    return id;
  }

  public String user() {
    return user;
  }

  public SessionState state() {
    return state.get();
  }

  /** Replaces the state; statements that already run keep the old one. */
  public void update(UnaryOperator<SessionState> change) {
    state.updateAndGet(change);
  }

  @Override
  public String toString() {
    return "session " + id + " of " + user;
  }
}
