/** What changes, in an order that outlives the process: each change has a place that follows from the API server's own versions. */
@NullMarked
package io.osmhub.api.journal;

import org.jspecify.annotations.NullMarked;
