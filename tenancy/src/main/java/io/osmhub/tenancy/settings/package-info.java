/** Resolves and validates one tenant's settings: its WorkerCluster's merged with the hub's defaults. */
@NullMarked
package io.osmhub.tenancy.settings;

import org.jspecify.annotations.NullMarked;
