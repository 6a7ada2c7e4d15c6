/** The HTTP server of one simulated cluster: paths, responses, watches and discovery. */
@NullMarked
package io.osmhub.sim.http;

import org.jspecify.annotations.NullMarked;
