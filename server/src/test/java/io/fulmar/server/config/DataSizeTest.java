package io.fulmar.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17B, 17",
    "64kb, 65536",
    "64KiB, 65536",
    "1.5 GB, 1610612736",
    "2m, 2097152",
    "1TB, 1099511627776"
  })
  void readsSizes(String text, long bytes) {
    assertEquals(bytes, DataSize.parse(text).bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MB", "-1MB", "12XB", "1e3", "99999999999999TB"})
  void refusesOtherText(String text) {
    assertThrows(IllegalArgumentException.class, () -> DataSize.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0B", "17B", "64KB", "1536MB", "3GB", "2TB"})
  void writesTheLargestWholeUnit(String text) {
    assertEquals(text, DataSize.parse(text).toString());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "500ms, 500", "30s, 30000", "5m, 300000", "2h, 7200000", "1d, 86400000"})
  void readsDurations(String text, long millis) {
    assertEquals(Duration.ofMillis(millis), Durations.parse(text));
  }

  @Test
  void refusesOtherDurations() {
    assertThrows(IllegalArgumentException.class, () -> Durations.parse("soon"));
    assertThrows(IllegalArgumentException.class, () -> Durations.parse("5"));
    assertThrows(IllegalArgumentException.class, () -> Durations.parse("99999999999999999999d"));
  }
}
