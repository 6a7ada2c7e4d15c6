/** OperatingSystemConfig: a profile rendered for one MachineDeployment; its wire form, name and hash. */
@NullMarked
package io.osmhub.core.osc;

import org.jspecify.annotations.NullMarked;
