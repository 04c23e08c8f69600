package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** All open sessions by the hash of their bearer token; each call renews its session. */
public final class Sessions {
  private final SessionLimits limits;
  private final LongSupplier nanoClock;
  private final Map<String, Entry> byTokenHash = new ConcurrentHashMap<>();
  private final List<Consumer<Session>> closeListeners = new CopyOnWriteArrayList<>();
  private final AtomicLong nextId = new AtomicLong(1);

  public Sessions(SessionLimits limits) {
    this(limits, System::nanoTime);
  }

  Sessions(SessionLimits limits, LongSupplier nanoClock) {
    this.limits = requireNonNull(limits, "limits is null");
    this.nanoClock = requireNonNull(nanoClock, "nanoClock is null");
  }

  /** A new session and the bearer token that finds it, which is not kept. */
  public record Opened(Session session, String token) {}

  /** Calls the listener with every session that ends from now on. */
  public void onClose(Consumer<Session> listener) {
    closeListeners.add(requireNonNull(listener, "listener is null"));
  }

  /**
   * Opens a session; the user's longest idle one ends if the user has too many.
   *
   * @throws FulmarException LIMIT_EXCEEDED if the server has too many
   */
  public synchronized Opened open(String user) {
    endExpired();
    endLongestIdleOf(user);
    if (byTokenHash.size() >= limits.max()) {
      throw new FulmarException(
              ErrorCode.LIMIT_EXCEEDED, "The server has " + limits.max() + " sessions open")
          .withHint("Close one, or raise sessions.max.");
    }

    Session session = new Session("s" + nextId.getAndIncrement(), user);
    String token = Secrets.next();
    byTokenHash.put(Secrets.hash(token), new Entry(session, nanoClock.getAsLong()));
    return new Opened(session, token);
  }

  /**
   * Finds and renews the session of a token.
   *
   * @throws FulmarException UNAUTHENTICATED if there is none, or it has expired
   */
  public Session find(String token) {
    Entry entry = byTokenHash.get(Secrets.hash(token));
    if (entry == null || isExpired(entry)) {
      throw new FulmarException(
              ErrorCode.UNAUTHENTICATED, "The token is unknown or its session has ended")
          .withHint("Connect anew.");
    }

    entry.lastUse = nanoClock.getAsLong();
    return entry.session;
  }

  /** Ends a session and revokes its token; ending one twice does nothing. */
  public void close(Session session) {
    byTokenHash.entrySet().stream()
        .filter(entry -> entry.getValue().session == session)
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(this::end);
  }

  /** Sessions open now. */
  public int count() {
    return byTokenHash.size();
  }

  /** Ends the sessions whose time is over. */
  public void endExpired() {
    byTokenHash.forEach(
        (hash, entry) -> {
          if (isExpired(entry)) {
            end(hash);
          }
        });
  }

  private void endLongestIdleOf(String user) {
    List<Map.Entry<String, Entry>> own =
        byTokenHash.entrySet().stream()
            .filter(entry -> entry.getValue().session.user().equals(user))
            .sorted(Comparator.comparingLong(entry -> entry.getValue().lastUse))
            .toList();
    int surplus = own.size() + 1 - limits.maxPerUser();
    own.stream().limit(Math.max(0, surplus)).forEach(entry -> end(entry.getKey()));
  }

  private void end(String tokenHash) {
    Entry entry = byTokenHash.remove(tokenHash);
    if (entry != null) {
      closeListeners.forEach(listener -> listener.accept(entry.session));
    }
  }

  private boolean isExpired(Entry entry) {
    Duration idle = Duration.ofNanos(nanoClock.getAsLong() - entry.lastUse);
    return idle.compareTo(limits.idleTimeout()) > 0;
  }

  private static final class Entry {
    private final Session session;
    private volatile long lastUse;

    private Entry(Session session, long lastUse) {
      this.session = session;
      this.lastUse = lastUse;
    }
  }
}
