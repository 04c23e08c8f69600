package io.fulmar.it.client;

/** A session with the server through a stock client. */
public interface SqlClient extends AutoCloseable {
  /** {@code jdbc} or {@code adbc}. */
  String name();

  /**
   * @throws SqlFailure if the server or the client reports an error
   */
  QueryResult query(String sql);

  /**
   * @throws SqlFailure if the server or the client reports an error
   */
  void update(String sql);

  @Override
  void close();
}
