package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;

/**
 * A query after name resolution.
 *
 * @param root Calcite's conversion result: sub-queries are kept ({@code expand = false}),
 *     parameters are {@code RexDynamicParam}, and its row type has the result's columns in order
 * @param resultSchema the schema to announce
 * @param parameterTypes one for each parameter; of type NULL where nothing tells
 * @param parameterSchema what clients are told about the parameters
 */
public record AnalyzedQuery(
    RelNode root, Schema resultSchema, List<RelDataType> parameterTypes, Schema parameterSchema) {
  public AnalyzedQuery {
    requireNonNull(root, "root is null");
    requireNonNull(resultSchema, "resultSchema is null");
    parameterTypes = List.copyOf(parameterTypes);
    requireNonNull(parameterSchema, "parameterSchema is null");
  }
}
