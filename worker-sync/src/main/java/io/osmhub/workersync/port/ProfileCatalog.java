package io.osmhub.workersync.port;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.render.Renderer.RenderInput;

/** The profiles that one tenant may use, from a cache. Must not block. */
@FunctionalInterface
public interface ProfileCatalog {
    /** Finds the profile that the MachineDeployment's annotations name; missing if it does not exist or may not be used. */
    LookupResult<RenderInput.Profile> find(MachineDeployment machineDeployment);
}
