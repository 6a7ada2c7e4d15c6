/** Authentication and authorization of callers. */
@NullMarked
package io.osmhub.sim.auth;

import org.jspecify.annotations.NullMarked;
