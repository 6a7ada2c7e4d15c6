package io.osmhub.workersync.port;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.render.Renderer.RenderInput;

/** The profiles that one tenant may use, from a cache. Must not block. */
@FunctionalInterface
public interface ProfileCatalog {
    sealed interface ProfileLookupResult {
        record Found(RenderInput.Profile profile) implements ProfileLookupResult {}

        /** The profile does not exist or the tenant may not use it; the finding explains the fix. */
        record NotUsable(ProblemFinding finding) implements ProfileLookupResult {}
    }

    /** Finds the profile that the MachineDeployment's annotations name. */
    ProfileLookupResult find(MachineDeployment machineDeployment);
}
