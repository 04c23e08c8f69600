/**
 * Random tables, written by Iceberg's own writers, whose rows the generator knows from a list of
 * its own; the server must give these rows, on either backend, in every form of deletes.
 *
 * <p>Entry: {@link io.fulmar.it.property.RandomTablesTest}. The package writes tables with Iceberg
 * and asks the server over Flight SQL; it reads no table itself.
 */
package io.fulmar.it.property;
