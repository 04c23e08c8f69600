package io.fulmar.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorizationHeaderTest {
  @Test
  void readsBasicCredentials() {
    AuthorizationHeader.Basic basic =
        assertInstanceOf(
            AuthorizationHeader.Basic.class, AuthorizationHeader.parse(basic("ada:se:cret")));

    assertEquals(new Credentials("ada", "se:cret"), basic.credentials());
    assertFalse(basic.toString().contains("cret"), basic.toString());
  }

  @Test
  void readsBearerTokens() {
    assertEquals(new AuthorizationHeader.Bearer("abc"), AuthorizationHeader.parse("bearer abc"));
  }

  @Test
  void noHeaderIsNoError() {
    assertEquals(new AuthorizationHeader.Absent(), AuthorizationHeader.parse(null));
    assertEquals(new AuthorizationHeader.Absent(), AuthorizationHeader.parse(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic", "Basic !!!", "Digest x", "Basic YWRh"})
  void refusesMalformedHeaders(String header) {
    FulmarException error =
        assertThrows(FulmarException.class, () -> AuthorizationHeader.parse(header));

    assertEquals(ErrorCode.UNAUTHENTICATED, error.code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb"})
  void refusesUserNamesThatAreNone(String user) {
    assertThrows(
        FulmarException.class,
        () -> new OpenAuthenticator().authenticate(new Credentials(user, "x")));
  }

  private static String basic(String userAndPassword) {
    byte[] bytes = userAndPassword.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }
}
