/** WorkerCluster: the record of one tenant as the API server stores it; its settings, status and rules. */
@NullMarked
package io.osmhub.core.workercluster;

import org.jspecify.annotations.NullMarked;
