/** Who may write: Leases of this replica and of the product that the hub stands in for. */
@NullMarked
package io.osmhub.tenancy.lease;

import org.jspecify.annotations.NullMarked;
