package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.scan.ScanOptions;
import io.fulmar.engine.plan.DeleteForm;
import io.fulmar.engine.plan.QuerySettings;
import io.fulmar.planner.PlanningContext;
import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.session.Caller;
import io.fulmar.server.statement.SessionOptions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What planner and engine need of a caller's settings. */
final class QuerySettingsFactory {
  private static final DataSize LEAST_GRANT = DataSize.ofMegabytes(32);
  private static final DataSize BUFFERS_PER_THREAD = DataSize.ofMegabytes(8);

  private final ServerConfig config;
  private final SessionOptions options;

  QuerySettingsFactory(ServerConfig config, SessionOptions options) {
    this.config = requireNonNull(config, "config is null");
    this.options = requireNonNull(options, "options is null");
  }

  /** The settings of a caller's statements. */
  SettingValues values(Caller caller) {
    return config.values().with(caller.state().overrides());
  }

  PlanningContext context(Caller caller, String queryId, Instant now) {
    SettingValues values = values(caller);
    return new PlanningContext(
        caller.user(),
        options.catalogOf(caller.state()),
        caller.state().schema(),
        scanOptions(values),
        querySettings(values, queryId, now));
  }

  /**
   * What a statement is admitted with: the memory that it gets in any case, and the buffers of
   * decoding and exchange, which its operators do not reserve.
   */
  DataSize reserve(SettingValues values) {
    long grant = Math.min(values.value(Settings.MEMORY_QUERY_LIMIT).bytes(), LEAST_GRANT.bytes());
    long buffers = values.value(Settings.ENGINE_THREADS) * BUFFERS_PER_THREAD.bytes();
    return new DataSize(grant + buffers);
  }

  private static ScanOptions scanOptions(SettingValues values) {
    return new ScanOptions(
        values.value(Settings.SCAN_SPLIT_SIZE).bytes(),
        values.value(Settings.SCAN_PRUNING)
            ? ScanOptions.Pruning.ENABLED
            : ScanOptions.Pruning.DISABLED);
  }

  private static QuerySettings querySettings(SettingValues values, String queryId, Instant now) {
    return QuerySettings.newBuilder()
        .setThreads(values.value(Settings.ENGINE_THREADS))
        .setMemoryLimitBytes(values.value(Settings.MEMORY_QUERY_LIMIT).bytes())
        .setSpillLimitBytes(values.value(Settings.SPILL_QUERY_LIMIT).bytes())
        .setBatchRows(values.value(Settings.ENGINE_BATCH_ROWS))
        .setDeleteForm(deleteForm(values))
        .setPruning(values.value(Settings.SCAN_PRUNING))
        .setDeleteCache(values.value(Settings.SCAN_DELETE_CACHE))
        .setQueryId(queryId)
        .setNowMicros(ChronoUnit.MICROS.between(Instant.EPOCH, now))
        .setSessionZone(values.value(Settings.SESSION_TIME_ZONE).getId())
        .build();
  }

  private static DeleteForm deleteForm(SettingValues values) {
    return switch (values.value(Settings.SCAN_DELETE_FORM)) {
      case AUTO -> DeleteForm.DELETE_FORM_AUTO;
      case SET -> DeleteForm.DELETE_FORM_SET;
      case MERGE -> DeleteForm.DELETE_FORM_MERGE;
    };
  }
}
