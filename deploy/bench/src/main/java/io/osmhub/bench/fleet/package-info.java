/** Measures one hub, in a process of its own, that serves a fleet of simulated clusters. */
@NullMarked
package io.osmhub.bench.fleet;

import org.jspecify.annotations.NullMarked;
