/** The verbs on objects, with the rules that hold for every kind and for some. */
@NullMarked
package io.osmhub.sim.objects;

import org.jspecify.annotations.NullMarked;
