/** The simulator as a process of its own: its options, its state file and the HTTP endpoint that steers it. */
@NullMarked
package io.osmhub.sim.admin;

import org.jspecify.annotations.NullMarked;
