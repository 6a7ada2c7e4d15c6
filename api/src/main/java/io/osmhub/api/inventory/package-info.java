/**
 * The read model over all tenants: indexed state of the management cluster, filtered by the caller's permissions, and the operations that
 * read it.
 */
@NullMarked
package io.osmhub.api.inventory;

import org.jspecify.annotations.NullMarked;
