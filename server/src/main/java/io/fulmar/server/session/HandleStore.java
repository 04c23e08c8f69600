package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Things that clients hold by an unguessable handle. A handle works for its owner only, ends after
 * a time without use, and each owner may hold a bounded number. Safe for use by several threads.
 */
public final class HandleStore<T> {
  private final Limits limits;
  private final LongSupplier nanoClock;

  /** By handle, least recently used first. */
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);

  public HandleStore(Limits limits) {
    this(limits, System::nanoTime);
  }

  HandleStore(Limits limits, LongSupplier nanoClock) {
    this.limits = requireNonNull(limits, "limits is null");
    this.nanoClock = requireNonNull(nanoClock, "nanoClock is null");
  }

  /**
   * Bounds of a store.
   *
   * @param what the things, for errors
   * @param maxPerOwner how many an owner may hold
   * @param setting names the setting of {@code maxPerOwner}
   * @param idleTimeout a handle ends this long after its last use
   */
  public record Limits(String what, int maxPerOwner, String setting, Duration idleTimeout) {
    public Limits {
      requireNonNull(what, "what is null");
      requireNonNull(setting, "setting is null");
      requireNonNull(idleTimeout, "idleTimeout is null");
    }
  }

  /**
   * Keeps a thing for its owner.
   *
   * @return its handle
   * @throws FulmarException LIMIT_EXCEEDED if the owner holds too many
   */
  public synchronized String put(String owner, T value) {
    removeExpired();
    long held = entries.values().stream().filter(entry -> entry.owner.equals(owner)).count();
    if (held >= limits.maxPerOwner()) {
      throw new FulmarException(
              ErrorCode.LIMIT_EXCEEDED, "The session holds %d %s".formatted(held, limits.what()))
          .withHint("Close some, or raise " + limits.setting() + ".");
    }

    String handle = Secrets.next();
    entries.put(handle, new Entry<>(owner, value, nanoClock.getAsLong()));
    return handle;
  }

  /**
   * The thing behind a handle; its time starts anew.
   *
   * @throws FulmarException INVALID_TICKET if it is unknown, expired or another's
   */
  public synchronized T find(String owner, String handle) {
    Entry<T> entry = live(owner, handle).orElseThrow(this::unknown);
    entry.lastUse = nanoClock.getAsLong();
    return entry.value;
  }

  /** Takes the thing out; absent if it is unknown, expired or another's. */
  public synchronized Optional<T> remove(String owner, String handle) {
    Optional<Entry<T>> entry = live(owner, handle);
    entry.ifPresent(found -> entries.remove(handle));
    return entry.map(found -> found.value);
  }

  /**
   * Takes the thing out.
   *
   * @throws FulmarException INVALID_TICKET if it is unknown, expired or another's
   */
  public T take(String owner, String handle) {
    return remove(owner, handle).orElseThrow(this::unknown);
  }

  /** Forgets all that an owner holds. */
  public synchronized void removeAll(String owner) {
    entries.values().removeIf(entry -> entry.owner.equals(owner));
  }

  /** How many things are held. */
  public synchronized int size() {
    removeExpired();
    return entries.size();
  }

  private Optional<Entry<T>> live(String owner, String handle) {
    removeExpired();
    Optional<Entry<T>> entry = Optional.ofNullable(entries.get(handle));
    return entry.filter(found -> found.owner.equals(owner) && !isExpired(found));
  }

  private void removeExpired() {
    Iterator<Entry<T>> oldestFirst = entries.values().iterator();
    while (oldestFirst.hasNext()) {
      if (!isExpired(oldestFirst.next())) {
        return;
      }

      oldestFirst.remove();
    }
  }

  private boolean isExpired(Entry<T> entry) {
    Duration idle = Duration.ofNanos(nanoClock.getAsLong() - entry.lastUse);
    return idle.compareTo(limits.idleTimeout()) > 0;
  }

  private FulmarException unknown() {
    return new FulmarException(
        ErrorCode.INVALID_TICKET,
        "The handle is unknown, was used up, has expired or belongs to another session");
  }

  private static final class Entry<T> {
    private final String owner;
    private final T value;
    private long lastUse;

    private Entry(String owner, T value, long lastUse) {
      this.owner = owner;
      this.value = value;
      this.lastUse = lastUse;
    }
  }
}
