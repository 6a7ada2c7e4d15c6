/** Admission webhooks: what API servers ask before they store a profile, a configuration, a WorkerCluster or a MachineDeployment. */
@NullMarked
package io.osmhub.api.admission;

import org.jspecify.annotations.NullMarked;
