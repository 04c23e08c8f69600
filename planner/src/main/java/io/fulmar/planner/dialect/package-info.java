/**
 * Notations of several dialects as one: what people and tools write becomes what the validator
 * knows.
 *
 * <p>Entries: {@link io.fulmar.planner.dialect.DistinctOn} before tables are bound, {@link
 * io.fulmar.planner.dialect.SyntaxRewriter} after. The package touches syntax trees only; it knows
 * no types.
 */
package io.fulmar.planner.dialect;
