/** Benchmarks of the inventory: page times and memory of a large fleet. */
@NullMarked
package io.osmhub.bench.inventory;

import org.jspecify.annotations.NullMarked;
