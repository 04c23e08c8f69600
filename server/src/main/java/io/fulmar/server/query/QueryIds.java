package io.fulmar.server.query;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicLong;

/** Names of statements: the time in UTC and a count, fit for folder names. */
final class QueryIds {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss").withZone(ZoneOffset.UTC);

  private final AtomicLong next = new AtomicLong(1);

  String next(Instant now) {
    return "%s_%05d".formatted(TIME.format(now), next.getAndIncrement());
  }
}
