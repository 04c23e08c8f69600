package io.fulmar.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders, true",
    "orders, Orders, false",
    "ord%, orders, true",
    "%ers, orders, true",
    "o_ders, orders, true",
    "o_ders, oders, false",
    "a\\_b, a_b, true",
    "a\\_b, axb, false",
    "a\\%b, a%b, true",
    "a\\%b, axxb, false",
    "a\\\\b, a\\b, true",
    "a.b, axb, false",
    "'', '', true",
    "'', x, false",
    "(, (, true"
  })
  void matches(String pattern, String name, boolean expected) {
    assertEquals(expected, LikePattern.of(Optional.of(pattern)).matches(name));
  }

  @Test
  void anAbsentPatternMatchesAll() {
    assertTrue(LikePattern.of(Optional.empty()).matches("any\nthing"));
  }
}
