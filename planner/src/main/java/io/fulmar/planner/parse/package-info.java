/**
 * SQL text to syntax tree, with positions everywhere.
 *
 * <p>Entry: {@link io.fulmar.planner.parse.StatementParser}. The grammar is Calcite's with the
 * additions of {@code src/main/codegen}; the generated classes stand in this package too. It
 * touches Calcite's syntax classes only and knows no names, types or catalogs.
 */
package io.fulmar.planner.parse;
