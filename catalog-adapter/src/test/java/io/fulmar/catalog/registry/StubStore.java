package io.fulmar.catalog.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server on loopback that answers GET and HEAD with texts, by raw path and query. */
final class StubStore implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, String> answers = Collections.synchronizedMap(new TreeMap<>());
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  StubStore() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void put(String pathAndQuery, String text) {
    answers.put(pathAndQuery, text);
  }

  /** Each with its method, and its access key where it has one. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    String credential =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
    requests.add(exchange.getRequestMethod() + " " + path + " " + credential);
    String text = answers.get(path);
    byte[] bytes = Optional.ofNullable(text).orElse(missing(path)).getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    if (head) {
      exchange.getResponseHeaders().add("Content-Length", Integer.toString(bytes.length));
    }
    exchange.sendResponseHeaders(text == null ? 404 : 200, head ? -1 : bytes.length);
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  /** As an Iceberg catalog or an object store says it. */
  private static String missing(String path) {
    return path.startsWith("/v1/")
        ? "{\"error\":{\"message\":\"none\",\"type\":\"NoSuchTableException\",\"code\":404}}"
        : "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>";
  }
}
