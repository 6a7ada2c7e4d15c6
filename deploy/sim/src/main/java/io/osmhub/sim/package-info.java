/** Simulated Kubernetes API servers, many in one process: start, stop and reach into them. */
@NullMarked
package io.osmhub.sim;

import org.jspecify.annotations.NullMarked;
