/** Measurements of the hub. What docs/performance.md claims is printed by these. */
@NullMarked
package io.osmhub.bench;

import org.jspecify.annotations.NullMarked;
