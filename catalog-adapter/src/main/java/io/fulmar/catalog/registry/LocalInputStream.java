package io.fulmar.catalog.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.iceberg.io.SeekableInputStream;

/** Buffered reads of a file channel. Not safe for use by several threads. */
final class LocalInputStream extends SeekableInputStream {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private long bufferStart;

  LocalInputStream(FileChannel channel) {
    this.channel = channel;
  }

  @Override
  public long getPos() {
    return bufferStart + buffer.position();
  }

  @Override
  public void seek(long position) {
    long offset = position - bufferStart;
    if (offset >= 0 && offset <= buffer.limit()) {
      buffer.position((int) offset);
      return;
    }

    bufferStart = position;
    buffer.position(0).limit(0);
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }

    if (!buffer.hasRemaining() && length >= BUFFER_BYTES) {
      return readThrough(bytes, offset, length);
    }

    if (!fill()) {
      return -1;
    }

    int count = Math.min(length, buffer.remaining());
    buffer.get(bytes, offset, count);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = Math.max(0, Math.min(count, channel.size() - getPos()));
    seek(getPos() + skipped);
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, channel.size() - getPos()));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private int readThrough(byte[] bytes, int offset, int length) throws IOException {
    long position = getPos();
    int count = channel.read(ByteBuffer.wrap(bytes, offset, length), position);
    seek(position + Math.max(0, count));
    return count;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }

    bufferStart = getPos();
    buffer.clear();
    int count = channel.read(buffer, bufferStart);
    buffer.flip();
    return count > 0;
  }
}
