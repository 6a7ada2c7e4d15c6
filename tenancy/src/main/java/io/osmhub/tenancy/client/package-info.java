/** Builds every client of an API server: the management cluster's and one for each worker cluster, which share all that can be shared. */
@NullMarked
package io.osmhub.tenancy.client;

import org.jspecify.annotations.NullMarked;
