package io.fulmar.catalog.error;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** The one exception that carries an {@link ErrorCode} to the client. */
public final class FulmarException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient Optional<SourcePosition> position;
  private final transient Optional<String> hint;

  public FulmarException(ErrorCode code, String message) {
    this(code, message, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public FulmarException(ErrorCode code, String message, Throwable cause) {
    this(code, message, Optional.empty(), Optional.empty(), Optional.of(cause));
  }

  private FulmarException(
      ErrorCode code,
      String message,
      Optional<SourcePosition> position,
      Optional<String> hint,
      Optional<Throwable> cause) {
    super(requireNonNull(message, "message is null"), cause.orElse(null));
    this.code = requireNonNull(code, "code is null");
    this.position = position;
    this.hint = hint;
  }

  /** The same error, blamed on a part of the statement. */
  public FulmarException at(SourcePosition blamed) {
    return copy(Optional.of(blamed), hint);
  }

  /** The same error with the next step for the person who reads it. */
  public FulmarException withHint(String nextStep) {
    return copy(position, Optional.of(nextStep));
  }

  public ErrorCode code() {
    return code;
  }

  public Optional<SourcePosition> position() {
    return position;
  }

  public Optional<String> hint() {
    return hint;
  }

  private FulmarException copy(Optional<SourcePosition> newPosition, Optional<String> newHint) {
    FulmarException copy =
        new FulmarException(
            code, getMessage(), newPosition, newHint, Optional.ofNullable(getCause()));
    copy.setStackTrace(getStackTrace());
    return copy;
  }
}
