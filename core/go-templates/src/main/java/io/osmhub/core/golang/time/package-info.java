/**
 * Go's {@code time}: moments, durations, layouts and zones as templates see them, with Go's texts and error texts.
 *
 * <p>Years go as far as Go's do, beyond those of {@code java.time}; only the zones' rules come from there.
 */
@NullMarked
package io.osmhub.core.golang.time;

import org.jspecify.annotations.NullMarked;
