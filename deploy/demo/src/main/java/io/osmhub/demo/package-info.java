/** The demo: the real hub at work on simulated clusters, shown on a terminal. */
@NullMarked
package io.osmhub.demo;

import org.jspecify.annotations.NullMarked;
