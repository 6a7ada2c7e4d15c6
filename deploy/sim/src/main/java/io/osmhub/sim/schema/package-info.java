/** Structural schemas of custom kinds: pruning, defaults, validation without CEL, and how lists are merged. */
@NullMarked
package io.osmhub.sim.schema;

import org.jspecify.annotations.NullMarked;
