package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.status.StatusKeeper;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Past;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The WorkerClusters of the management cluster: found by a watch, made for Secrets, marked with the hub's finalizer. */
public final class WorkerClusters implements StatusKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerClusters.class);

    private final KubeApi management;
    private final ManagementWatch<WorkerClusterRecord> watch;
    /** Those whose status names a worker cluster, by its id. */
    private final Map<String, Set<WorkerClusterRecord>> byClusterId = new ConcurrentHashMap<>();

    /**
     * Watches nothing yet.
     *
     * @param namespace the only one to watch; empty for all
     * @param stored hears of everything too
     */
    public WorkerClusters(
            KubeApi management,
            String namespace,
            ManagementWatch.Changes<WorkerClusterRecord> changes,
            StoredListener<WorkerClusterRecord> stored,
            WatchListener listener,
            Surroundings around) {
        this.management = management;
        this.watch = new ManagementWatch<>(
                Selection.all(Resource.WORKER_CLUSTERS, namespace),
                WorkerClusterRecord::of,
                (key, before, after, origin) -> {
                    index(before, after);
                    changes.changed(key, before, after, origin);
                },
                stored,
                listener,
                around);
    }

    private void index(@Nullable WorkerClusterRecord before, @Nullable WorkerClusterRecord after) {
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

    /** What the API server still knows of the past. */
    public Past<WorkerClusterRecord> past() {
        return watch.past(management);
    }

    public void start() {
        watch.start(management);
    }

    public void stop() {
        watch.stop();
    }

    public boolean isSynced() {
        return watch.isSynced();
    }

    public Collection<WorkerClusterRecord> in(String namespace) {
        return List.copyOf(watch.in(namespace).values());
    }

    public Collection<WorkerClusterRecord> all() {
        return watch.all();
    }

    /** Those whose status names this worker cluster; more than one when it is registered twice. */
    public Collection<WorkerClusterRecord> ofCluster(String clusterId) {
        return List.copyOf(byClusterId.getOrDefault(clusterId, Set.of()));
    }

    public @Nullable WorkerClusterRecord find(String namespace, String name) {
        return watch.find(namespace, name);
    }

    /**
     * Makes the WorkerCluster that a Secret asks for. The Secret does not own it: the garbage collector would remove the tenant, with
     * its secrets in the worker cluster, as soon as the Secret is deleted.
     */
    public void create(NamespaceRegistrations.Wanted wanted) throws ApiFailure {
        KubeconfigSecret secret = wanted.secret();
        ObjectNode object = skeleton(secret.namespace(), wanted.name(), wanted.by());
        object.withObject("/spec/kubeconfigSecretRef").put("name", secret.name());
        create(secret.namespace(), object);
    }

    /** Makes the WorkerCluster that stands for the management cluster itself. */
    public void createLocal(String namespace, String name) throws ApiFailure {
        ObjectNode object = skeleton(namespace, name, RegisteredBy.CLI);
        object.withObject("/spec").put("target", "ManagementCluster");
        create(namespace, object);
    }

    private static ObjectNode skeleton(String namespace, String name, RegisteredBy by) {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", Resource.WORKER_CLUSTERS.apiVersion()).put("kind", "WorkerCluster");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("namespace", namespace).put("name", name);
        metadata.putObject("annotations").put(WorkerClusterRecord.REGISTERED_BY, by.word());
        return object;
    }

    private void create(String namespace, ObjectNode object) throws ApiFailure {
        try {
            take(management.send(ApiRequest.create(Resource.WORKER_CLUSTERS, namespace, WireJson.text(object))));
        } catch (ApiFailure e) {
            // Another replica was quicker, or the watch is late.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    /** Holds it until the worker cluster is cleaned up. */
    public void addFinalizer(WorkerClusterRecord record) throws ApiFailure {
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            ArrayNode finalizers = WireJson.object().arrayNode();
            record.head().finalizers().forEach(finalizers::add);
            finalizers.add(WorkerClusterRecord.FINALIZER);
            patchFinalizers(record, finalizers);
        }
    }

    /** Lets it go; one that is gone already is a success. */
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
        if (record.head().beingDeleted() && finalizers.isEmpty()) {
            // The answer shows it once more, though it is gone by now.
            watch.deleted(record.namespace(), record.name(), record.uid());
        }
    }

    private void patchFinalizers(WorkerClusterRecord record, ArrayNode finalizers) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").set("finalizers", finalizers);
        patch(record, patch);
    }

    /** Fails when the object has changed since it was read. */
    private WorkerClusterRecord patch(WorkerClusterRecord record, ObjectNode patch) throws ApiFailure {
        patch.withObject("/metadata")
                .put("resourceVersion", record.head().resourceVersion())
                .put("uid", record.uid());
        return take(management.send(ApiRequest.patch(
                Resource.WORKER_CLUSTERS,
                record.namespace(),
                record.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch))));
    }

    /**
     * Ends the ownership by a Secret that earlier versions of the hub wrote. Other owners stay.
     *
     * @return the record as it is stored now
     */
    public WorkerClusterRecord disown(WorkerClusterRecord record) throws ApiFailure {
        if (!isMadeForSecret(record) || record.head().owners().stream().noneMatch(owner -> isSecret(owner.kind()))) {
            return record;
        }
        ArrayNode kept = WireJson.object().arrayNode();
        for (JsonNode owner : read(record).at("/metadata/ownerReferences")) {
            if (!isSecret(owner.path("kind").asText())) {
                kept.add(owner);
            }
        }
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").set("ownerReferences", kept.isEmpty() ? null : kept);
        return patch(record, patch);
    }

    private static boolean isSecret(String kind) {
        return kind.equals("Secret");
    }

    private static boolean isMadeForSecret(WorkerClusterRecord record) {
        String by = record.annotation(WorkerClusterRecord.REGISTERED_BY);
        return Stream.of(RegisteredBy.SECRET, RegisteredBy.KKP, RegisteredBy.CLUSTER_API)
                .anyMatch(way -> way.word().equals(by));
    }

    /** The whole object; a record has only a part of each owner. */
    private JsonNode read(WorkerClusterRecord record) throws ApiFailure {
        try {
            return WireJson.read(
                    management.send(ApiRequest.get(Resource.WORKER_CLUSTERS, record.namespace(), record.name())));
        } catch (IOException e) {
            throw unreadable();
        }
    }

    /** Notes since when the Secret is missing; {@code since} is null when it is not. */
    public void noteMissingSecret(WorkerClusterRecord record, @Nullable Instant since) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        patch.withObject("/metadata/annotations")
                .put(WorkerClusterRecord.SECRET_MISSING_SINCE, since == null ? null : since.toString());
        patch(record, patch);
    }

    /** Deletes a WorkerCluster whose Secret is gone, unless it is there after all. */
    public void deleteOrphan(WorkerClusterRecord record) throws ApiFailure {
        if (isThere(record.namespace(), record.secretName())) {
            return;
        }
        try {
            management.send(
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

    /** Deletes the Secret of a WorkerCluster that is gone, if API or command line wrote it for that. */
    public void deleteOwnSecret(WorkerClusterRecord record, @Nullable KubeconfigSecret secret) throws ApiFailure {
        String by = record.annotation(WorkerClusterRecord.REGISTERED_BY);
        boolean own = by.equals(RegisteredBy.API.word()) || by.equals(RegisteredBy.CLI.word());
        if (!own || secret == null || !secret.type().equals(KubeconfigSecret.OWN_TYPE)) {
            return;
        }
        try {
            management.send(ApiRequest.delete(
                    Resource.SECRETS,
                    secret.namespace(),
                    secret.name(),
                    secret.head().uid(),
                    null));
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                LOG.atWarn()
                        .addKeyValue("tenant", record.namespace())
                        .log("Secret {} of a removed WorkerCluster stays: {}", secret.name(), e.text());
            } else if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private boolean isThere(String namespace, String secret) throws ApiFailure {
        try {
            management.send(ApiRequest.get(Resource.SECRETS, namespace, secret));
            return true;
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    private WorkerClusterRecord take(byte[] answer) throws ApiFailure {
        try {
            WorkerClusterRecord written = watch.written(answer);
            if (written == null) {
                throw unreadable();
            }
            return written;
        } catch (IOException e) {
            throw unreadable();
        }
    }

    private static ApiFailure unreadable() {
        return ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a WorkerCluster");
    }

    @Override
    public Resource resource() {
        return Resource.WORKER_CLUSTERS;
    }

    @Override
    public boolean keepsStatus() {
        return true;
    }

    @Override
    public @Nullable JsonNode stored(String namespace, String name) {
        WorkerClusterRecord record = find(namespace, name);
        if (record == null) {
            return null;
        }
        return record.status() == null ? WireJson.object() : WireJson.tree(record.status());
    }

    @Override
    public void written(byte[] answer) {
        try {
            watch.written(answer);
        } catch (IOException e) {
            LOG.warn("the management cluster answered a status with something else than the object");
        }
    }
}
