/** Certificate authorities, serving and client certificates of simulated clusters. */
@NullMarked
package io.osmhub.sim.certificate;

import org.jspecify.annotations.NullMarked;
