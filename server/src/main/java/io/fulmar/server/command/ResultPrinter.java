package io.fulmar.server.command;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Prints a result as it comes. */
interface ResultPrinter {
  void start(Schema schema);

  void print(VectorSchemaRoot batch);

  /** Called once after the last batch. */
  void end();
}
