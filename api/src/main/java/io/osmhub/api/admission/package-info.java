/** Admission webhooks for profiles, configurations, WorkerClusters and MachineDeployments. */
@NullMarked
package io.osmhub.api.admission;

import org.jspecify.annotations.NullMarked;
