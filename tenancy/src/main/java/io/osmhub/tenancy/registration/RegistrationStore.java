package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MergePatch;
import io.osmhub.workersync.apiserver.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the two objects of a registration: the WorkerCluster and the Secret with its kubeconfig. A change requires the
 * version that was read, except of a Secret that may not be read. Blocks.
 *
 * @param dryRun the API server checks writes and returns their results, but stores nothing
 */
record RegistrationStore(KubeApi managementApi, String namespace, String name, boolean dryRun) {
    RegistrationStore asDryRun() {
        return new RegistrationStore(managementApi, namespace, name, true);
    }

    // WorkerCluster

    /** Null if there is none. */
    @Nullable ObjectNode find() throws ApiFailure {
        try {
            return send(ApiRequest.get(Resource.WORKER_CLUSTERS, namespace, name));
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    ObjectNode existing() throws RegistrationException, ApiFailure {
        ObjectNode found = find();
        if (found == null) {
            throw RegistrationException.of(Kind.NOT_FOUND, "no WorkerCluster " + name + " in namespace " + namespace);
        }
        return found;
    }

    /** Names of the WorkerClusters of the namespace. */
    List<String> names() throws ApiFailure {
        List<String> names = new ArrayList<>();
        send(ApiRequest.list(Resource.WORKER_CLUSTERS, namespace, Map.of("limit", "10")))
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    /**
     * Stores what a WorkerCluster shall be, unless something else than its status changed meanwhile.
     *
     * @param before as it was read; null to create it
     */
    ObjectNode write(@Nullable ObjectNode before, ObjectNode wanted) throws RegistrationException, ApiFailure {
        if (before == null) {
            try {
                return write(ApiRequest.create(Resource.WORKER_CLUSTERS, namespace, WireJson.text(wanted)));
            } catch (ApiFailure e) {
                if (e.isAlreadyExists()) {
                    throw conflict();
                }
                throw e;
            }
        }
        ObjectNode patch = MergePatch.diff(before, wanted);
        if (patch.isEmpty()) {
            return before;
        }
        return whileUnchanged(before, version -> {
            patch.withObject("/metadata").put("uid", version.uid()).put("resourceVersion", version.resourceVersion());
            return ApiRequest.patch(
                    Resource.WORKER_CLUSTERS, namespace, name, ApiRequest.MERGE_PATCH, WireJson.text(patch));
        });
    }

    /** Starts the removal of the object that was read, unless something else than its status changed meanwhile. */
    void delete(ObjectNode before) throws RegistrationException, ApiFailure {
        try {
            whileUnchanged(
                    before,
                    version -> ApiRequest.delete(
                            Resource.WORKER_CLUSTERS, namespace, name, version.uid(), version.resourceVersion()));
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private ObjectNode whileUnchanged(ObjectNode before, Function<ObjectMetadata, ApiRequest> request)
            throws RegistrationException, ApiFailure {
        ObjectNode known = before;
        while (true) {
            try {
                return write(request.apply(ObjectMetadata.of(known)));
            } catch (ApiFailure e) {
                if (!e.isConflict()) {
                    throw e;
                }
                ObjectNode found = find();
                if (found == null || found.equals(known) || !settings(found).equals(settings(known))) {
                    throw conflict();
                }
                known = found;
            }
        }
    }

    private RegistrationException conflict() {
        return RegistrationException.of(
                Kind.CONFLICT, "WorkerCluster " + name + " was changed at the same time; read it again and retry");
    }

    /** Without what the hub writes itself. */
    private static ObjectNode settings(ObjectNode workerCluster) {
        ObjectNode rest = workerCluster.deepCopy();
        rest.remove("status");
        rest.withObject("/metadata").remove(List.of("resourceVersion", "managedFields"));
        return rest;
    }

    // Secret

    /** Name of the Secret that API and command line write. */
    String ownSecret() {
        return name + "-kubeconfig";
    }

    /** Where the kubeconfig of a WorkerCluster is, or will be. */
    StoredKubeconfig kubeconfigOf(ObjectNode workerCluster) throws RegistrationException, ApiFailure {
        WorkerClusterRecord record = WorkerClusterRecord.of(workerCluster);
        if (record.secretName().isEmpty()) {
            throw RegistrationException.of(
                    Kind.CONFLICT, "WorkerCluster " + name + " is the management cluster itself and has no kubeconfig");
        }
        try {
            JsonNode found = WireJson.find(managementApi, Resource.SECRETS, namespace, record.secretName());
            return new StoredKubeconfig(record, found == null ? null : KubeconfigSecret.of(found), true);
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return new StoredKubeconfig(record, null, false);
            }
            throw e;
        }
    }

    /** Stores a kubeconfig unless it is stored already: in the Secret that was read or may not be read, or in a new one. */
    void store(Sensitive kubeconfig, StoredKubeconfig stored) throws RegistrationException, ApiFailure {
        KubeconfigSecret known = stored.secret();
        if (kubeconfig.equals(stored.text())) {
            return;
        }
        String secretName = stored.record().secretName();
        ObjectNode secret = WireJson.object().put("apiVersion", "v1").put("kind", "Secret");
        secret.putObject("metadata").put("namespace", namespace).put("name", secretName);
        if (secretName.equals(ownSecret())) {
            secret.put("type", KubeconfigSecret.OWN_TYPE);
        }
        secret.putObject("data")
                .put(
                        stored.key(),
                        Base64.getEncoder().encodeToString(kubeconfig.reveal().getBytes(StandardCharsets.UTF_8)));
        String text = WireJson.text(secret);
        try {
            if (known != null) {
                write(known.replacing(stored.key(), kubeconfig));
            } else if (stored.readable() || stored.record().uid().isEmpty()) {
                write(ApiRequest.create(Resource.SECRETS, namespace, text));
            } else {
                // It may exist already, in an unknown version.
                write(ApiRequest.apply(Resource.SECRETS, namespace, secretName, text));
            }
        } catch (ApiFailure e) {
            if (e.isConflict() || e.isAlreadyExists()) {
                throw RegistrationException.of(
                        Kind.CONFLICT, "Secret " + stored.path() + " was changed at the same time; try again");
            }
            throw e;
        }
    }

    // Requests

    private ObjectNode write(ApiRequest request) throws ApiFailure {
        return send(dryRun ? request.asDryRun() : request);
    }

    private ObjectNode send(ApiRequest request) throws ApiFailure {
        if (WireJson.response(managementApi.send(request), "JSON") instanceof ObjectNode object) {
            return object;
        }
        throw WireJson.unexpected("an object of the management cluster");
    }
}
