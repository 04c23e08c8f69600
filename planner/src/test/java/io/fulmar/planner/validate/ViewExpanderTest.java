package io.fulmar.planner.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.view.ViewBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views that other engines wrote (rule R86). */
class ViewExpanderTest {
  private static TestCatalog catalog;
  private static Planning planning;
  private static int views;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    planning = new Planning(catalog.registry(), "ns1");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  /** A view of one column {@code x} whose names are of the schema {@code db}. */
  private static String view(Type type, String... dialectsAndTexts) {
    return view(Namespace.of("db"), type, dialectsAndTexts);
  }

  private static String view(Namespace defaults, Type type, String... dialectsAndTexts) {
    String name = "v" + views++;
    ViewBuilder builder =
        ((ViewCatalog) catalog.registry().require(TestCatalog.NAME).icebergCatalog())
            .buildView(TableIdentifier.of("db", name))
            .withSchema(new Schema(Types.NestedField.optional(0, "X", type)))
            .withDefaultNamespace(defaults);
    for (int i = 0; i < dialectsAndTexts.length; i += 2) {
      builder.withQuery(dialectsAndTexts[i], dialectsAndTexts[i + 1]);
    }
    builder.create();
    return "db." + name;
  }

  private static String plan(String view) {
    return planning.plan("SELECT X FROM " + view).logicalText();
  }

  private static FulmarException failure(String view) {
    return assertThrows(FulmarException.class, () -> plan(view));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "spark | SELECT `id` FROM events WHERE `kind` = \"a\"          | kind = 'a'",
        "spark | SELECT id FROM events WHERE kind = 'it\\'s'           | kind = 'it''s'",
        "spark | SELECT CAST(id AS BIGINT) FROM events ORDER BY qty LIMIT 1 | qty NULLS FIRST",
        "spark | SELECT id FROM events ORDER BY qty DESC LIMIT 1       | qty DESC NULLS LAST",
        "trino | SELECT id FROM events ORDER BY qty DESC LIMIT 1       | qty DESC NULLS LAST",
        "trino | SELECT \"id\" FROM \"events\" WHERE kind = 'a'        | kind = 'a'",
        "fulmar | SELECT id FROM events ORDER BY qty DESC LIMIT 1      | qty DESC",
      })
  void readsDialects(String dialect, String sql, String part) {
    String plan = plan(view(Types.LongType.get(), dialect, sql));
    assertTrue(plan.toUpperCase(Locale.ROOT).contains(part.toUpperCase(Locale.ROOT)), plan);
  }

  @Test
  void ownNullOrderStays() {
    String plan =
        plan(
            view(
                Types.LongType.get(), "fulmar", "SELECT id FROM events ORDER BY qty DESC LIMIT 1"));
    assertFalse(plan.toUpperCase(Locale.ROOT).contains("NULLS LAST"), plan);
  }

  @Test
  void namesAreOfTheViewsSchema() {
    String deep =
        view(Namespace.of("ns1", "ns2"), Types.StringType.get(), "trino", "SELECT c FROM deep");
    assertTrue(plan(deep).contains("ns2.deep"));
  }

  @Test
  void columnsHaveThePromisedNamesAndTypes() {
    String wider = view(Types.LongType.get(), "spark", "SELECT qty FROM events");
    assertTrue(plan(wider).contains("CAST(qty AS BIGINT)"), plan(wider));
    assertEquals(
        "X", planning.plan("SELECT * FROM " + wider).schema().getFields().get(0).getName());
  }

  @Test
  void theFirstReadableTextIsTaken() {
    String mixed =
        view(
            Types.LongType.get(),
            "trino",
            "SELECT id FROM events, LATERAL FLATTEN(tags)",
            "spark",
            "SELECT id FROM events");
    assertTrue(plan(mixed).contains("events"));
    String own =
        view(Types.LongType.get(), "spark", "SELECT 1L", "fulmar", "SELECT id FROM events");
    assertTrue(plan(own).contains("events"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "spark  | SELECT TRANSFORM(id) USING 'x' FROM events | UNSUPPORTED_SQL",
        "spark  | SELECT qty / 2 FROM events                 | UNSUPPORTED_SQL",
        "spark  | SELECT qty FROM events WHERE qty / 2 > 1   | UNSUPPORTED_SQL",
        "spark  | SELECT qty FROM events WHERE tags[0] = 'a' | UNSUPPORTED_SQL",
        "spark  | SELECT score FROM events                   | SCHEMA_MISMATCH",
        "spark  | SELECT qty, id FROM events                 | SCHEMA_MISMATCH",
        "fulmar | SELECT gone FROM events                    | UNKNOWN_COLUMN",
        "trino  | SELECT id FROM absent                      | UNKNOWN_TABLE",
        "trino  | SELECT ? FROM events                       | INVALID_STATEMENT",
        "trino  | DROP SCHEMA db                             | UNSUPPORTED_SQL",
      })
  void refusesWhatItWouldReadOtherwise(String dialect, String sql, ErrorCode code) {
    String view = view(Types.IntegerType.get(), dialect, sql);
    FulmarException error = failure(view);
    assertEquals(code, error.code(), error.getMessage());
    assertTrue(error.getMessage().contains("lake." + view), error.getMessage());
    assertTrue(error.getMessage().contains("dialect " + dialect), error.getMessage());
    assertEquals(view.substring("db.".length()), error.position().orElseThrow().text());
  }

  @Test
  void nestingEnds() {
    String inner = view(Types.LongType.get(), "fulmar", "SELECT id FROM events");
    for (int depth = 0; depth < 32; depth++) {
      inner = view(Types.LongType.get(), "fulmar", "SELECT x FROM " + inner);
    }
    assertEquals(ErrorCode.STATEMENT_TOO_COMPLEX, failure(inner).code());
  }

  @Test
  void aViewOfAnotherCatalogIsNamed() {
    ((ViewCatalog) catalog.registry().require(TestCatalog.NAME).icebergCatalog())
        .buildView(TableIdentifier.of("db", "foreign_view"))
        .withSchema(new Schema(Types.NestedField.optional(0, "X", Types.LongType.get())))
        .withDefaultNamespace(Namespace.of("db"))
        .withDefaultCatalog("elsewhere")
        .withProperties(Map.of())
        .withQuery("spark", "SELECT id FROM events")
        .create();
    FulmarException error = failure("db.foreign_view");
    assertEquals(ErrorCode.UNKNOWN_CATALOG, error.code());
    assertTrue(error.getMessage().contains("elsewhere"), error.getMessage());
  }
}
