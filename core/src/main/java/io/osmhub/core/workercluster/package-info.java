/** WorkerCluster: what the API server stores of one tenant, as records. */
@NullMarked
package io.osmhub.core.workercluster;

import org.jspecify.annotations.NullMarked;
