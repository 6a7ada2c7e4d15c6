/** What a sync needs from outside, narrowed to one tenant: nothing here leads to another one. */
@NullMarked
package io.osmhub.workersync.port;

import org.jspecify.annotations.NullMarked;
