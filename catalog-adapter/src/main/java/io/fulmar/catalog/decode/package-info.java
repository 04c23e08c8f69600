/**
 * ORC and Avro files as Arrow batches. Entry: {@link io.fulmar.catalog.decode.FileDecoder}. Touches
 * the formats' libraries, Iceberg's schemas and Arrow's vectors; knows no snapshot, no plan and no
 * deletes. What a file lacks is decided in {@code FieldResolver}, what a type may become in {@code
 * OrcLeaves} and {@code AvroLeaves}.
 */
package io.fulmar.catalog.decode;
