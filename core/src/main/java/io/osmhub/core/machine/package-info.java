/** MachineDeployment: its used fields and its decoded provider config. */
@NullMarked
package io.osmhub.core.machine;

import org.jspecify.annotations.NullMarked;
