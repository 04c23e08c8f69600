package io.fulmar.planner.validate;

import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * Facts about plans without generated code: compiling Calcite's metadata handlers would cost the
 * first statements of a server a second.
 */
final class PlanMetadata extends RelMetadataQuery {
  PlanMetadata() {
    super(new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE));
  }
}
