/**
 * A tenant's settings: each that the peer takes as a flag, and those that only the hub has; read from a WorkerCluster, from the
 * hub's defaults or from the peer's flags, checked, and laid over each other.
 */
@NullMarked
package io.osmhub.core.settings;

import org.jspecify.annotations.NullMarked;
