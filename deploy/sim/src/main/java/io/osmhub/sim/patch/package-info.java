/** JSON patch, merge patch and strategic merge patch. */
@NullMarked
package io.osmhub.sim.patch;

import org.jspecify.annotations.NullMarked;
