/** Label and field selectors. */
@NullMarked
package io.osmhub.sim.select;

import org.jspecify.annotations.NullMarked;
