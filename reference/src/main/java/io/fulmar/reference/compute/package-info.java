/**
 * Computes logical plans over Java rows: relational operators on Calcite's linq4j enumerables,
 * expressions interpreted with Fulmar's rules (checked integers and decimals, NaN equal to itself
 * and above infinity, zeros equal, text by code point).
 *
 * <p>Entry: {@link io.fulmar.reference.compute.RelCompiler}. A row is an {@code Object[]} of the
 * forms that {@link io.fulmar.reference.compute.Values} lists. What is not known to be exact is
 * refused with UNSUPPORTED_SQL. The package knows Calcite's relational classes and Arrow's vectors;
 * it reads tables through {@code planner.backend} only.
 */
package io.fulmar.reference.compute;
