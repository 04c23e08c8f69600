package io.fulmar.it.client;

/** An error that a client reported; the message is the client's. */
public final class SqlFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SqlFailure(String message, Throwable cause) {
    super(message, cause);
  }

  public SqlFailure(String message) {
    super(message);
  }
}
