/** Who is asking and what they may do. */
@NullMarked
package io.osmhub.sim.auth;

import org.jspecify.annotations.NullMarked;
