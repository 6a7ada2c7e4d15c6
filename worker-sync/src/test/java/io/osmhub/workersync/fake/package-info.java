/** An in-memory API server and virtual time, for deterministic tests. */
@NullMarked
package io.osmhub.workersync.fake;

import org.jspecify.annotations.NullMarked;
