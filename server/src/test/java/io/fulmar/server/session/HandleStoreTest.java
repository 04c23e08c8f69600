package io.fulmar.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HandleStoreTest {
  private final AtomicLong clock = new AtomicLong();
  private final HandleStore<String> store =
      new HandleStore<>(
          new HandleStore.Limits("things", 3, "test.max-things", Duration.ofMinutes(1)),
          clock::get);

  @Test
  void aHandleWorksForItsOwnerOnly() {
    String handle = store.put("s1", "thing");

    assertEquals("thing", store.find("s1", handle));
    assertEquals(
        ErrorCode.INVALID_TICKET,
        assertThrows(FulmarException.class, () -> store.find("s2", handle)).code());
    assertEquals(Optional.empty(), store.remove("s2", handle));
    assertEquals("thing", store.take("s1", handle));
  }

  @Test
  void aTakenHandleIsGone() {
    String handle = store.put("s1", "thing");
    store.take("s1", handle);

    assertThrows(FulmarException.class, () -> store.take("s1", handle));
  }

  @Test
  void handlesHave192RandomBits() {
    Set<String> handles = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      String handle = store.put("owner" + i, "x");
      assertTrue(handle.matches("[A-Za-z0-9_-]{32}"), handle);
      handles.add(handle);
    }

    assertEquals(100, handles.size());
  }

  @Test
  void useRenewsAndIdlenessEnds() {
    String handle = store.put("s1", "thing");
    clock.addAndGet(Duration.ofSeconds(50).toNanos());
    store.find("s1", handle);
    clock.addAndGet(Duration.ofSeconds(50).toNanos());
    store.find("s1", handle);
    clock.addAndGet(Duration.ofSeconds(61).toNanos());

    assertThrows(FulmarException.class, () -> store.find("s1", handle));
    assertEquals(0, store.size());
  }

  @Test
  void anothersLookUpsDoNotRenew() {
    String handle = store.put("s1", "thing");
    clock.addAndGet(Duration.ofSeconds(50).toNanos());
    store.put("s1", "younger");
    assertThrows(FulmarException.class, () -> store.find("s2", handle));
    clock.addAndGet(Duration.ofSeconds(20).toNanos());

    assertThrows(FulmarException.class, () -> store.find("s1", handle));
  }

  @Test
  void theNumberIsBoundedForEachOwner() {
    for (int i = 0; i < 3; i++) {
      store.put("s1", "thing");
    }
    store.put("s2", "thing");

    FulmarException error = assertThrows(FulmarException.class, () -> store.put("s1", "thing"));

    assertEquals(ErrorCode.LIMIT_EXCEEDED, error.code());
    assertTrue(error.hint().orElse("").contains("test.max-things"), error.toString());
  }

  @Test
  void removesAllOfAnOwner() {
    store.put("s1", "a");
    store.put("s1", "b");
    String others = store.put("s2", "c");

    store.removeAll("s1");

    assertEquals(1, store.size());
    assertEquals("c", store.find("s2", others));
  }
}
