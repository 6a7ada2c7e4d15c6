/** Reads the protobuf in which kubectl's generators send objects; nothing is ever answered in it. */
@NullMarked
package io.osmhub.sim.protobuf;

import org.jspecify.annotations.NullMarked;
