/** Kubernetes Events: what people are told beside the object that it is about, within a budget and never in anybody's way. */
@NullMarked
package io.osmhub.workersync.events;

import org.jspecify.annotations.NullMarked;
