/**
 * The rules of names: what a written name means among what exists, how near two names are, and
 * where a name stands in the text.
 *
 * <p>Entries: {@link io.fulmar.planner.name.TableFinder} for catalogs, schemas and tables, {@link
 * io.fulmar.planner.name.StatementNames} for columns and aliases. The package asks {@code
 * io.fulmar.catalog.registry} and reads syntax trees.
 */
package io.fulmar.planner.name;
