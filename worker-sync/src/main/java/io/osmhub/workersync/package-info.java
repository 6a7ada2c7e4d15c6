/** Keeps one worker cluster in sync. */
@NullMarked
package io.osmhub.workersync;

import org.jspecify.annotations.NullMarked;
