/** Applies changes in a crash-safe order, each at most once, and tracks writes of unknown outcome. */
@NullMarked
package io.osmhub.workersync.write;

import org.jspecify.annotations.NullMarked;
