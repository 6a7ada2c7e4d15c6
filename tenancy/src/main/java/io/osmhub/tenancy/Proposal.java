package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would be another than it is, for a preview. Nothing of it is stored.
 *
 * @param profiles that would be there, in place of stored ones of the same name
 * @param profile that would be used whatever the MachineDeployment names; null for the one that it names
 * @param machineDeployment in place of the stored one; null for that
 * @param spec of the WorkerCluster in place of the stored one; null for that
 */
public record Proposal(
        List<StoredProfile> profiles,
        @Nullable StoredProfile profile,
        @Nullable MachineDeployment machineDeployment,
        @Nullable JsonNode spec) {
    /** All as it is. */
    public static final Proposal NONE = new Proposal(List.of(), null, null, null);

    public Proposal {
        profiles = List.copyOf(profiles);
    }

    /** Without the objects: a MachineDeployment may hold credentials. */
    @Override
    public String toString() {
        return "Proposal[" + profiles.size() + " profiles]";
    }
}
