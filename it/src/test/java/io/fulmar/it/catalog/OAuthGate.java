package io.fulmar.it.catalog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fulmar.it.store.Relay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a REST catalog: gives tokens to who knows the client's secret (OAuth2 client
 * credentials, RFC 6749 section 4.4) and passes on requests that bear one.
 */
final class OAuthGate implements AutoCloseable {
  private final HttpServer server;
  private final Relay relay;
  private final String id;
  private final String secret;
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();

  private OAuthGate(HttpServer server, Relay relay, String id, String secret) {
    this.server = server;
    this.relay = relay;
    this.id = id;
    this.secret = secret;
  }

  static OAuthGate open(URI behind, String id, String secret) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    OAuthGate gate = new OAuthGate(server, new Relay(behind), id, secret);
    server.createContext("/", gate::handle);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.start();
    return gate;
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Tokens that were given out. */
  int given() {
    return tokens.size();
  }

  /** Requests without a token, or with a wrong secret. */
  int refused() {
    return refused.get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().equals("/v1/oauth/tokens")) {
        giveToken(exchange);
      } else if (tokens.contains(bearer(exchange))) {
        HttpResponse<byte[]> response = relay.ask(exchange);
        Relay.answer(exchange, response, response.body().length);
      } else {
        refuse(exchange, "No valid token");
      }
    }
  }

  private static String bearer(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    return header == null ? "" : header.replaceFirst("^Bearer ", "");
  }

  private void giveToken(HttpExchange exchange) throws IOException {
    Map<String, String> form = new HashMap<>();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    for (String pair : body.split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    if (!"client_credentials".equals(form.get("grant_type"))
        || !id.equals(form.get("client_id"))
        || !secret.equals(form.get("client_secret"))) {
      refused.incrementAndGet();
      answer(
          exchange, 401, "{\"error\":\"invalid_client\",\"error_description\":\"Who are you?\"}");
      return;
    }
    String token = UUID.randomUUID().toString();
    tokens.add(token);
    answer(
        exchange,
        200,
        "{\"access_token\":\"%s\",\"token_type\":\"bearer\",\"expires_in\":3600}".formatted(token));
  }

  private void refuse(HttpExchange exchange, String message) throws IOException {
    refused.incrementAndGet();
    answer(
        exchange,
        401,
        "{\"error\":{\"message\":\"%s\",\"type\":\"NotAuthorizedException\",\"code\":401}}"
            .formatted(message));
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
