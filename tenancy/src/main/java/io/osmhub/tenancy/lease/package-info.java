/** Who may write: Leases of this replica, of the one that works for all, and of the product that the hub stands in for. */
@NullMarked
package io.osmhub.tenancy.lease;

import org.jspecify.annotations.NullMarked;
