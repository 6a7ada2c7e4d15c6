/** Requests to the other replicas of the hub, so that any of them answers for any tenant. */
@NullMarked
package io.osmhub.api.peer;

import org.jspecify.annotations.NullMarked;
