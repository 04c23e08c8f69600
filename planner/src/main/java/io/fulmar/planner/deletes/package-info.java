/**
 * Live deletes as joins: every scan of a table with deletes becomes a scan of its data files
 * anti-joined to its position deletes and to each set of equality deletes, so that the logical plan
 * shows what is read.
 *
 * <p>Entry: {@link io.fulmar.planner.deletes.DeleteRewriter}. The package touches Calcite trees and
 * table metadata, no file and no plan message.
 */
package io.fulmar.planner.deletes;
