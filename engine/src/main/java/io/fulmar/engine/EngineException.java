package io.fulmar.engine;

import static java.util.Objects.requireNonNull;

import io.fulmar.engine.plan.ErrorDetail;

/** A failure of the native engine, typed. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorDetail detail;

  public EngineException(ErrorDetail detail, Throwable cause) {
    super(requireNonNull(detail, "detail is null").getMessage(), cause);
    this.detail = detail;
  }

  public ErrorDetail detail() {
    return detail;
  }
}
