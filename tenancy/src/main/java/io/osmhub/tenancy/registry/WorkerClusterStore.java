package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StatusCache;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The WorkerClusters of the management cluster: watches them, creates them for Secrets, and manages their finalizer. */
public final class WorkerClusterStore extends StatusCache<WorkerClusterRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerClusterStore.class);
    /** KKP v2.31 starts OSM with its default leader election. */
    private static final String OSM_LEASE = "operating-system-manager";

    private final KubeApi managementApi;
    private final @Nullable WorkerClusterRecord fixedRecord;
    /** Those whose status has a cluster id, by that id. */
    private final Map<String, Set<WorkerClusterRecord>> byClusterId;

    /**
     * @param managementApi rejects writes while this replica may not write
     * @param fixedRecord the only one, which is not stored; null to watch those that are
     */
    public WorkerClusterStore(
            KubeApi managementApi,
            @Nullable WorkerClusterRecord fixedRecord,
            StoreListeners<WorkerClusterRecord> listeners,
            RuntimeContext runtimeContext) {
        this(managementApi, fixedRecord, new ConcurrentHashMap<>(), listeners, runtimeContext);
    }

    private WorkerClusterStore(
            KubeApi managementApi,
            @Nullable WorkerClusterRecord fixedRecord,
            Map<String, Set<WorkerClusterRecord>> byClusterId,
            StoreListeners<WorkerClusterRecord> listeners,
            RuntimeContext runtimeContext) {
        super(
                Selection.all(Resource.WORKER_CLUSTERS, ""),
                reducing(WorkerClusterRecord::of, (metadata, why, earlier) -> WorkerClusterRecord.of(metadata)
                        .withContentOf(earlier)),
                new StatusAccess<>(() -> true, WorkerClusterRecord::status, record -> StoredStatus.Place.FIELD),
                new StoreListeners<>(
                        (key, before, after, origin) -> {
                            index(byClusterId, before, after);
                            listeners.changes().onChanged(key, before, after, origin);
                        },
                        listeners.stored(),
                        listeners.watch()),
                runtimeContext);
        this.managementApi = managementApi;
        this.fixedRecord = fixedRecord;
        this.byClusterId = byClusterId;
    }

    private static void index(
            Map<String, Set<WorkerClusterRecord>> byClusterId,
            @Nullable WorkerClusterRecord before,
            @Nullable WorkerClusterRecord after) {
        if (before != null && !before.clusterId().isEmpty()) {
            byClusterId.computeIfPresent(before.clusterId(), (id, records) -> {
                records.removeIf(record -> record.uid().equals(before.uid()));
                return records.isEmpty() ? null : records;
            });
        }
        if (after != null && !after.clusterId().isEmpty()) {
            byClusterId
                    .computeIfAbsent(after.clusterId(), added -> ConcurrentHashMap.newKeySet())
                    .add(after);
        }
    }

    public void start() {
        start(managementApi);
    }

    /** A snapshot of one namespace. */
    public Collection<WorkerClusterRecord> recordsIn(String namespace) {
        return fixedRecord == null
                ? List.copyOf(in(namespace).values())
                : all().stream()
                        .filter(record -> record.namespace().equals(namespace))
                        .toList();
    }

    @Override
    public Collection<WorkerClusterRecord> all() {
        return fixedRecord == null ? super.all() : List.of(fixedRecord);
    }

    /** Those whose status has this cluster id; several if it is registered twice. */
    public Collection<WorkerClusterRecord> ofCluster(String clusterId) {
        return List.copyOf(byClusterId.getOrDefault(clusterId, Set.of()));
    }

    /**
     * Creates the WorkerCluster that a Secret requests. The Secret does not own it: otherwise deleting the Secret would make the
     * garbage collector remove the tenant and its secrets in the worker cluster.
     */
    public void create(NamespaceRegistrations.DesiredWorkerCluster wanted) throws ApiFailure {
        KubeconfigSecret secret = wanted.secret();
        ObjectNode object = WorkerClusterRecord.newObject(secret.namespace(), wanted.name(), wanted.by());
        object.withObject("/spec/kubeconfigSecretRef").put("name", secret.name());
        if (wanted.by() == RegistrationSource.KKP) {
            // KKP keeps OSM's Deployment and may start it again at any time.
            object.withObject("/metadata/annotations").put(WorkerClusterRecord.ADOPTED_LEASE, OSM_LEASE);
        }
        create(secret.namespace(), object);
    }

    /**
     * Creates the WorkerCluster that represents the management cluster itself. If OSM or its drop-in has run there, the hub holds
     * their Lease while it serves the cluster, so that they exclude each other.
     */
    public void createLocal(String namespace, String name) throws ApiFailure {
        ObjectNode object = WorkerClusterRecord.newObject(namespace, name, RegistrationSource.CLI);
        object.withObject("/spec").put("target", "ManagementCluster");
        try {
            if (Leases.find(managementApi, "kube-system", OSM_LEASE) != null) {
                object.withObject("/metadata/annotations").put(WorkerClusterRecord.ADOPTED_LEASE, OSM_LEASE);
            }
        } catch (ApiFailure e) {
            if (!e.isForbidden()) {
                throw e;
            }
        }
        create(namespace, object);
    }

    private void create(String namespace, ObjectNode object) throws ApiFailure {
        try {
            cacheResponse(
                    managementApi.send(ApiRequest.create(Resource.WORKER_CLUSTERS, namespace, WireJson.text(object))));
        } catch (ApiFailure e) {
            // Another replica created it first, or the watch lags.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    /**
     * Whether the API server deletes all WorkerClusters because their definition is being deleted. Not cached; false without the
     * permission to read definitions.
     */
    public boolean isDefinitionBeingDeleted() throws ApiFailure {
        try {
            String name = Resource.WORKER_CLUSTERS.plural() + "." + Resource.WORKER_CLUSTERS.group();
            JsonNode definition = WireJson.find(managementApi, Resource.CUSTOM_RESOURCE_DEFINITIONS, "", name);
            return definition == null || ObjectMetadata.of(definition).isBeingDeleted();
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return false;
            }
            throw e;
        }
    }

    /** Prevents deletion until the worker cluster is cleaned up. */
    public void addFinalizer(WorkerClusterRecord record) throws ApiFailure {
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            ArrayNode finalizers = WireJson.object().arrayNode();
            record.head().finalizers().forEach(finalizers::add);
            finalizers.add(WorkerClusterRecord.FINALIZER);
            patchFinalizers(record, finalizers);
        }
    }

    /** Allows deletion; succeeds if the object does not exist. */
    public void removeFinalizer(WorkerClusterRecord record) throws ApiFailure {
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            return;
        }
        ArrayNode finalizers = WireJson.object().arrayNode();
        record.head().finalizers().stream()
                .filter(finalizer -> !finalizer.equals(WorkerClusterRecord.FINALIZER))
                .forEach(finalizers::add);
        try {
            patchFinalizers(record, finalizers);
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        if (record.head().isBeingDeleted() && finalizers.isEmpty()) {
            // The response contains it although it is deleted.
            removeDeleted(record.namespace(), record.name(), record.uid());
        }
    }

    private void patchFinalizers(WorkerClusterRecord record, ArrayNode finalizers) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").set("finalizers", finalizers);
        patch(record, patch);
    }

    /** Fails if the object changed since it was read. */
    private WorkerClusterRecord patch(WorkerClusterRecord record, ObjectNode patch) throws ApiFailure {
        patch.withObject("/metadata")
                .put("resourceVersion", record.head().resourceVersion())
                .put("uid", record.uid());
        return cacheResponse(managementApi.send(ApiRequest.patch(
                Resource.WORKER_CLUSTERS,
                record.namespace(),
                record.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch))));
    }

    /** Records when the Secret went missing; {@code since} is null if it exists. */
    public void recordMissingSecret(WorkerClusterRecord record, @Nullable Instant since) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        patch.withObject("/metadata/annotations")
                .put(WorkerClusterRecord.SECRET_MISSING_SINCE, since == null ? null : since.toString());
        patch(record, patch);
    }

    /** Deletes a WorkerCluster whose Secret was deleted, after checking again. */
    public void deleteOrphan(WorkerClusterRecord record) throws ApiFailure {
        if (exists(record.namespace(), record.secretName())) {
            return;
        }
        try {
            managementApi.send(
                    ApiRequest.delete(Resource.WORKER_CLUSTERS, record.namespace(), record.name(), record.uid(), null));
        } catch (ApiFailure e) {
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .log("WorkerCluster removed because its Secret was deleted");
    }

    /** Deletes the Secret of a deleted WorkerCluster, if the API or the command line wrote it. */
    public void deleteOwnSecret(WorkerClusterRecord record, @Nullable KubeconfigSecret secret) throws ApiFailure {
        String by = record.annotation(WorkerClusterRecord.REGISTERED_BY);
        boolean own = by.equals(RegistrationSource.API.wireName()) || by.equals(RegistrationSource.CLI.wireName());
        if (!own || secret == null || !secret.type().equals(KubeconfigSecret.OWN_TYPE)) {
            return;
        }
        try {
            managementApi.send(ApiRequest.delete(
                    Resource.SECRETS,
                    secret.namespace(),
                    secret.name(),
                    secret.head().uid(),
                    null));
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                LOG.atWarn()
                        .addKeyValue("tenant", record.namespace())
                        .log("Could not delete Secret {} of a removed WorkerCluster: {}", secret.name(), e.text());
            } else if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private boolean exists(String namespace, String secret) throws ApiFailure {
        return WireJson.find(managementApi, Resource.SECRETS, namespace, secret) != null;
    }

    private WorkerClusterRecord cacheResponse(byte[] answer) throws ApiFailure {
        try {
            WorkerClusterRecord written = putWritten(answer);
            if (written == null) {
                throw WireJson.unexpected("a WorkerCluster");
            }
            return written;
        } catch (IOException e) {
            throw WireJson.unexpected("a WorkerCluster");
        }
    }
}
