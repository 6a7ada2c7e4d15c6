/** The objects of one simulated cluster: kinds, store, verbs and their rules, patches, selectors, schemas. */
@NullMarked
package io.osmhub.sim.objects;

import org.jspecify.annotations.NullMarked;
