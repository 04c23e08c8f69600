package io.fulmar.planner.parse;

import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code table FOR SYSTEM_VERSION AS OF id | 'branch or tag'}. */
public final class VersionSnapshot extends SqlSnapshot {
  VersionSnapshot(SqlParserPos position, SqlNode table, SqlNode version) {
    super(position, table, version);
  }
}
