/** Watches of the management cluster: objects are reduced on arrival, and indexed by namespace. */
@NullMarked
package io.osmhub.tenancy.watch;

import org.jspecify.annotations.NullMarked;
