/** Keeps one worker cluster right: start, stop and status of its sync. */
@NullMarked
package io.osmhub.workersync;

import org.jspecify.annotations.NullMarked;
