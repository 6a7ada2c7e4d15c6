/** Lists and watches of one API server, kept in reduced caches; turns events into cache changes and decides nothing. */
@NullMarked
package io.osmhub.workersync.watch;

import org.jspecify.annotations.NullMarked;
