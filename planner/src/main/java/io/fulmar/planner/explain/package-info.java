/**
 * Plans as text for people: the logical tree with column names, delete anti-joins included. The
 * text of one plan is the same on every run.
 *
 * <p>Entry: {@link io.fulmar.planner.explain.LogicalText}. The package reads relational trees and
 * nothing else.
 */
package io.fulmar.planner.explain;
