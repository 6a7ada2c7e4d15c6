/** Makes changes in the order in which they are safe, each at most once, and remembers what it does not know the outcome of. */
@NullMarked
package io.osmhub.workersync.write;

import org.jspecify.annotations.NullMarked;
