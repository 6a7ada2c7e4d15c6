/** Benchmarks of the hub, the source of the figures in docs/performance.md. */
@NullMarked
package io.osmhub.bench;

import org.jspecify.annotations.NullMarked;
