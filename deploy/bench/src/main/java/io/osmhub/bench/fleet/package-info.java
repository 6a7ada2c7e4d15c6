/** Benchmarks of one hub, in its own process, that serves simulated clusters. */
@NullMarked
package io.osmhub.bench.fleet;

import org.jspecify.annotations.NullMarked;
