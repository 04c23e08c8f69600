package io.fulmar.planner.testing;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.CatalogSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** An in-memory catalog with tables of every type, names of every spelling and TPC-H. */
public final class TestCatalog implements AutoCloseable {
  /** The catalog's name. */
  public static final String NAME = "lake";

  private static final Map<String, String> V3 = Map.of("format-version", "3");

  private final CatalogRegistry registry;

  public TestCatalog() {
    this.registry =
        CatalogRegistry.open(
            List.of(
                new CatalogSettings(NAME, "in-memory", Map.of(), Map.of()),
                new CatalogSettings("other", "in-memory", Map.of(), Map.of())));
    namespace("db");
    namespace("ns1");
    namespace("ns1", "ns2");
    namespace("tpch");
    createTypes();
    createNames();
    createEvents();
    createTpch();
  }

  public CatalogRegistry registry() {
    return registry;
  }

  private void namespace(String... levels) {
    registry.require(NAME).createNamespace(Namespace.of(levels), Map.of());
  }

  /** Creates a table in a namespace whose levels are joined by dots. */
  public void create(String namespace, String name, Types.NestedField... fields) {
    registry
        .require(NAME)
        .icebergCatalog()
        .createTable(
            TableIdentifier.of(Namespace.of(namespace.split("\\.")), name),
            new Schema(fields),
            PartitionSpec.unpartitioned(),
            V3);
  }

  private void createTypes() {
    create(
        "db",
        "types",
        required(1, "id", Types.LongType.get()),
        optional(2, "b", Types.BooleanType.get()),
        optional(3, "i", Types.IntegerType.get()),
        optional(4, "l", Types.LongType.get()),
        optional(5, "f", Types.FloatType.get()),
        optional(6, "d", Types.DoubleType.get()),
        optional(7, "dec", Types.DecimalType.of(12, 2)),
        optional(8, "dt", Types.DateType.get()),
        optional(9, "tm", Types.TimeType.get()),
        optional(10, "ts", Types.TimestampType.withoutZone()),
        optional(11, "tsz", Types.TimestampType.withZone()),
        optional(12, "tsn", Types.TimestampNanoType.withoutZone()),
        optional(13, "tszn", Types.TimestampNanoType.withZone()),
        optional(14, "s", Types.StringType.get()),
        optional(15, "u", Types.UUIDType.get()),
        optional(16, "fx", Types.FixedType.ofLength(4)),
        optional(17, "bin", Types.BinaryType.get()),
        optional(18, "v", Types.VariantType.get()),
        optional(19, "unk", Types.UnknownType.get()),
        optional(
            20,
            "st",
            Types.StructType.of(
                optional(21, "a", Types.IntegerType.get()),
                optional(22, "n", Types.StructType.of(optional(23, "x", Types.StringType.get()))))),
        optional(24, "arr", Types.ListType.ofOptional(25, Types.IntegerType.get())),
        optional(
            26,
            "m",
            Types.MapType.ofOptional(27, 28, Types.StringType.get(), Types.IntegerType.get())));
  }

  private void createNames() {
    create(
        "db",
        "Loans",
        optional(1, "LoanID", Types.LongType.get()),
        optional(2, "a", Types.IntegerType.get()),
        optional(3, "A", Types.StringType.get()),
        optional(4, "odd name", Types.StringType.get()),
        optional(5, "dot.ted", Types.StringType.get()),
        optional(6, "😀", Types.StringType.get()),
        optional(7, "Select", Types.StringType.get()),
        optional(8, "xX", Types.StringType.get()),
        optional(9, "Xx", Types.StringType.get()));
    create("db", "t", optional(1, "id", Types.LongType.get()));
    create("db", "Twin", optional(1, "x", Types.LongType.get()));
    create("db", "TWIN", optional(1, "y", Types.LongType.get()));
    create("ns1.ns2", "deep", optional(1, "c", Types.StringType.get()));
    create("ns1.ns2", "files", optional(1, "c", Types.StringType.get()));
  }

