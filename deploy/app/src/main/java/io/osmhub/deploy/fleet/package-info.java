/** Access to the fleet through the hub's API or the management cluster, and output formats. */
@NullMarked
package io.osmhub.deploy.fleet;

import org.jspecify.annotations.NullMarked;
