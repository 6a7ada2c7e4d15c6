/** Sets of fields, as managedFields records who owns which. */
@NullMarked
package io.osmhub.sim.fields;

import org.jspecify.annotations.NullMarked;
