/** The simulator as a separate process: options, state file and HTTP control endpoint. */
@NullMarked
package io.osmhub.sim.admin;

import org.jspecify.annotations.NullMarked;
