package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.ReadOnlyReplica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.tenancy.ReadOnlyInformers;
import io.osmhub.tenancy.StoredObjectListeners;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.WatchEventListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A hub's read model in this process, built from the stored objects that the caller may list. */
final class LocalReadModel implements AutoCloseable {
    private static final int KINDS = 3;

    private final StoredInventory inventory = new StoredInventory(new ReadOnlyReplica("", ""));
    private final ChangeJournal journal;
    private final ReadOnlyInformers reading;
    private final Map<Resource, SyncState> states = new EnumMap<>(Resource.class);

    /** State of reading one kind; {@code failure} is null while healthy. */
    private record SyncState(@Nullable ApiFailure failure) {}

    /** @param namespace the only one to read; empty for all */
    LocalReadModel(KubeApi management, String namespace, RuntimeContext around) {
        this.journal = new ChangeJournal(InstantSource.system());
        this.reading = new ReadOnlyInformers(
                management,
                namespace,
                new StoredObjectListeners(
                        StoredObjectListener.of(inventory::onWorkerClusterChanged, journal.workerClusters()),
                        StoredObjectListener.of(inventory::onProfileChanged, journal.profiles()),
                        StoredObjectListener.of(inventory::onConfigChanged, journal.configs())),
                ReadModelListener::new,
                around);
    }

    /**
     * Reads everything once, then watches until closed. Kinds that the caller may not list are empty.
     *
     * @param needed kinds that must be readable
     */
    void read(Set<Resource> needed, Duration patience, String server) throws FleetFailure {
        reading.start();
        long end = System.nanoTime() + patience.toNanos();
        synchronized (states) {
            while (!isDecided()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new FleetFailure(
                            FleetFailureKind.UNREACHABLE,
                            "no response from " + server + " in time; check the network or raise --timeout");
                }
                try {
                    states.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new FleetFailure(FleetFailureKind.UNREACHABLE, "interrupted");
                }
            }
        }
        check(needed, server);
        reportUnreadableKinds();
    }

    /** Whether every kind is read or denied, or the server is unusable. */
    private boolean isDecided() {
        return trouble() != null || states.size() == KINDS;
    }

    private void check(Set<Resource> needed, String server) throws FleetFailure {
        synchronized (states) {
            for (Map.Entry<Resource, SyncState> state : states.entrySet()) {
                ApiFailure failure = state.getValue().failure();
                if (failure != null && (needed.contains(state.getKey()) || !failure.isForbidden())) {
                    throw FailureMessages.of(failure, server);
                }
            }
        }
    }

    /** Marks denied kinds as complete: watchers must not wait for them. */
    private void reportUnreadableKinds() {
        synchronized (states) {
            states.forEach((resource, state) -> {
                if (state.failure() != null) {
                    feed(resource).onListed(List.of(), "0");
                }
            });
        }
    }

    private WatchEventListener<?> feed(Resource resource) {
        return switch (resource) {
            case WORKER_CLUSTERS -> journal.workerClusters();
            case OPERATING_SYSTEM_PROFILES -> journal.profiles();
            default -> journal.configs();
        };
    }

    StoredInventory inventory() {
        return inventory;
    }

    ChangeJournal journal() {
        return journal;
    }

    /** For the diagnosis. */
    LocalDetails details() {
        return new LocalDetails(reading.workerClusters(), reading.profiles(), reading.configs());
    }

    /** Why no more events arrive; null while healthy. */
    @Nullable ApiFailure trouble() {
        synchronized (states) {
            for (SyncState state : states.values()) {
                ApiFailure failure = state.failure();
                if (failure != null && !failure.isForbidden()) {
                    return failure;
                }
            }
            return null;
        }
    }

    @Override
    public void close() {
        reading.close();
    }

    /** Tracks the state of one watch. */
    private final class ReadModelListener extends NoopListWatchListener {
        private final Resource resource;

        ReadModelListener(Resource resource) {
            this.resource = resource;
        }

        private void is(@Nullable ApiFailure failure) {
            synchronized (states) {
                states.put(resource, new SyncState(failure));
                states.notifyAll();
            }
        }

        @Override
        public void onSynced() {
            is(null);
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            is(failure);
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            is(failure);
        }

        @Override
        public void onRecovered() {
            is(null);
        }
    }
}
