/** What can be made to go wrong on one cluster. */
@NullMarked
package io.osmhub.sim.faults;

import org.jspecify.annotations.NullMarked;
