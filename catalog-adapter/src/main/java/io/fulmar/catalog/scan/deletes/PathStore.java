package io.fulmar.catalog.scan.deletes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Many paths in little memory: folders once, names as UTF-8 in pages. */
final class PathStore {
  private static final int PAGE_BYTES = 1 << 20;
  private static final int LENGTH_BYTES = 4;

  private final Map<String, Integer> folderIds = new HashMap<>();
  private final List<String> folders = new ArrayList<>();
  private final List<byte[]> pages = new ArrayList<>();
  private int used = PAGE_BYTES;

  /** Of each path: the folder's id. */
  private final LongColumn entries = new LongColumn();

  /** Of each path: the page and the offset of its name in it. */
  private final LongColumn offsets = new LongColumn();

  /** Adds a path; its index is the count of those before. */
  int add(String path) {
    int slash = path.lastIndexOf('/') + 1;
    byte[] name = path.substring(slash).getBytes(StandardCharsets.UTF_8);
    entries.add(folder(path.substring(0, slash)));
    offsets.add(write(name));
    return entries.size() - 1;
  }

  String get(int index) {
    long place = offsets.get(index);
    byte[] page = pages.get((int) (place >>> 32));
    int offset = (int) place;
    int length = readLength(page, offset);
    String name = new String(page, offset + LENGTH_BYTES, length, StandardCharsets.UTF_8);
    return folders.get((int) entries.get(index)) + name;
  }

  int size() {
    return entries.size();
  }

  private int folder(String name) {
    Integer known = folderIds.get(name);
    if (known != null) {
      return known;
    }

    folders.add(name);
    folderIds.put(name, folders.size() - 1);
    return folders.size() - 1;
  }

  private long write(byte[] name) {
    int needed = name.length + LENGTH_BYTES;
    if (pages.isEmpty() || used + needed > pages.get(pages.size() - 1).length) {
      pages.add(new byte[Math.max(PAGE_BYTES, needed)]);
      used = 0;
    }

    byte[] page = pages.get(pages.size() - 1);
    writeLength(page, used, name.length);
    System.arraycopy(name, 0, page, used + LENGTH_BYTES, name.length);
    long place = ((long) (pages.size() - 1) << 32) | used;
    used += needed;
    return place;
  }

  private static void writeLength(byte[] page, int offset, int length) {
    for (int index = 0; index < LENGTH_BYTES; index++) {
      page[offset + index] = (byte) (length >>> (8 * index));
    }
  }

  private static int readLength(byte[] page, int offset) {
    int length = 0;
    for (int index = 0; index < LENGTH_BYTES; index++) {
      length |= (page[offset + index] & 0xff) << (8 * index);
    }
    return length;
  }
}
