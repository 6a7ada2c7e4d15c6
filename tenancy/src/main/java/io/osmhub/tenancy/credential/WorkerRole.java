package io.osmhub.tenancy.credential;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The hub's account, roles and bindings in a worker cluster, as in deploy/packaging/manifests.
 *
 * @param parts in the order of creation
 */
public record WorkerRole(WorkerServiceAccount account, List<WorkerManifest> parts) {
    public WorkerRole {
        parts = List.copyOf(parts);
    }

    /** Role of an account that renews its own token. */
    public static WorkerRole scoped(WorkerServiceAccount account) {
        return new WorkerRole(account, List.of(WorkerManifest.ROLE, WorkerManifest.RENEW));
    }

    /** The manifests as YAML. */
    public String yaml() {
        return parts.stream().map(part -> part.yaml(account)).collect(Collectors.joining("---\n"));
    }

    /** Number of Roles and ClusterRoles. */
    public int roles() {
        return (int) objects().stream()
                .filter(object -> object.path("kind").asText().endsWith("Role"))
                .count();
    }

    private List<JsonNode> objects() {
        return YamlDocumentReader.read("roles", yaml(), Reason.InternalError).stream()
                .map(document -> SourceDocument.json(document.root()))
                .toList();
    }

    /**
     * Creates or corrects the objects in the worker cluster; blocks. Needs a stronger credential than the resulting one, because
     * granting a permission requires having it.
     *
     * @throws ApiFailure for the first object that could not be applied
     */
    public void apply(KubeApi worker) throws ApiFailure {
        for (JsonNode object : objects()) {
            JsonNode metadata = object.path("metadata");
            worker.send(ApiRequest.apply(
                    resource(object),
                    metadata.path("namespace").asText(),
                    metadata.path("name").asText(),
                    WireJson.text(object)));
        }
    }

    private static Resource resource(JsonNode object) {
        String plural = object.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        return Arrays.stream(Resource.values())
                .filter(resource -> resource.plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }
}
