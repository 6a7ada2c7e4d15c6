package io.osmhub.api.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.core.render.RenderInput;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.Proposal;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of a request as they would be applied together.
 *
 * @param specs of WorkerClusters, by namespace
 */
record Changes(List<StoredProfile> profiles, Map<String, JsonNode> specs) {
    Changes {
        profiles = List.copyOf(profiles);
        specs = Map.copyOf(specs);
    }

    static Changes of(DiffRequest request) throws ApiProblem {
        List<StoredProfile> profiles = new ArrayList<>();
        Map<String, JsonNode> specs = new HashMap<>();
        List<Mistake> mistakes = new ArrayList<>();
        for (int i = 0; i < request.changes().size(); i++) {
            JsonNode object = request.changes().get(i);
            String pointer = "/changes/" + i;
            String namespace = object.path("metadata").path("namespace").asText("");
            if (namespace.isEmpty()
                    || object.path("metadata").path("name").asText("").isEmpty()) {
                mistakes.add(Mistake.body(
                        pointer + "/metadata", "namespace or name is missing", "say which object is meant"));
                continue;
            }
            switch (object.path("kind").asText("")) {
                case Bodies.PROFILE -> profiles.add(Bodies.profile(object, pointer));
                case "WorkerCluster" -> specs.put(namespace, object.path("spec"));
                default ->
                    mistakes.add(Mistake.body(
                            pointer + "/kind",
                            "it is neither an OperatingSystemProfile nor a WorkerCluster",
                            "give one of them as applied with kubectl"));
            }
        }
        if (!mistakes.isEmpty()) {
            throw ApiProblem.validationFailed(mistakes);
        }
        return new Changes(profiles, specs);
    }

    Proposal proposalFor(String tenant) {
        return new Proposal(profiles, null, null, specs.get(tenant));
    }

    /** Whether a MachineDeployment gets anything from what changes. */
    boolean concern(LiveTenant tenant, ObjectKey machineDeployment, Proposal proposal) {
        if (proposal.spec() != null) {
            return true;
        }
        String name = tenant.profileOf(machineDeployment);
        boolean named = profiles.stream().anyMatch(profile -> profile.name().equals(name));
        return named
                && (isOurs(tenant.profile(machineDeployment, proposal))
                        || isOurs(tenant.profile(machineDeployment, Proposal.NONE)));
    }

    private boolean isOurs(Optional<RenderInput.Profile> found) {
        return found.filter(profile -> profiles.stream()
                        .anyMatch(changed -> changed.namespace().equals(profile.namespace())
                                && changed.name().equals(profile.name())))
                .isPresent();
    }
}
