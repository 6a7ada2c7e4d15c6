/** The read model over all tenants: what is stored in the management cluster, compact, indexed and cut down to what a caller may see. */
@NullMarked
package io.osmhub.api.inventory;

import org.jspecify.annotations.NullMarked;
