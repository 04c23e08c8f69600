package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;
import static org.apache.calcite.util.Static.RESOURCE;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.planner.function.Functions;
import io.fulmar.planner.name.NearNames;
import io.fulmar.planner.parse.Positions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Calcite's validation errors as ours. Calcite gives a message and a place; which message it is, is
 * told by comparing it with the templates of Calcite's own resources, so that an upgrade that
 * rewords one cannot go unnoticed by the tests.
 */
final class ValidationErrors {
  private static final String SUPPORTED_FORMS = ". Supported form(s):";

  private static final List<KnownMessage> KNOWN =
      List.of(
          KnownMessage.of(
              ErrorCode.UNKNOWN_COLUMN,
              "Column \"%s\" is not visible here",
              slot -> RESOURCE.columnNotFoundDidYouMean(slot, KnownMessage.REST).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_COLUMN,
              "Column \"%s\" is not visible here",
              slot -> RESOURCE.columnNotFound(slot).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_COLUMN,
              "Column \"%s\" does not exist in that table or struct",
              slot ->
                  RESOURCE
                      .columnNotFoundInTableDidYouMean(slot, KnownMessage.REST, KnownMessage.REST)
                      .str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_COLUMN,
              "Column \"%s\" does not exist in that table or struct",
              slot -> RESOURCE.columnNotFoundInTable(slot, KnownMessage.REST).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_COLUMN,
              "Field \"%s\" does not exist",
              slot -> RESOURCE.unknownField(slot).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_TABLE,
              "No table or alias \"%s\" is visible here",
              slot -> RESOURCE.tableNameNotFoundDidYouMean(slot, KnownMessage.REST).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_TABLE,
              "No table or alias \"%s\" is visible here",
              slot -> RESOURCE.tableNameNotFound(slot).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_TABLE,
              "No table or alias \"%s\" is visible here",
              slot -> RESOURCE.unknownIdentifier(slot).str()),
          KnownMessage.of(
              ErrorCode.AMBIGUOUS_NAME,
              "Column \"%s\" is in several tables; write it with its table",
              slot -> RESOURCE.columnAmbiguous(slot).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_FUNCTION,
              "No function takes these arguments: %s",
              slot -> RESOURCE.validatorUnknownFunction(slot).str()),
          KnownMessage.of(
              ErrorCode.UNKNOWN_FUNCTION,
              "Function \"%s\" takes another number of arguments",
              slot -> RESOURCE.invalidArgCount(slot, 7).str().replace("7", KnownMessage.REST)),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH,
              () ->
                  RESOURCE
                      .canNotApplyOp2Type(KnownMessage.REST, KnownMessage.REST, KnownMessage.REST)
                      .str()),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH,
              () -> RESOURCE.cannotCastValue(KnownMessage.REST, KnownMessage.REST).str()),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH,
              () ->
                  RESOURCE
                      .columnTypeMismatchInSetop(7, KnownMessage.REST)
                      .str()
                      .replace("7", KnownMessage.REST)),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH, () -> RESOURCE.needSameTypeParameter().str()),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH, () -> RESOURCE.illegalMixingOfTypes().str()),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH, () -> RESOURCE.incompatibleTypesInList().str()),
          KnownMessage.verbatim(
              ErrorCode.TYPE_MISMATCH,
              () -> RESOURCE.incompatibleValueType(KnownMessage.REST).str()),
          KnownMessage.verbatim(
              ErrorCode.INVALID_CAST,
              () ->
                  RESOURCE
                      .illegalLiteral(KnownMessage.REST, KnownMessage.REST, KnownMessage.REST)
                      .str()));

  private final Positions positions;
  private final Map<String, String> visibleNames;

  /**
   * @param visibleNames columns, fields and aliases of the statement with what to write for each
   */
  ValidationErrors(Positions positions, Map<String, String> visibleNames) {
    this.positions = requireNonNull(positions, "positions is null");
    this.visibleNames = Map.copyOf(visibleNames);
  }

  FulmarException translate(RuntimeException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof FulmarException typed) {
        return typed;
      }
    }
    Optional<CalciteContextException> placed = placed(error);
    if (placed.isPresent()) {
      return translate(placed.get());
    }
    if (error instanceof CalciteException known) {
      return of(String.valueOf(known.getMessage()));
    }
    return new FulmarException(
        ErrorCode.INTERNAL_ERROR, "The statement could not be analysed: " + error, error);
  }

  private static Optional<CalciteContextException> placed(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CalciteContextException placed) {
        return Optional.of(placed);
      }
    }
    return Optional.empty();
  }

  private FulmarException translate(CalciteContextException error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    SourcePosition position =
        positions.of(
            new SqlParserPos(
                error.getPosLine(),
                error.getPosColumn(),
                error.getEndPosLine(),
                error.getEndPosColumn()));
    return of(String.valueOf(cause.getMessage())).at(position);
  }

  private FulmarException of(String message) {
    for (KnownMessage known : KNOWN) {
      Optional<KnownMessage.Match> match = known.match(message);
      if (match.isPresent()) {
        return withHint(match.get());
      }
    }
    return new FulmarException(ErrorCode.INVALID_STATEMENT, message);
  }

  private FulmarException withHint(KnownMessage.Match match) {
    int forms = match.message().indexOf(SUPPORTED_FORMS);
    if (forms >= 0) {
      String supported = match.message().substring(forms + SUPPORTED_FORMS.length());
      return new FulmarException(match.code(), match.message().substring(0, forms))
          .withHint("Supported: " + String.join(", ", supported.trim().split("\\n+")) + ".");
    }
    FulmarException error = new FulmarException(match.code(), match.message());
    Optional<String> hint =
        switch (match.code()) {
          case UNKNOWN_COLUMN, UNKNOWN_TABLE ->
              NearNames.find(last(match.name()), visibleNames.keySet())
                  .map(near -> NearNames.hint(visibleNames.get(near)));
          case UNKNOWN_FUNCTION -> functionHint(match.name());
          default -> Optional.empty();
        };
    return hint.map(error::withHint).orElse(error);
  }

  private static Optional<String> functionHint(String signature) {
    int parenthesis = signature.indexOf('(');
    String name = parenthesis < 0 ? signature : signature.substring(0, parenthesis);
    Set<String> known = Functions.names();
    return known.stream().anyMatch(name::equalsIgnoreCase)
        ? Optional.of("The function exists, with other arguments.")
        : NearNames.hint(name, known);
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
