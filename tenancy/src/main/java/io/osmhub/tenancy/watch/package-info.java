/** What the hub watches in the management cluster: reduced on arrival, and asked for by namespace. */
@NullMarked
package io.osmhub.tenancy.watch;

import org.jspecify.annotations.NullMarked;
