package io.fulmar.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final AtomicLong clock = new AtomicLong();
  private final Sessions sessions =
      new Sessions(new SessionLimits(4, 2, Duration.ofMinutes(10)), clock::get);

  @Test
  void eachLoginHasItsOwnSessionAndToken() {
    Sessions.Opened one = sessions.open("ada");
    Sessions.Opened other = sessions.open("ada");

    assertNotEquals(one.token(), other.token());
    assertTrue(one.token().length() >= 32, one.token());
    assertSame(one.session(), sessions.find(one.token()));
    assertSame(other.session(), sessions.find(other.token()));
  }

  @Test
  void aTokenThatWasNeverGivenIsRefused() {
    FulmarException error = assertThrows(FulmarException.class, () -> sessions.find("x"));

    assertEquals(ErrorCode.UNAUTHENTICATED, error.code());
  }

  @Test
  void callsKeepASessionAlive() {
    Sessions.Opened opened = sessions.open("ada");
    for (int i = 0; i < 5; i++) {
      clock.addAndGet(Duration.ofMinutes(9).toNanos());
      assertSame(opened.session(), sessions.find(opened.token()));
    }
    clock.addAndGet(Duration.ofMinutes(11).toNanos());

    assertThrows(FulmarException.class, () -> sessions.find(opened.token()));
  }

  @Test
  void closingRevokesTheTokenAndTellsListenersOnce() {
    List<Session> closed = new ArrayList<>();
    sessions.onClose(closed::add);
    Sessions.Opened opened = sessions.open("ada");

    sessions.close(opened.session());
    sessions.close(opened.session());

    assertEquals(List.of(opened.session()), closed);
    assertThrows(FulmarException.class, () -> sessions.find(opened.token()));
  }

  @Test
  void aNewLoginEndsTheLongestIdleOfItsUser() {
    Sessions.Opened first = sessions.open("ada");
    clock.addAndGet(1);
    Sessions.Opened second = sessions.open("ada");
    clock.addAndGet(1);
    sessions.find(first.token());
    clock.addAndGet(1);

    Sessions.Opened third = sessions.open("ada");

    assertSame(first.session(), sessions.find(first.token()));
    assertSame(third.session(), sessions.find(third.token()));
    assertThrows(FulmarException.class, () -> sessions.find(second.token()));
  }

  @Test
  void theServersLimitIsAnError() {
    sessions.open("ada");
    sessions.open("ada");
    sessions.open("bob");
    sessions.open("bob");

    FulmarException error = assertThrows(FulmarException.class, () -> sessions.open("carol"));

    assertEquals(ErrorCode.LIMIT_EXCEEDED, error.code());
    assertTrue(error.hint().orElse("").contains("sessions.max"), error.toString());
  }

  @Test
  void expiredSessionsMakeRoom() {
    for (String user : List.of("ada", "ada", "bob", "bob")) {
      sessions.open(user);
    }
    clock.addAndGet(Duration.ofMinutes(11).toNanos());

    sessions.open("carol");

    assertEquals(1, sessions.count());
  }

  @Test
  void stateBelongsToOneSession() {
    Session one = sessions.open("ada").session();
    Session other = sessions.open("ada").session();

    one.update(state -> state.withNamespace(Optional.of("lake"), Optional.of("tpch")));
    one.update(state -> state.with(Settings.ENGINE_THREADS, 3));

    assertEquals(Optional.of("tpch"), one.state().schema());
    assertEquals(3, one.state().overrides().get(Settings.ENGINE_THREADS));
    assertEquals(SessionState.initial(), other.state());
  }

  @Test
  void aCallWithoutATokenHasNoSession() {
    FulmarException error =
        assertThrows(FulmarException.class, () -> Caller.anonymous().requireSession("USE"));

    assertEquals(ErrorCode.NO_SESSION, error.code());
    assertEquals("USE needs a session", error.getMessage());
  }
}
