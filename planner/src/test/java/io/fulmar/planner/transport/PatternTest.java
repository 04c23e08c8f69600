package io.fulmar.planner.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a!%b%  | !  | a\\%b%",
        "a!!b   | !  | a!b",
        "a\\b   | !  | a\\\\b",
        "a!_    | !  | a\\_",
        "a!bc   | !  | abc",
        "a%     | \\ | a%",
        "x#%#_  | #  | x\\%\\_"
      })
  void likeTakesBackslash(String pattern, String escape, String expected) {
    assertEquals(expected, LikePattern.withBackslash(pattern, Optional.of(escape)));
  }

  @Test
  void likeWithoutEscapeTakesBackslashAlready() {
    assertEquals("a\\%b_", LikePattern.withBackslash("a\\%b_", Optional.empty()));
    assertEquals("a\\\\b", LikePattern.withBackslash("a\\b", Optional.of("")));
  }

  @Test
  void likeRefusesWhatNobodyCanMean() {
    assertInvalid(() -> LikePattern.withBackslash("a!", Optional.of("!")));
    assertInvalid(() -> LikePattern.withBackslash("a\\", Optional.empty()));
    assertInvalid(() -> LikePattern.withBackslash("a", Optional.of("xy")));
  }

  private static void assertInvalid(Executable call) {
    FulmarException error = assertThrows(FulmarException.class, call);
    assertEquals(ErrorCode.INVALID_ARGUMENT, error.code());
  }

  @Test
  void likePrefixEndsAtTheFirstWildcard() {
    assertEquals(new LikePattern.Prefix("ab", false), LikePattern.prefix("ab%c"));
    assertEquals(new LikePattern.Prefix("a%", true), LikePattern.prefix("a\\%"));
    assertEquals(new LikePattern.Prefix("", false), LikePattern.prefix("_a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(ab)%     | abyz  | true",
        "(ab)%     | cxyz  | false",
        "a_c       | abc   | true",
        "a_c       | abbc  | false",
        "a.c       | abc   | false",
        "[a-c]+    | abcab | true",
        "[^a-c]+   | xyz   | true",
        "[a.]*     | a.a   | true",
        "a{2,3}    | aaa   | true",
        "a\\%      | a%    | true",
        "a\\%      | ab    | false",
        "a$        | a$    | true"
      })
  void similarIsAnAnchoredRegularExpression(String pattern, String text, boolean matches) {
    assertEquals(
        matches,
        text.matches(
            SimilarPattern.toRegex(pattern, Optional.empty())
                .replaceFirst("^\\^", "")
                .replaceFirst("\\$$", "")),
        pattern);
  }

  @Test
  void similarRefusesOpenEnds() {
    assertInvalid(() -> SimilarPattern.toRegex("[ab", Optional.empty()));
    assertInvalid(() -> SimilarPattern.toRegex("ab!", Optional.of("!")));
  }
}
