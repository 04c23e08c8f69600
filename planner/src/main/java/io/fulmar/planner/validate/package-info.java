/**
 * Names and types: from a syntax tree to a validated one and to Calcite's relational tree, with an
 * error that says where for whatever does not fit.
 *
 * <p>Entry: {@link io.fulmar.planner.validate.QueryAnalyzer}. The package asks {@code
 * io.fulmar.catalog} for tables and uses Calcite's validator and converter; it makes no plan
 * message.
 */
package io.fulmar.planner.validate;
