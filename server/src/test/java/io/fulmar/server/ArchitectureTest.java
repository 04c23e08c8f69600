package io.fulmar.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.apache.iceberg.Scan;
import org.apache.iceberg.Table;

/** The allowed arrows between modules, and between the packages of the server. */
@AnalyzeClasses(packages = "io.fulmar", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String CATALOG = "io.fulmar.catalog..";
  private static final String PLANNER = "io.fulmar.planner..";
  private static final String ENGINE = "io.fulmar.engine..";
  private static final String ENGINE_API = "io.fulmar.engine";
  private static final String REFERENCE = "io.fulmar.reference..";
  private static final String SERVER = "io.fulmar.server..";
  private static final String[] CALCITE = {"org.apache.calcite.."};
  private static final String[] FLIGHT = {"org.apache.arrow.flight..", "io.grpc.."};
  private static final String[] ICEBERG = {"org.apache.iceberg.."};

  @ArchTest
  static final ArchRule CATALOG_KNOWS_NEITHER_SQL_NOR_WIRE_NOR_ENGINE =
      noClasses()
          .that()
          .resideInAPackage(CATALOG)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(PLANNER, ENGINE, REFERENCE, SERVER)
                  .or(resideInAnyPackage(CALCITE))
                  .or(resideInAnyPackage(FLIGHT)));

  @ArchTest
  static final ArchRule PLANNER_KNOWS_NEITHER_WIRE_NOR_ENGINE =
      noClasses()
          .that()
          .resideInAPackage(PLANNER)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SERVER, REFERENCE, ENGINE_API).or(resideInAnyPackage(FLIGHT)));

  @ArchTest
  static final ArchRule ENGINE_KNOWS_NEITHER_ICEBERG_NOR_SQL =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(CATALOG, PLANNER, REFERENCE, SERVER)
                  .or(resideInAnyPackage(CALCITE))
                  .or(resideInAnyPackage(FLIGHT))
                  .or(resideInAnyPackage(ICEBERG)));

  /** A fault that both backends shared would hide: tests compare the two. */
  @ArchTest
  static final ArchRule REFERENCE_SHARES_NO_PLANNING_PRUNING_OR_DELETES =
      noClasses()
          .that()
          .resideInAPackage(REFERENCE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "io.fulmar.catalog.scan..",
                      "io.fulmar.catalog.decode..",
                      "io.fulmar.planner.deletes..",
                      "io.fulmar.planner.transport..",
                      SERVER,
                      ENGINE_API)
                  .or(resideInAnyPackage(FLIGHT)));

  @ArchTest
  static final ArchRule SERVER_REACHES_CALCITE_THROUGH_THE_PLANNER_ONLY =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat(resideInAnyPackage(CALCITE));

  @ArchTest
  static final ArchRule PROTOCOL_REACHES_STATEMENTS_THROUGH_QUERY_ONLY =
      noClasses()
          .that()
          .resideInAPackage("io.fulmar.server.flight..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(PLANNER, ENGINE)
                  .or(
                      resideInAPackage(CATALOG)
                          .and(not(resideInAPackage("io.fulmar.catalog.error"))))
                  .or(resideInAnyPackage(ICEBERG)));

  @ArchTest
  static final ArchRule ONLY_PROTOCOL_PACKAGES_KNOW_THE_WIRE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.fulmar.server.query..",
              "io.fulmar.server.host..",
              "io.fulmar.server.admission..",
              "io.fulmar.server.statement..",
              "io.fulmar.server.session..",
              "io.fulmar.server.config..",
              "io.fulmar.server.observe..",
              "io.fulmar.server.demo..")
          .should()
          .dependOnClassesThat(resideInAnyPackage(FLIGHT));

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.fulmar.server.(*)..").should().beFreeOfCycles();

  /**
   * Scan planning and delete scope are ours: iceberg-core's keep every delete file on the heap. The
   * one exception reads Iceberg's metadata tables, which plan manifests and never deletes.
   */
  @ArchTest
  static final ArchRule NOBODY_USES_ICEBERGS_PLANNER =
      noClasses()
          .that()
          .resideInAPackage("io.fulmar..")
          .and()
          .doNotHaveFullyQualifiedName("io.fulmar.catalog.host.MetadataScan")
          .should()
          .accessTargetWhere(callsIcebergsPlanner())
          .orShould()
          .dependOnClassesThat(isIcebergsPlanner());

  private static DescribedPredicate<JavaAccess<?>> callsIcebergsPlanner() {
    Set<String> planning =
        Set.of("newScan", "newBatchScan", "planFiles", "planTasks", "newIncrementalAppendScan");
    return DescribedPredicate.describe(
        "iceberg-core's scan planner",
        access ->
            planning.contains(access.getTarget().getName())
                && (access.getTargetOwner().isAssignableTo(Table.class)
                    || access.getTargetOwner().isAssignableTo(Scan.class)));
  }

  private static DescribedPredicate<JavaClass> isIcebergsPlanner() {
    Set<String> names =
        Set.of("org.apache.iceberg.DeleteFileIndex", "org.apache.iceberg.ManifestGroup");
    return DescribedPredicate.describe(
        "DeleteFileIndex or ManifestGroup",
        type -> names.stream().anyMatch(name -> type.getName().startsWith(name)));
  }
}
