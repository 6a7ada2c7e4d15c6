/** The fleet as a command sees it, through the hub's API or straight from the management cluster, and how it is printed. */
@NullMarked
package io.osmhub.deploy.fleet;

import org.jspecify.annotations.NullMarked;
