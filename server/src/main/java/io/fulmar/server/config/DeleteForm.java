package io.fulmar.server.config;

/** How equality deletes are applied. */
public enum DeleteForm {
  /** A key set, and a merge where the set does not fit. */
  AUTO,
  /** A key set in memory, or an error where it does not fit. */
  SET,
  /** An anti-join that spills. */
  MERGE
}
