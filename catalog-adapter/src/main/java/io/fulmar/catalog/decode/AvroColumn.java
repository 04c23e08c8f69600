package io.fulmar.catalog.decode;

import java.io.IOException;
import org.apache.avro.io.Decoder;

/** Decodes values of one Avro type into one Arrow vector. */
@FunctionalInterface
interface AvroColumn {
  /** Decodes the next value; indexes do not decrease from call to call. */
  void read(Decoder in, int index) throws IOException;
}
