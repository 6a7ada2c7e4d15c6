/** Ports of a sync, scoped to one tenant. */
@NullMarked
package io.osmhub.workersync.port;

import org.jspecify.annotations.NullMarked;
