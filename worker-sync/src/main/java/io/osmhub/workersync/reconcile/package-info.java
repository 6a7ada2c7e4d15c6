/** The story of one MachineDeployment: look, decide, write; and what follows from it. */
@NullMarked
package io.osmhub.workersync.reconcile;

import org.jspecify.annotations.NullMarked;
