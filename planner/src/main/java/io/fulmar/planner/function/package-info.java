/**
 * The functions of the language: names, argument and result types, and the plan language's function
 * for each.
 *
 * <p>Entry: {@link io.fulmar.planner.function.Functions}. The package touches Calcite's operator
 * classes and the plan's enums, nothing else.
 */
package io.fulmar.planner.function;
