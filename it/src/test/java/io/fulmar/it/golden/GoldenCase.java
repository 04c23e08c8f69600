package io.fulmar.it.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One folder of golden tables.
 *
 * @param tables name → path of the metadata file; views are left out
 * @param views name → path of the metadata file of an Iceberg view
 */
public record GoldenCase(
    String id,
    String title,
    Map<String, String> tables,
    Map<String, String> views,
    List<Check> checks) {

  /** A query with its right answer. */
  public record Check(
      String sql,
      List<Column> columns,
      List<List<JsonNode>> rows,
      List<List<List<JsonNode>>> otherRows,
      boolean ordered,
      String error,
      String orError) {
    boolean wantsError() {
      return !error.isEmpty();
    }
  }

  /** A result column in Iceberg's type names. */
  public record Column(String name, GoldenType type) {}

  static GoldenCase parse(JsonNode json) {
    Map<String, String> tables = new LinkedHashMap<>();
    Map<String, String> views = new LinkedHashMap<>();
    json.get("tables")
        .properties()
        .forEach(
            table -> {
              boolean isView = table.getValue().path("view").asBoolean();
              (isView ? views : tables)
                  .put(table.getKey(), table.getValue().get("metadata").asText());
            });
    List<Check> checks = new ArrayList<>();
    json.get("checks").forEach(check -> checks.add(parseCheck(check)));
    return new GoldenCase(
        json.get("id").asText(), json.get("title").asText(), tables, views, checks);
  }

  private static Check parseCheck(JsonNode json) {
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : json.path("columns")) {
      columns.add(
          new Column(column.get("name").asText(), GoldenType.parse(column.get("type").asText())));
    }
    List<List<List<JsonNode>>> otherRows = new ArrayList<>();
    if (json.has("or_rows")) {
      otherRows.add(rows(json.get("or_rows")));
    }
    return new Check(
        json.get("sql").asText(),
        columns,
        rows(json.path("rows")),
        otherRows,
        json.path("ordered").asBoolean(),
        json.path("error").asText(""),
        json.path("or_error").asText(""));
  }

  private static List<List<JsonNode>> rows(JsonNode json) {
    List<List<JsonNode>> rows = new ArrayList<>();
    for (JsonNode row : json) {
      List<JsonNode> cells = new ArrayList<>();
      row.forEach(cells::add);
      rows.add(cells);
    }
    return rows;
  }
}
