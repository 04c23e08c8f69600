package io.fulmar.server.auth;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.error.ErrorMapper;
import io.fulmar.server.session.Caller;
import io.fulmar.server.session.Sessions;
import java.util.Optional;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightProducer.CallContext;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.RequestContext;

/**
 * Knows the caller of one call. Basic credentials open a session, whose bearer token goes back in
 * the headers; a bearer token finds its session and renews it; no header means no session.
 */
public final class CallerMiddleware implements FlightServerMiddleware {
  /** Finds this middleware in a call's context. */
  public static final Key<CallerMiddleware> KEY = Key.of("fulmar-caller");

  private static final String HEADER = "authorization";

  private final Caller caller;
  private final Optional<String> newToken;

  private CallerMiddleware(Caller caller, Optional<String> newToken) {
    this.caller = caller;
    this.newToken = newToken;
  }

  /** The caller of a call that passed this middleware. */
  public static Caller callerOf(CallContext context) {
    return context.getMiddleware(KEY).caller;
  }

  /** Middleware for a server where every user name is accepted. */
  public static FlightServerMiddleware.Factory<CallerMiddleware> openAccess(Sessions sessions) {
    return new Factory(sessions, new OpenAuthenticator());
  }

  @Override
  public void onBeforeSendingHeaders(CallHeaders outgoing) {
    newToken.ifPresent(token -> outgoing.insert(HEADER, "Bearer " + token));
  }

  @Override
  public void onCallCompleted(CallStatus status) {}

  @Override
  public void onCallErrored(Throwable error) {}

  private static final class Factory implements FlightServerMiddleware.Factory<CallerMiddleware> {
    private final Sessions sessions;
    private final Authenticator authenticator;

    private Factory(Sessions sessions, Authenticator authenticator) {
      this.sessions = requireNonNull(sessions, "sessions is null");
      this.authenticator = requireNonNull(authenticator, "authenticator is null");
    }

    @Override
    public CallerMiddleware onCallStarted(
        CallInfo info, CallHeaders incoming, RequestContext context) {
      try {
        return identify(AuthorizationHeader.parse(incoming.get(HEADER)));
      } catch (RuntimeException e) {
        throw ErrorMapper.toFlight(e);
      }
    }

    private CallerMiddleware identify(AuthorizationHeader header) {
      if (header instanceof AuthorizationHeader.Bearer bearer) {
        Caller caller = Caller.of(sessions.find(bearer.token()));
        return new CallerMiddleware(caller, Optional.empty());
      }
      if (header instanceof AuthorizationHeader.Basic basic) {
        String user = authenticator.authenticate(basic.credentials());
        Sessions.Opened opened = sessions.open(user);
        return new CallerMiddleware(Caller.of(opened.session()), Optional.of(opened.token()));
      }

      return new CallerMiddleware(Caller.anonymous(), Optional.empty());
    }
  }
}
