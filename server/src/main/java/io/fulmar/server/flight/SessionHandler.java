package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.session.Caller;
import io.fulmar.server.session.Session;
import io.fulmar.server.session.Sessions;
import io.fulmar.server.statement.SessionOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.SessionOptionValue;
import org.apache.arrow.flight.SessionOptionValueFactory;
import org.apache.arrow.flight.SetSessionOptionsRequest;
import org.apache.arrow.flight.SetSessionOptionsResult;

/** Session options and the end of a session. */
final class SessionHandler {
  private final Sessions sessions;
  private final SessionOptions options;

  SessionHandler(Sessions sessions, SessionOptions options) {
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.options = requireNonNull(options, "options is null");
  }

  /**
   * Sets what can be set, and tells for each other option what is wrong with it. By name: a new
   * catalog comes before the schema in it.
   */
  SetSessionOptionsResult set(Caller caller, SetSessionOptionsRequest request) {
    Session session = caller.requireSession("Setting options");
    Map<String, SetSessionOptionsResult.Error> errors = new HashMap<>();
    new TreeMap<>(request.getSessionOptions())
        .forEach(
            (name, value) -> {
              try {
                set(session, name, value);
              } catch (FulmarException e) {
                errors.put(name, new SetSessionOptionsResult.Error(kindOf(e)));
              }
            });
    return new SetSessionOptionsResult(errors);
  }

  /** The options that stand; none without a session. */
  GetSessionOptionsResult options(Caller caller) {
    Map<String, SessionOptionValue> values = new HashMap<>();
    options
        .all(caller.state())
        .forEach(
            (name, value) ->
                values.put(name, SessionOptionValueFactory.makeSessionOptionValue(value)));
    return new GetSessionOptionsResult(values);
  }

  /** Ends the session and revokes its token; without a session there is nothing to end. */
  CloseSessionResult close(Caller caller) {
    caller.session().ifPresent(sessions::close);
    return new CloseSessionResult(CloseSessionResult.Status.CLOSED);
  }

  private void set(Session session, String name, SessionOptionValue value) {
    if (value.isEmpty()) {
      options.reset(session, name);
      return;
    }

    options.set(session, name, value.acceptVisitor(new OptionText()));
  }

  private static SetSessionOptionsResult.ErrorValue kindOf(FulmarException error) {
    return error.code() == ErrorCode.UNKNOWN_SETTING
        ? SetSessionOptionsResult.ErrorValue.INVALID_NAME
        : SetSessionOptionsResult.ErrorValue.INVALID_VALUE;
  }
}
