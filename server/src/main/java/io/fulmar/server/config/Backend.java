package io.fulmar.server.config;

/** What reads tables and computes queries. */
public enum Backend {
  /** The native engine. */
  NATIVE,
  /** Java alone: slow, bounded in rows, and independent of the native path. */
  REFERENCE
}
