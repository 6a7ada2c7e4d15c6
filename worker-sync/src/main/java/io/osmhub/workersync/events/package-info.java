/** Kubernetes Events, written asynchronously and within a budget. */
@NullMarked
package io.osmhub.workersync.events;

import org.jspecify.annotations.NullMarked;
