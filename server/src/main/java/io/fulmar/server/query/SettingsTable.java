package io.fulmar.server.query;

import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.host.RowsHostTable;
import io.fulmar.server.config.Setting;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import java.util.Locale;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** The table {@code system.settings}: what the server was started with, and what SET may change. */
final class SettingsTable {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "key", Types.StringType.get()),
          Types.NestedField.required(2, "server_value", Types.StringType.get()),
          Types.NestedField.required(3, "default", Types.StringType.get()),
          Types.NestedField.required(4, "scope", Types.StringType.get()),
          Types.NestedField.required(5, "type", Types.StringType.get()),
          Types.NestedField.required(6, "description", Types.StringType.get()));

  private SettingsTable() {}

  static HostTable of(SettingValues values) {
    return new RowsHostTable(
        "system.settings",
        SCHEMA,
        () ->
            CloseableIterable.withNoopClose(
                Settings.ALL.stream().map(setting -> row(setting, values)).toList()));
  }

  private static HostRow row(Setting<?> setting, SettingValues values) {
    return HostRow.of(
        setting.key(),
        values.text(setting),
        setting.defaultText(),
        setting.scope().name().toLowerCase(Locale.ROOT),
        setting.type().name(),
        setting.description());
  }
}
