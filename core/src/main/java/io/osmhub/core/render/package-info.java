/**
 * Renders profile, MachineDeployment and tenant settings to OperatingSystemConfig and user-data. Pure: equal inputs give equal
 * outputs.
 */
@NullMarked
package io.osmhub.core.render;

import org.jspecify.annotations.NullMarked;
