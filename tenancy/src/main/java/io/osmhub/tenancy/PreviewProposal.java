package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proposed changes for a preview; nothing is stored.
 *
 * @param profiles additional profiles, replacing stored ones of the same name
 * @param profile profile to use regardless of the MachineDeployment; null for the one that it names
 * @param machineDeployment replaces the stored one; null to use that
 * @param spec replaces the WorkerCluster's spec; null to use that
 */
public record PreviewProposal(
        List<StoredProfile> profiles,
        @Nullable StoredProfile profile,
        @Nullable MachineDeployment machineDeployment,
        @Nullable JsonNode spec) {
    /** No changes. */
    public static final PreviewProposal NONE = new PreviewProposal(List.of(), null, null, null);

    public PreviewProposal {
        profiles = List.copyOf(profiles);
    }

    /** Omits the objects: a MachineDeployment may contain credentials. */
    @Override
    public String toString() {
        return "Proposal[" + profiles.size() + " profiles]";
    }
}
