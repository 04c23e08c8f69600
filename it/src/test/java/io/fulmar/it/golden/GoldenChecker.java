package io.fulmar.it.golden;

import io.fulmar.it.client.QueryResult;
import io.fulmar.it.client.SqlClient;
import io.fulmar.it.client.SqlFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks one check through one client and says what is wrong with the answer. */
final class GoldenChecker {
  private static final Pattern CODE = Pattern.compile("\\b[A-Z]+(_[A-Z]+)+ \\([0-9A-Z]{5}\\)");
  private static final Pattern NAMED_FILE = Pattern.compile("(s3a?|file):/\\S+[^\\s.,;:)]");
  private static final int SHOWN_ROWS = 8;

  private final SqlClient client;
  private final GoldenValues values;

  GoldenChecker(SqlClient client) {
    this.client = client;
    this.values =
        new GoldenValues(
            client.name().equals("jdbc")
                ? GoldenValues.TimePrecision.MILLIS
                : GoldenValues.TimePrecision.EXACT);
  }

  /** What is wrong; empty if the answer is right. */
  Optional<String> problem(GoldenCase.Check check) {
    QueryResult result;
    try {
      result = client.query(check.sql());
    } catch (SqlFailure failure) {
      return failureProblem(check, failure.getMessage());
    }
    if (check.wantsError()) {
      return Optional.of(
          "gave " + result.rows().size() + " rows where an error is right: " + check.error());
    }
    return resultProblem(check, result);
  }

  private static Optional<String> failureProblem(GoldenCase.Check check, String message) {
    String wanted = check.wantsError() ? check.error() : check.orError();
    if (wanted.isEmpty()) {
      return Optional.of("failed: " + message.strip());
    }
    if (!CODE.matcher(message).find()) {
      return Optional.of("failed without an error code: " + message.strip());
    }
    if (message.contains("INTERNAL_ERROR") || message.contains("SYNTAX_ERROR")) {
      return Optional.of("failed with the wrong code: " + message.strip());
    }
    Matcher file = NAMED_FILE.matcher(wanted);
    if (file.find() && !message.contains(file.group())) {
      return Optional.of("did not name " + file.group() + ": " + message.strip());
    }
    return Optional.empty();
  }

  private Optional<String> resultProblem(GoldenCase.Check check, QueryResult result) {
    List<String> names = result.columns().stream().map(QueryResult.Column::name).toList();
    List<String> wantedNames = check.columns().stream().map(GoldenCase.Column::name).toList();
    if (!names.equals(wantedNames)) {
      return Optional.of("columns " + names + " where " + wantedNames + " are right");
    }
    Optional<String> type = typeProblem(check, result);
    if (type.isPresent()) {
      return type;
    }
    List<String> actual = canonical(check, result.rows());
    List<List<?>> candidates = new ArrayList<>();
    candidates.add(check.rows());
    candidates.addAll(check.otherRows());
    for (List<?> candidate : candidates) {
      if (actual.equals(canonical(check, candidate))) {
        return Optional.empty();
      }
    }
    return Optional.of(difference(canonical(check, check.rows()), actual));
  }

  private Optional<String> typeProblem(GoldenCase.Check check, QueryResult result) {
    if (!client.name().equals("adbc")) {
      return Optional.empty();
    }
    for (int i = 0; i < check.columns().size(); i++) {
      String actual = result.columns().get(i).type();
      String wanted = check.columns().get(i).type().arrowName();
      if (!actual.equals(wanted)) {
        return Optional.of(
            "column " + check.columns().get(i).name() + " is " + actual + ", not " + wanted);
      }
    }
    return Optional.empty();
  }

  private List<String> canonical(GoldenCase.Check check, List<?> rows) {
    List<String> lines = new ArrayList<>();
    for (Object row : rows) {
      List<?> cells = (List<?>) row;
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        texts.add(values.canonical(check.columns().get(i).type(), cells.get(i)));
      }
      lines.add(String.join(" | ", texts));
    }
    if (!check.ordered()) {
      Collections.sort(lines);
    }
    return lines;
  }

  private static String difference(List<String> wanted, List<String> actual) {
    List<String> missing = new ArrayList<>(wanted);
    actual.forEach(missing::remove);
    List<String> extra = new ArrayList<>(actual);
    wanted.forEach(extra::remove);
    return "%d rows where %d are right; missing %s; extra %s"
        .formatted(
            actual.size(),
            wanted.size(),
            missing.subList(0, Math.min(SHOWN_ROWS, missing.size())),
            extra.subList(0, Math.min(SHOWN_ROWS, extra.size())));
  }
}
