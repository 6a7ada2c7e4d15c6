package io.osmhub.tenancy.credential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;

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
        StringBuilder yaml = new StringBuilder();
        for (WorkerManifest part : parts) {
            yaml.append(yaml.isEmpty() ? "" : "---\n").append(part.yaml(account));
        }
        return yaml.toString();
    }

    /** Number of Roles and ClusterRoles. */
    public int roles() {
        return (int) objects().stream()
                .filter(object -> object.path("kind").asText().endsWith("Role"))
                .count();
    }

    private List<JsonNode> objects() {
        List<JsonNode> objects = new ArrayList<>();
        for (WorkerManifest part : parts) {
            for (SourceDocument document : YamlDocumentReader.read(part.file(), part.yaml(account), "HubBug")) {
                objects.add(SourceDocument.json(document.root()));
            }
        }
        return objects;
    }

    /**
     * Creates or corrects the objects in the worker cluster; blocks. Needs a stronger credential than the resulting one, because
     * granting a permission requires having it.
     *
     * @throws ApiFailure for the first object that could not be applied
     */
    public void apply(KubeApi worker) throws ApiFailure {
        for (JsonNode object : objects()) {
            apply(worker, (ObjectNode) object);
        }
    }

    private static void apply(KubeApi worker, ObjectNode object) throws ApiFailure {
        Resource resource = resource(object.path("kind").asText());
        String namespace = object.at("/metadata/namespace").asText();
        try {
            worker.send(ApiRequest.create(resource, namespace, WireJson.text(object)));
        } catch (ApiFailure e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
            worker.send(ApiRequest.patch(
                    resource,
                    namespace,
                    object.at("/metadata/name").asText(),
                    ApiRequest.MERGE_PATCH,
                    WireJson.text(object)));
        }
    }

    private static Resource resource(String kind) {
        return switch (kind) {
            case "Namespace" -> Resource.NAMESPACES;
            case "Secret" -> Resource.SECRETS;
            case "ServiceAccount" -> Resource.SERVICE_ACCOUNTS;
            case "ClusterRole" -> Resource.CLUSTER_ROLES;
            case "ClusterRoleBinding" -> Resource.CLUSTER_ROLE_BINDINGS;
            case "Role" -> Resource.ROLES;
            case "RoleBinding" -> Resource.ROLE_BINDINGS;
            default -> throw new IllegalStateException("a worker role has no " + kind);
        };
    }
}
