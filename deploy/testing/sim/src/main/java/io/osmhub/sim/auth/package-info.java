/** Authentication and authorization of callers, and the certificates of clusters. */
@NullMarked
package io.osmhub.sim.auth;

import org.jspecify.annotations.NullMarked;
