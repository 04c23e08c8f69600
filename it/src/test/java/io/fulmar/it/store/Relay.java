package io.fulmar.it.store;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;

/** Passes HTTP requests on to another server, and its answers back. */
public final class Relay {
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("host", "connection", "content-length", "transfer-encoding", "expect", "upgrade");

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI behind;

  public Relay(URI behind) {
    this.behind = behind;
  }

  /** What the other server answers. */
  public HttpResponse<byte[]> ask(HttpExchange exchange) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI().toString()))
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /**
   * Gives an answer back.
   *
   * @param bytes of its body, which is announced whole
   */
  public static void answer(HttpExchange exchange, HttpResponse<byte[]> response, int bytes)
      throws IOException {
    boolean head = exchange.getRequestMethod().equals("HEAD");
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (!OF_THE_CONNECTION.contains(lower) || (head && lower.equals("content-length"))) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
              }
            });
    byte[] body = response.body();
    exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      OutputStream out = exchange.getResponseBody();
      out.write(body, 0, bytes);
      out.flush();
    }
  }
}
