/** Simulated Kubernetes API servers, many in one process: their start, stop and control. */
@NullMarked
package io.osmhub.sim;

import org.jspecify.annotations.NullMarked;
