package io.osmhub.workersync.port;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.render.RenderInput;

/** The profiles that one tenant may use. Answers from a cache and never waits. */
@FunctionalInterface
public interface ProfileCatalog {
    /** What was found. */
    sealed interface Lookup {
        /** The profile that the MachineDeployment means. */
        record Found(RenderInput.Profile profile) implements Lookup {}

        /** There is none, or the tenant may not use it; the finding says which and what to do. */
        record NotUsable(Finding finding) implements Lookup {}
    }

    /** The profile that a MachineDeployment names by its annotations. */
    Lookup find(MachineDeployment machineDeployment);
}
