package io.fulmar.planner.parse;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;

/** What the grammar's actions call. */
final class ParserSupport {
  /** The highest parameter number, {@code $32767}: JDBC drivers number up to 32767. */
  private static final int MAX_PARAMETER = 32_767;

  private static final Pattern WORD = Pattern.compile("[\\p{Alnum}_]+");

  private ParserSupport() {}

  /** {@code $1} is the first parameter. */
  static SqlDynamicParam positionalParameter(String image, SqlParserPos position) {
    String digits = image.substring(1);
    int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
    if (number < 1 || number > MAX_PARAMETER) {
      throw new FulmarException(
              ErrorCode.SYNTAX_ERROR, "Parameters are numbered from $1 to $" + MAX_PARAMETER)
          .at(Positions.of(position, image));
    }
    return new SqlDynamicParam(number - 1, position);
  }

  /** From the first character of a token to the last of another. */
  static SqlParserPos range(Token first, Token last) {
    return new SqlParserPos(first.beginLine, first.beginColumn, last.endLine, last.endColumn);
  }

  /** {@code INTERVAL '1 day 2 hours'}. */
  static SqlNode textInterval(int sign, String text, SqlParserPos position) {
    return IntervalText.parse(text, position).literal(sign, position);
  }

  /** Whether a token can stand in the key of SET: anything but the sign, TO and the end. */
  static boolean isPartOfSettingName(Token token) {
    return switch (token.kind) {
      case FulmarParserImplConstants.DOT,
          FulmarParserImplConstants.MINUS,
          FulmarParserImplConstants.QUOTED_IDENTIFIER ->
          true;
      case FulmarParserImplConstants.TO -> false;
      default -> WORD.matcher(token.image).matches();
    };
  }

  /** The text that a token adds to a key. */
  static String settingNamePart(Token token) {
    return token.kind == FulmarParserImplConstants.QUOTED_IDENTIFIER
        ? SqlParserUtil.stripQuotes(token.image, "\"", "\"", "\"\"", Casing.UNCHANGED)
        : token.image;
  }

  /** The value of SET: the text between quotes, or the words as they stand. */
  static SqlNode settingValue(String text, SqlParserPos position) {
    boolean quoted = text.length() >= 2 && text.startsWith("'") && text.endsWith("'");
    String value = quoted ? SqlParserUtil.parseString(text) : text;
    return SqlLiteral.createCharString(value, position);
  }
}
