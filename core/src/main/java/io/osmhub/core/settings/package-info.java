/**
 * A tenant's settings: OSM's flags and the hub's own; read from a WorkerCluster, the hub's defaults or OSM's flags,
 * validated, and merged.
 */
@NullMarked
package io.osmhub.core.settings;

import org.jspecify.annotations.NullMarked;
