/** The loop that keeps Leases, certificates, credentials and webhook configurations renewed. */
@NullMarked
package io.osmhub.tenancy.renewal;

import org.jspecify.annotations.NullMarked;
