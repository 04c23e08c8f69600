package io.fulmar.server.error;

import static java.util.Objects.requireNonNull;

/** Carries what is known of the statement from where it failed to where the call is answered. */
public final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorContext context;

  public StatementException(ErrorContext context, Throwable cause) {
    super(requireNonNull(cause, "cause is null").getMessage(), cause);
    this.context = requireNonNull(context, "context is null");
  }

  public ErrorContext context() {
    return context;
  }
}
