package io.osmhub.api.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.core.render.RenderInput;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.PreviewProposal;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of a request, applied together.
 *
 * @param specs of WorkerClusters, by namespace
 */
record ProposedObjects(List<StoredProfile> profiles, Map<String, JsonNode> specs) {
    ProposedObjects {
        profiles = List.copyOf(profiles);
        specs = Map.copyOf(specs);
    }

    static ProposedObjects of(DiffRequest request) throws ApiProblem {
        List<StoredProfile> profiles = new ArrayList<>();
        Map<String, JsonNode> specs = new HashMap<>();
        List<RequestError> mistakes = new ArrayList<>();
        for (int i = 0; i < request.changes().size(); i++) {
            JsonNode object = request.changes().get(i);
            String pointer = "/changes/" + i;
            String namespace = object.path("metadata").path("namespace").asText("");
            if (namespace.isEmpty()
                    || object.path("metadata").path("name").asText("").isEmpty()) {
                mistakes.add(RequestError.body(pointer + "/metadata", "namespace or name is missing", "add both"));
                continue;
            }
            switch (object.path("kind").asText("")) {
                case RequestBodyReader.PROFILE -> profiles.add(RequestBodyReader.profile(object, pointer));
                case "WorkerCluster" -> specs.put(namespace, object.path("spec"));
                default ->
                    mistakes.add(RequestError.body(
                            pointer + "/kind",
                            "it is neither an OperatingSystemProfile nor a WorkerCluster",
                            "provide one of them as for kubectl apply"));
            }
        }
        if (!mistakes.isEmpty()) {
            throw ApiProblem.validationFailed(mistakes);
        }
        return new ProposedObjects(profiles, specs);
    }

    PreviewProposal proposalFor(String tenant) {
        return new PreviewProposal(profiles, null, null, specs.get(tenant));
    }

    /** Whether the change affects a MachineDeployment. */
    boolean affects(LiveTenant tenant, ObjectKey machineDeployment, PreviewProposal proposal) {
        if (proposal.spec() != null) {
            return true;
        }
        String name = tenant.profileOf(machineDeployment);
        boolean named = profiles.stream().anyMatch(profile -> profile.name().equals(name));
        return named
                && (isProposed(tenant.profile(machineDeployment, proposal))
                        || isProposed(tenant.profile(machineDeployment, PreviewProposal.NONE)));
    }

    private boolean isProposed(Optional<RenderInput.Profile> found) {
        return found.filter(profile -> profiles.stream()
                        .anyMatch(changed -> changed.namespace().equals(profile.namespace())
                                && changed.name().equals(profile.name())))
                .isPresent();
    }
}
