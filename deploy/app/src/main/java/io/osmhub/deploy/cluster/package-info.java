/** What {@code hub cluster} and {@code hub install} show and do: reports of worker clusters, and what is created and removed in a cluster. */
@NullMarked
package io.osmhub.deploy.cluster;

import org.jspecify.annotations.NullMarked;
