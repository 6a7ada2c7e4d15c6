/** Reconciles MachineDeployments: collect, decide, write, and handle the result. */
@NullMarked
package io.osmhub.workersync.reconcile;

import org.jspecify.annotations.NullMarked;
