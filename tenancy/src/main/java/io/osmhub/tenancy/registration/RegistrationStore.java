package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes the two objects of a registration: the WorkerCluster and the Secret with its kubeconfig. Blocks. */
record RegistrationStore(KubeApi management, String namespace, String name) {
    /** Default key of the kubeconfig. */
    static final String KEY = "kubeconfig";

    @Nullable ObjectNode workerCluster() throws ApiFailure {
        return find(Resource.WORKER_CLUSTERS, name);
    }

    /** Names of the WorkerClusters of the namespace. */
    List<String> otherWorkerClusters() throws ApiFailure {
        List<String> names = new ArrayList<>();
        send(ApiRequest.list(Resource.WORKER_CLUSTERS, namespace, Map.of("limit", "10")))
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    /** Null if the Secret does not exist or may not be read. */
    @Nullable KubeconfigSecret secret(String secretName) throws ApiFailure {
        try {
            ObjectNode found = find(Resource.SECRETS, secretName);
            return found == null ? null : KubeconfigSecret.of(found);
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return null;
            }
            throw e;
        }
    }

    private @Nullable ObjectNode find(Resource resource, String objectName) throws ApiFailure {
        JsonNode found = WireJson.find(management, resource, namespace, objectName);
        return found == null ? null : object(found);
    }

    /** Name of the Secret that API and command line write for a WorkerCluster. */
    static String ownSecret(String workerCluster) {
        return workerCluster + "-kubeconfig";
    }

    /** The key of the kubeconfig, as the hub finds it. */
    static String key(WorkerClusterRecord record, @Nullable KubeconfigSecret secret) {
        var reference = record.spec() == null ? null : record.spec().kubeconfigSecretRef();
        String named = reference == null ? null : reference.key();
        return secret == null ? Objects.requireNonNullElse(named, KEY) : secret.key(named);
    }

    /** Creates the Secret and returns its UID. */
    String createSecret(String key, Sensitive kubeconfig) throws ApiFailure {
        ObjectNode secret = WireJson.object();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", KubeconfigSecret.OWN_TYPE);
        secret.putObject("metadata").put("namespace", namespace).put("name", ownSecret(name));
        secret.putObject("data").put(key, base64(kubeconfig));
        return send(ApiRequest.create(Resource.SECRETS, namespace, WireJson.text(secret)))
                .at("/metadata/uid")
                .asText();
    }

    /** Replaces the kubeconfig in a Secret. {@code known} null: unconditionally. */
    void replaceKubeconfig(String secretName, String key, Sensitive kubeconfig, @Nullable KubeconfigSecret known)
            throws ApiFailure {
        ObjectNode patch = WireJson.object();
        if (known != null) {
            patch.putObject("metadata")
                    .put("uid", known.head().uid())
                    .put("resourceVersion", known.head().resourceVersion());
        }
        patch.putObject("data").put(key, base64(kubeconfig));
        management.send(ApiRequest.patch(
                Resource.SECRETS, namespace, secretName, ApiRequest.MERGE_PATCH, WireJson.text(patch)));
    }

    void deleteSecret(String secretName, String uid) throws ApiFailure {
        try {
            management.send(ApiRequest.delete(Resource.SECRETS, namespace, secretName, uid, null));
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    ObjectNode createWorkerCluster(ObjectNode object) throws ApiFailure {
        return send(ApiRequest.create(Resource.WORKER_CLUSTERS, namespace, WireJson.text(object)));
    }

    ObjectNode patchWorkerCluster(ObjectNode patch) throws ApiFailure {
        return send(ApiRequest.patch(
                Resource.WORKER_CLUSTERS, namespace, name, ApiRequest.MERGE_PATCH, WireJson.text(patch)));
    }

    void deleteWorkerCluster(String uid, String resourceVersion) throws ApiFailure {
        management.send(ApiRequest.delete(Resource.WORKER_CLUSTERS, namespace, name, uid, resourceVersion));
    }

    private static String base64(Sensitive text) {
        return Base64.getEncoder().encodeToString(text.reveal().getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode send(ApiRequest request) throws ApiFailure {
        return object(WireJson.response(management.send(request), "an object of the management cluster"));
    }

    private static ObjectNode object(JsonNode response) throws ApiFailure {
        if (response instanceof ObjectNode object) {
            return object;
        }
        throw WireJson.unexpected("an object of the management cluster");
    }
}
