/**
 * A tenant's settings, one row each; read from a WorkerCluster, the hub's defaults or OSM's flags, validated, and merged.
 */
@NullMarked
package io.osmhub.core.settings;

import org.jspecify.annotations.NullMarked;
