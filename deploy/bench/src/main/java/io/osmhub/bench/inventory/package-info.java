/** Measures the inventory: how long pages of a large fleet take, and how much memory the fleet does. */
@NullMarked
package io.osmhub.bench.inventory;

import org.jspecify.annotations.NullMarked;
