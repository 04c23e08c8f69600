package io.fulmar.catalog.error;

/** Who has to act on an error. */
public enum ErrorKind {
  /** The statement, its parameters or the settings are at fault. */
  USER,
  /** A table, file, catalog or store outside the server is at fault. */
  EXTERNAL,
  /** A limit was passed; the message names its setting. */
  RESOURCE,
  /** A fault of Fulmar's own. */
  INTERNAL
}
