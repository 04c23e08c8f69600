package io.fulmar.server.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.ErrorKind;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.engine.EngineException;
import io.fulmar.engine.plan.ErrorDetail;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorMapperTest {
  private static final String SQL = "SELECT a,\n       nmae FROM t";
  private static final SourcePosition POSITION = new SourcePosition(2, 8, 2, 11, "nmae");
  private static final ErrorContext CONTEXT =
      new ErrorContext(Optional.of("q1"), Optional.of(SQL), Map.of(7, POSITION), Optional.empty());

  @Test
  void quotesTheBlamedPart() {
    FulmarException error =
        new FulmarException(ErrorCode.UNKNOWN_COLUMN, "No column nmae is visible here")
            .at(POSITION)
            .withHint("Did you mean name?");

    FlightRuntimeException flight = ErrorMapper.toFlight(error, CONTEXT);

    assertEquals(FlightStatusCode.INVALID_ARGUMENT, flight.status().code());
    assertEquals(
        """
        UNKNOWN_COLUMN (42703) at line 2, column 8: No column nmae is visible here. Did you mean name?
               nmae FROM t
               ^^^^""",
        flight.status().description());
  }

  @Test
  void trailersCarryTheSameForPrograms() {
    FulmarException error = new FulmarException(ErrorCode.UNKNOWN_COLUMN, "No").at(POSITION);

    FlightRuntimeException flight = ErrorMapper.toFlight(error, CONTEXT);

    assertEquals("UNKNOWN_COLUMN", flight.status().metadata().get(ErrorMapper.CODE_TRAILER));
    assertEquals("42703", flight.status().metadata().get(ErrorMapper.SQLSTATE_TRAILER));
    assertEquals("2:8", flight.status().metadata().get(ErrorMapper.POSITION_TRAILER));
    assertEquals("q1", flight.status().metadata().get(ErrorMapper.QUERY_TRAILER));
  }

  @Test
  void quotesAWindowOfALongLine() {
    String sql = "x".repeat(500) + "nmae" + "y".repeat(500);
    FulmarException error =
        new FulmarException(ErrorCode.UNKNOWN_COLUMN, "No")
            .at(new SourcePosition(1, 501, 1, 504, "nmae"));

    String[] lines =
        ErrorMapper.toFlight(error, ErrorContext.ofStatement(sql))
            .status()
            .description()
            .split("\n", -1);

    assertEquals(120, lines[1].length());
    assertEquals("nmae", lines[1].substring(lines[2].indexOf('^'), lines[2].length()));
  }

  @Test
  void textFitsIntoAHeader() {
    FulmarException error = new FulmarException(ErrorCode.CORRUPT_FILE, "é%\n".repeat(5000));

    String text = ErrorMapper.toFlight(error, ErrorContext.none()).status().description();

    assertTrue(text.length() < 1400, () -> text.length() + " characters");
    assertTrue(text.startsWith("CORRUPT_FILE (XX001): é%"), text);
  }

  @Test
  void engineFailuresKeepPositionFileAndSetting() {
    EngineException failure =
        failure(
            ErrorDetail.newBuilder()
                .setCode(io.fulmar.engine.plan.ErrorCode.MEMORY_LIMIT_EXCEEDED)
                .setMessage("No room")
                .setFile("s3://b/f.parquet")
                .setSetting("memory.query-limit")
                .setNode(7));

    FlightRuntimeException flight = ErrorMapper.toFlight(failure, CONTEXT);

    assertEquals(FlightStatusCode.RESOURCE_EXHAUSTED, flight.status().code());
    assertTrue(
        flight
            .status()
            .description()
            .startsWith(
                "MEMORY_LIMIT_EXCEEDED (53200) at line 2, column 8: No room (file s3://b/f.parquet)."
                    + " Raise memory.query-limit"),
        flight.status().description());
  }

  @Test
  void whatAHostCallbackThrewIsTheCause() {
    FulmarException thrown = new FulmarException(ErrorCode.FILE_NOT_FOUND, "gone");
    EngineException failure =
        new EngineException(
            ErrorDetail.newBuilder()
                .setCode(io.fulmar.engine.plan.ErrorCode.HOST_FAILED)
                .setMessage("Reading a batch")
                .build(),
            thrown);

    assertSame(thrown, ErrorMapper.toFulmar(new ExecutionException(failure), Map.of()));
  }

  @ParameterizedTest
  @EnumSource(
      value = io.fulmar.engine.plan.ErrorCode.class,
      names = {"UNRECOGNIZED"},
      mode = EnumSource.Mode.EXCLUDE)
  void everyEngineCodeHasOne(io.fulmar.engine.plan.ErrorCode code) {
    FulmarException error =
        ErrorMapper.toFulmar(failure(ErrorDetail.newBuilder().setCode(code)), Map.of());

    boolean isOwnFault =
        switch (code) {
          case PLAN_REJECTED, HOST_FAILED, INTERNAL, PANIC, ERROR_CODE_UNSPECIFIED -> true;
          default -> false;
        };
    assertEquals(isOwnFault, error.code() == ErrorCode.INTERNAL_ERROR, code.name());
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void onlyFaultsOfOursAndOfFilesAreInternal(ErrorCode code) {
    boolean isInternal = FlightCodes.of(code) == FlightStatusCode.INTERNAL;

    if (isInternal) {
      assertNotEquals(ErrorKind.USER, code.kind(), code.name());
      assertNotEquals(ErrorKind.RESOURCE, code.kind(), code.name());
    }
  }

  @Test
  void anythingElseIsInternalAndSaysWhat() {
    FlightRuntimeException flight = ErrorMapper.toFlight(new IllegalStateException("odd"));

    assertEquals(FlightStatusCode.INTERNAL, flight.status().code());
    assertEquals(
        "INTERNAL_ERROR (XX000): IllegalStateException: odd.", flight.status().description());
  }

  @Test
  void flightErrorsPassThrough() {
    FlightRuntimeException flight = CallStatus.UNIMPLEMENTED.toRuntimeException();

    assertSame(flight, ErrorMapper.toFlight(flight));
  }

  private static EngineException failure(ErrorDetail.Builder detail) {
    return new EngineException(detail.build(), null);
  }
}
