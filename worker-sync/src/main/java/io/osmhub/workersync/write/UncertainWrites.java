package io.osmhub.workersync.write;

import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.watch.WorkerObjectDecoders;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Objects whose cached state may be wrong: a write got no response, or found a different state. Thread-safe. */
final class UncertainWrites {
    /** Attempts to read one object while others are being deleted. */
    private static final int READS = 5;

    private final KubeApi api;
    private final WorkerInformers objects;
    private final Set<UncertainWrite> open = ConcurrentHashMap.newKeySet();

    private record UncertainWrite(Resource resource, ObjectKey key) {}

    UncertainWrites(KubeApi api, WorkerInformers objects) {
        this.api = api;
        this.objects = objects;
    }

    /** A write failed; not every failure leaves the state uncertain. */
    void add(Resource resource, ObjectKey key, ApiFailure failure) {
        boolean unknown = !failure.isRejection();
        boolean other = failure.isConflict() || failure.isAlreadyExists() || failure.isNotFound();
        if (unknown || other) {
            open.add(new UncertainWrite(resource, key));
        }
    }

    /** Cached objects with these names seem to belong to another writer, which would block the hub until they change. */
    void addCached(Set<ObjectKey> names) {
        for (ObjectKey key : names) {
            if (objects.secrets().observed(key) != null) {
                open.add(new UncertainWrite(Resource.SECRETS, key));
            }
            for (GrantKind kind : GrantKind.values()) {
                if (objects.grants(kind).observed(key) != null) {
                    open.add(new UncertainWrite(WorkerInformers.resource(kind), key));
                }
            }
        }
    }

    /** Fetches those with one of the names, and bootstrap tokens, whose names do not identify the owner. */
    void resolve(Set<ObjectKey> names) throws ApiFailure {
        for (UncertainWrite doubt : List.copyOf(open)) {
            if (names.contains(doubt.key())
                    || doubt.resource() == Resource.SECRETS && ChangeWriter.isToken(doubt.key())) {
                resolve(doubt);
                open.remove(doubt);
            }
        }
    }

    private void resolve(UncertainWrite doubt) throws ApiFailure {
        if (doubt.resource() == Resource.MACHINE_DEPLOYMENTS) {
            refresh(doubt, objects.machineDeployments(), WatchedMachineDeployment::decode);
        } else if (doubt.resource() != Resource.SECRETS) {
            for (GrantKind kind : GrantKind.values()) {
                if (WorkerInformers.resource(kind) == doubt.resource()) {
                    refresh(doubt, objects.grants(kind), WorkerObjectDecoders.grant(kind));
                }
            }
        } else if (ChangeWriter.isToken(doubt.key())) {
            refresh(doubt, objects.tokens(), SecretReader::bootstrapToken);
        } else {
            refresh(doubt, objects.secrets(), SecretReader::settings);
        }
    }

    private <T> void refresh(UncertainWrite doubt, ObjectCache<T> cache, ObjectDecoder<T> decoder) throws ApiFailure {
        ObjectKey key = doubt.key();
        for (int read = 0; read < READS; read++) {
            int before = cache.deletionCount();
            ObservedObject<T> known = cache.observed(key);
            byte[] found;
            try {
                found = api.send(ApiRequest.get(doubt.resource(), key.namespace(), key.name()));
            } catch (ApiFailure failure) {
                if (failure.isNotFound()) {
                    if (known != null) {
                        cache.deleted(key, known.uid());
                    }
                    return;
                }
                throw failure;
            }
            if (cache.putIfUnchanged(ChangeWriter.read(found, decoder), known, before)) {
                return;
            }
        }
        throw ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.TIMED_OUT, "objects are deleted faster than one can be read");
    }
}
