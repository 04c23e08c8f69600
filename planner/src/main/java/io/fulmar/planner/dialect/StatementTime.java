package io.fulmar.planner.dialect;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.QuerySettings;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * When a statement runs, for CURRENT_TIMESTAMP and the like.
 *
 * @param micros since the epoch, UTC
 * @param zone of the session
 */
public record StatementTime(long micros, ZoneId zone) {
  public StatementTime {
    requireNonNull(zone, "zone is null");
  }

  /**
   * @throws FulmarException INVALID_SETTING for a zone that does not exist
   */
  public static StatementTime of(QuerySettings settings) {
    String name = settings.getSessionZone().isEmpty() ? "UTC" : settings.getSessionZone();
    try {
      return new StatementTime(settings.getNowMicros(), ZoneId.of(name));
    } catch (DateTimeException e) {
      throw new FulmarException(
          ErrorCode.INVALID_SETTING, "No time zone \"" + name + "\" exists", e);
    }
  }

  Instant instant() {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** The wall clock in the session's zone. */
  LocalDateTime local() {
    return LocalDateTime.ofInstant(instant(), zone);
  }
}
