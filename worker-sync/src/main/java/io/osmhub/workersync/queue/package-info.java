/** The hub's work queue: fair between tenants, one run per key at a time, no duplicates, backoff after failures. */
@NullMarked
package io.osmhub.workersync.queue;

import org.jspecify.annotations.NullMarked;
