/** The simulated API server as the hub sees it, and virtual time, for deterministic tests. */
@NullMarked
package io.osmhub.workersync.fake;

import org.jspecify.annotations.NullMarked;
