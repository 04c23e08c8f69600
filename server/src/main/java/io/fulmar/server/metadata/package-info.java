/**
 * Answers to the metadata commands of Flight SQL: {@link io.fulmar.server.metadata.MetadataService}
 * gives each as a {@link io.fulmar.server.metadata.MetadataAnswer}.
 *
 * <p>May use Flight SQL's schemas, the catalog-adapter and {@code server.session}.
 */
package io.fulmar.server.metadata;
