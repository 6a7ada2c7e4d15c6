/** The objects of one simulated cluster, their revisions and the history that watches read. */
@NullMarked
package io.osmhub.sim.store;

import org.jspecify.annotations.NullMarked;
