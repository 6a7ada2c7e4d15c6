/** Manages tenants: one running sync per registered worker cluster, with fair sharing. */
@NullMarked
package io.osmhub.tenancy;

import org.jspecify.annotations.NullMarked;
