/** Faults of one cluster. */
@NullMarked
package io.osmhub.sim.faults;

import org.jspecify.annotations.NullMarked;
