/** Builds all API server clients: the management cluster's and one for each worker cluster. */
@NullMarked
package io.osmhub.tenancy.client;

import org.jspecify.annotations.NullMarked;
