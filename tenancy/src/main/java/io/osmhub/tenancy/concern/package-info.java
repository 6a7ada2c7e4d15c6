/** Problems of the hub itself: missing permissions in the management cluster, Leases, and their exchange between replicas. */
@NullMarked
package io.osmhub.tenancy.concern;

import org.jspecify.annotations.NullMarked;
