/** The command line's clients: of the hub's API and of the management cluster; and output formats. */
@NullMarked
package io.osmhub.deploy.fleet;

import org.jspecify.annotations.NullMarked;
