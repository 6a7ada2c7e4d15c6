package io.osmhub.workersync.write;

import io.osmhub.core.plan.GrantKind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Decoder;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.SmallObjects;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects of which the caches may be wrong: no answer came to a write, or the object was not as the cache had it. Safe for use by many
 * threads.
 */
final class Doubts {
    /** Of one object at a time, while others go. */
    private static final int READS = 5;

    private final KubeApi api;
    private final WorkerObjects objects;
    private final Set<Doubt> open = ConcurrentHashMap.newKeySet();

    private record Doubt(Resource resource, ObjectKey key) {}

    Doubts(KubeApi api, WorkerObjects objects) {
        this.api = api;
        this.objects = objects;
    }

    /** A write failed; not every failure leaves a doubt. */
    void add(Resource resource, ObjectKey key, ApiFailure failure) {
        boolean unknown = !failure.isRefusal();
        boolean other = failure.isConflict() || failure.isAlreadyExists() || failure.isNotFound();
        if (unknown || other) {
            open.add(new Doubt(resource, key));
        }
    }

    /** Fetches those with one of the names, and bootstrap tokens, whose names say nothing of whose they are. */
    void settle(Set<ObjectKey> names) throws ApiFailure {
        for (Doubt doubt : List.copyOf(open)) {
            if (names.contains(doubt.key()) || doubt.resource() == Resource.SECRETS && Writer.isToken(doubt.key())) {
                settle(doubt);
                open.remove(doubt);
            }
        }
    }

    private void settle(Doubt doubt) throws ApiFailure {
        if (doubt.resource() == Resource.MACHINE_DEPLOYMENTS) {
            refresh(doubt, objects.machineDeployments(), WatchedMachineDeployment::decode);
        } else if (doubt.resource() != Resource.SECRETS) {
            for (GrantKind kind : GrantKind.values()) {
                if (WorkerObjects.resource(kind) == doubt.resource()) {
                    refresh(doubt, objects.grants(kind), SmallObjects.grant(kind));
                }
            }
        } else if (Writer.isToken(doubt.key())) {
            refresh(doubt, objects.tokens(), SecretReader::bootstrapToken);
        } else {
            refresh(doubt, objects.secrets(), SecretReader::settings);
        }
    }

    private <T> void refresh(Doubt doubt, ObjectCache<T> cache, Decoder<T> decoder) throws ApiFailure {
        ObjectKey key = doubt.key();
        for (int read = 0; read < READS; read++) {
            int before = cache.goings();
            String uid = cache.uid(key);
            byte[] found;
            try {
                found = api.send(ApiRequest.get(doubt.resource(), key.namespace(), key.name()));
            } catch (ApiFailure failure) {
                if (failure.isNotFound()) {
                    if (uid != null) {
                        cache.deleted(key, uid);
                    }
                    return;
                }
                throw failure;
            }
            if (cache.found(Writer.read(found, decoder), before)) {
                return;
            }
        }
        throw ApiFailure.noAnswer(ApiFailure.Cause.TIMED_OUT, "objects go faster than one of them can be read");
    }
}
