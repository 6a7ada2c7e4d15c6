/** Leases: which replica serves which tenant, and leadership in drop-in mode. */
@NullMarked
package io.osmhub.tenancy.lease;

import org.jspecify.annotations.NullMarked;
