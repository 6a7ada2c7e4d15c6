/** A pretend machine-controller: starts machines that boot from the secrets they are given, or says why they cannot. */
@NullMarked
package io.osmhub.sim.machines;

import org.jspecify.annotations.NullMarked;
