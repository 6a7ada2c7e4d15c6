/** Profile, MachineDeployment and tenant settings in; OperatingSystemConfig and user-data out. Pure: the same input gives the same output. */
@NullMarked
package io.osmhub.core.render;

import org.jspecify.annotations.NullMarked;
