/** Reading, writing and walking JSON trees. */
@NullMarked
package io.osmhub.sim.json;

import org.jspecify.annotations.NullMarked;
