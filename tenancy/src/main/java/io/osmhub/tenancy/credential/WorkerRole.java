package io.osmhub.tenancy.credential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;

/**
 * The account, the roles and the bindings that the hub has in a worker cluster: exactly those of deploy/manifests.
 *
 * @param parts in the order in which they are made
 */
public record WorkerRole(WorkerAccount account, List<WorkerManifest> parts) {
    public WorkerRole {
        parts = List.copyOf(parts);
    }

    /** What an account needs that renews its own token. */
    public static WorkerRole scoped(WorkerAccount account) {
        return new WorkerRole(account, List.of(WorkerManifest.ROLE, WorkerManifest.RENEW));
    }

    /** Manifests as people apply them. */
    public String yaml() {
        StringBuilder yaml = new StringBuilder();
        for (WorkerManifest part : parts) {
            yaml.append(yaml.isEmpty() ? "" : "---\n").append(part.yaml(account));
        }
        return yaml.toString();
    }

    /** How many roles it has, of a namespace or of the cluster. */
    public int roles() {
        return (int) objects().stream()
                .filter(object -> object.path("kind").asText().endsWith("Role"))
                .count();
    }

    private List<JsonNode> objects() {
        List<JsonNode> objects = new ArrayList<>();
        for (WorkerManifest part : parts) {
            for (Document document : YamlText.read(part.file(), part.yaml(account), "HubBug")) {
                objects.add(Document.json(document.root()));
            }
        }
        return objects;
    }

    /**
     * Makes what is missing in the worker cluster and sets right what differs; waits. Needs a stronger credential than the one
     * that comes of it: who grants a permission must have it.
     *
     * @throws ApiFailure for the first that could not be made
     */
    public void make(KubeApi worker) throws ApiFailure {
        for (JsonNode object : objects()) {
            make(worker, (ObjectNode) object);
        }
    }

    private static void make(KubeApi worker, ObjectNode object) throws ApiFailure {
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
