package io.fulmar.it.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before an S3 server and lets some requests fail. */
final class FlakyStore implements AutoCloseable {
  private static final String BUSY =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
          + "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";

  /** What befalls a request. */
  enum Fault {
    NONE,
    /** 503 with S3's text. */
    BUSY,
    /** The answer's first half, and the connection ends. */
    CUT,
    /** No answer until the store is closed or another plan is made. */
    STALL
  }

  /**
   * Which requests fail.
   *
   * @param percent of the requests whose path contains {@code path}
   */
  record Plan(Fault fault, int percent, String path) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Relay relay;
  private final Random random = new Random(42);
  private final AtomicInteger faults = new AtomicInteger();
  private Plan plan = new Plan(Fault.NONE, 0, "");
  private CountDownLatch stalled = new CountDownLatch(1);

  private FlakyStore(HttpServer server, Relay relay) {
    this.server = server;
    this.relay = relay;
  }

  static FlakyStore open(S3Store behind) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FlakyStore store = new FlakyStore(server, new Relay(URI.create(behind.endpoint())));
    server.createContext("/", store::handle);
    server.setExecutor(store.threads);
    server.start();
    return store;
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** From now on requests fail as planned; those that stall go on. */
  synchronized void follow(Plan newPlan) {
    stalled.countDown();
    stalled = new CountDownLatch(1);
    plan = newPlan;
    faults.set(0);
  }

  /** Requests that failed since the plan was made. */
  int faults() {
    return faults.get();
  }

  private synchronized Fault fault(String path) {
    boolean fails = path.contains(plan.path()) && random.nextInt(100) < plan.percent();
    if (fails) {
      faults.incrementAndGet();
    }
    return fails ? plan.fault() : Fault.NONE;
  }

  private synchronized CountDownLatch stalled() {
    return stalled;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Fault fault = fault(exchange.getRequestURI().getPath());
      if (fault == Fault.BUSY) {
        byte[] text = BUSY.getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(503, head ? -1 : text.length);
        if (!head) {
          exchange.getResponseBody().write(text);
        }
        return;
      }
      if (fault == Fault.STALL) {
        stalled().await();
        return;
      }
      HttpResponse<byte[]> response = relay.ask(exchange);
      int length = response.body().length;
      Relay.answer(exchange, response, fault == Fault.CUT ? length / 2 : length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    follow(new Plan(Fault.NONE, 0, ""));
    server.stop(0);
    threads.shutdownNow();
  }
}
