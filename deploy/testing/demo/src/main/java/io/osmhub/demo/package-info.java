/** The demo: the real hub with simulated clusters, on a terminal. */
@NullMarked
package io.osmhub.demo;

import org.jspecify.annotations.NullMarked;
