/**
 * Errors as clients see them. Entry: {@link io.fulmar.catalog.error.FulmarException}; {@link
 * io.fulmar.catalog.error.FileErrors} turns failures of files and stores into it. Touches nothing
 * else.
 */
package io.fulmar.catalog.error;
