/** Writes statuses to the management cluster: only the latest, only if changed, at a limited rate. */
@NullMarked
package io.osmhub.tenancy.status;

import org.jspecify.annotations.NullMarked;