  private void createEvents() {
    create(
        "db",
        "events",
        required(1, "id", Types.LongType.get()),
        optional(2, "user_id", Types.LongType.get()),
        optional(3, "ts", Types.TimestampType.withoutZone()),
        optional(4, "tsz", Types.TimestampType.withZone()),
        optional(5, "day", Types.DateType.get()),
        optional(6, "kind", Types.StringType.get()),
        optional(7, "amount", Types.DecimalType.of(10, 2)),
        optional(8, "qty", Types.IntegerType.get()),
        optional(9, "score", Types.DoubleType.get()),
        optional(10, "flag", Types.BooleanType.get()),
        optional(11, "uid", Types.UUIDType.get()),
        optional(
            12,
            "addr",
            Types.StructType.of(
                optional(13, "city", Types.StringType.get()),
                optional(
                    14,
                    "geo",
                    Types.StructType.of(
                        optional(15, "lat", Types.DoubleType.get()),
                        optional(16, "id", Types.LongType.get()))))),
        optional(17, "tags", Types.ListType.ofOptional(18, Types.StringType.get())),
        optional(
            19,
            "items",
            Types.ListType.ofOptional(
                20,
                Types.StructType.of(
                    optional(21, "sku", Types.StringType.get()),
                    optional(22, "price", Types.DecimalType.of(8, 2))))),
        optional(
            23,
            "props",
            Types.MapType.ofOptional(24, 25, Types.StringType.get(), Types.StringType.get())));
    create(
        "db",
        "users",
        required(1, "id", Types.LongType.get()),
        optional(2, "name", Types.StringType.get()),
        optional(3, "manager_id", Types.LongType.get()),
        optional(4, "city", Types.StringType.get()));
  }

  private void createTpch() {
    tpch("region", "regionkey:i", "name:s", "comment:s");
    tpch("nation", "nationkey:i", "name:s", "regionkey:i", "comment:s");
    tpch(
        "supplier",
        "suppkey:l",
        "name:s",
        "address:s",
        "nationkey:i",
        "phone:s",
        "acctbal:d",
        "comment:s");
    tpch(
        "customer",
        "custkey:l",
        "name:s",
        "address:s",
        "nationkey:i",
        "phone:s",
        "acctbal:d",
        "mktsegment:s",
        "comment:s");
    tpch(
        "part",
        "partkey:l",
        "name:s",
        "mfgr:s",
        "brand:s",
        "type:s",
        "size:i",
        "container:s",
        "retailprice:d",
        "comment:s");
    tpch("partsupp", "partkey:l", "suppkey:l", "availqty:i", "supplycost:d", "comment:s");
    tpch(
        "orders",
        "orderkey:l",
        "custkey:l",
        "orderstatus:s",
        "totalprice:d",
        "orderdate:t",
        "orderpriority:s",
        "clerk:s",
        "shippriority:i",
        "comment:s");
    tpch(
        "lineitem",
        "orderkey:l",
        "partkey:l",
        "suppkey:l",
        "linenumber:i",
        "quantity:d",
        "extendedprice:d",
        "discount:d",
        "tax:d",
        "returnflag:s",
        "linestatus:s",
        "shipdate:t",
        "commitdate:t",
        "receiptdate:t",
        "shipinstruct:s",
        "shipmode:s",
        "comment:s");
  }

  private void tpch(String table, String... columns) {
    String prefix =
        switch (table) {
          case "partsupp" -> "ps_";
          default -> table.charAt(0) + "_";
        };
    List<Types.NestedField> fields = new ArrayList<>();
    for (String column : columns) {
      String[] parts = column.split(":");
      fields.add(required(fields.size() + 1, prefix + parts[0], tpchType(parts[1])));
    }
    create("tpch", table, fields.toArray(Types.NestedField[]::new));
  }

  private static Type tpchType(String code) {
    return switch (code) {
      case "i" -> Types.IntegerType.get();
      case "l" -> Types.LongType.get();
      case "d" -> Types.DecimalType.of(15, 2);
      case "t" -> Types.DateType.get();
      default -> Types.StringType.get();
    };
  }

  @Override
  public void close() {
    registry.close();
  }
}
