package io.fulmar.planner.statement;

import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.planner.Command;
import io.fulmar.planner.parse.Positions;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlSetOption;

/** SET and RESET. Keys are in lower case; whether one exists is for the session to say. */
final class SettingCommands {
  private SettingCommands() {}

  static Command of(SqlSetOption option, Positions positions) {
    SqlIdentifier name = (SqlIdentifier) option.name();
    SourcePosition position = positions.of(name.getParserPosition());
    String key = name.getSimple().toLowerCase(Locale.ROOT);
    return option.getValue() instanceof SqlLiteral value
        ? new Command.SetOption(key, value.getValueAs(String.class), position)
        : new Command.ResetOption(key, position);
  }
}
