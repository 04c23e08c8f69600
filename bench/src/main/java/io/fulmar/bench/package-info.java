/**
 * Makes the tables of the benchmark scenarios: Parquet files written by DuckDB with field ids,
 * committed by Iceberg's library. Entry class: {@link io.fulmar.bench.BenchTables}. Touches nothing
 * of the server.
 */
package io.fulmar.bench;
