/** The HTTP face of one simulated cluster: paths, answers, watches and discovery. */
@NullMarked
package io.osmhub.sim.http;

import org.jspecify.annotations.NullMarked;
