package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.Onlooker;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.StoredReading;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The read model that a hub has, in this process: from what is stored in the management cluster and the caller may list.
 */
final class StoredModel implements AutoCloseable {
    private static final int KINDS = 3;

    private final StoredInventory inventory = new StoredInventory(new Onlooker("", ""));
    private final Journal journal;
    private final StoredReading reading;
    private final Map<Resource, State> states = new EnumMap<>(Resource.class);

    /** How the reading of one kind fares; {@code failure} is null while nothing is wrong. */
    private record State(@Nullable ApiFailure failure) {}

    /** @param namespace the only one to read; empty for all */
    StoredModel(KubeApi management, String namespace, Surroundings around) {
        this.journal = new Journal(this::past, InstantSource.system());
        this.reading = new StoredReading(
                management,
                namespace,
                new StoredObjects(
                        StoredListener.of(inventory::workerClusterChanged, journal.workerClusters()),
                        StoredListener.of(inventory::profileChanged, journal.profiles()),
                        StoredListener.of(inventory::configChanged, journal.configs())),
                Fortune::new,
                around);
    }

    /**
     * Reads everything once, and goes on to follow it until it is closed. A kind that the caller may not list is as if there were none.
     *
     * @param needed kinds without which there is nothing to show
     */
    void read(Set<Resource> needed, Duration patience, String server) throws FleetFailure {
        reading.start();
        long end = System.nanoTime() + patience.toNanos();
        synchronized (states) {
            while (!isDecided()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new FleetFailure(
                            Kind.UNREACHABLE,
                            "no answer from " + server + " in time; check the network, or raise --timeout");
                }
                try {
                    states.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new FleetFailure(Kind.UNREACHABLE, "interrupted");
                }
            }
        }
        check(needed, server);
        tellWhatIsHidden();
    }

    /** Everything is read or refused, or the server cannot be worked with. */
    private boolean isDecided() {
        return trouble() != null || states.size() == KINDS;
    }

    private void check(Set<Resource> needed, String server) throws FleetFailure {
        synchronized (states) {
            for (Map.Entry<Resource, State> state : states.entrySet()) {
                ApiFailure failure = state.getValue().failure();
                if (failure != null && (needed.contains(state.getKey()) || !failure.isForbidden())) {
                    throw Failing.of(failure, server);
                }
            }
        }
    }

    /** Nothing ever comes of a kind that is refused: whoever follows must not wait for it. */
    private void tellWhatIsHidden() {
        synchronized (states) {
            states.forEach((resource, state) -> {
                if (state.failure() != null) {
                    feed(resource).listed(List.of(), "0");
                }
            });
        }
    }

    private Feed<?> feed(Resource resource) {
        return switch (resource) {
            case WORKER_CLUSTERS -> journal.workerClusters();
            case OPERATING_SYSTEM_PROFILES -> journal.profiles();
            default -> journal.configs();
        };
    }

    private StoredPast past() {
        return reading.past();
    }

    StoredInventory inventory() {
        return inventory;
    }

    Journal journal() {
        return journal;
    }

    /** For the diagnosis. */
    StoredDetails details() {
        return new StoredDetails(reading.workerClusters(), reading.profiles(), reading.configs());
    }

    /** Why nothing more comes; null while it does. */
    @Nullable ApiFailure trouble() {
        synchronized (states) {
            for (State state : states.values()) {
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

    /** How one watch fares. */
    private final class Fortune extends QuietListener {
        private final Resource resource;

        Fortune(Resource resource) {
            this.resource = resource;
        }

        private void is(@Nullable ApiFailure failure) {
            synchronized (states) {
                states.put(resource, new State(failure));
                states.notifyAll();
            }
        }

        @Override
        public void synced() {
            is(null);
        }

        @Override
        public void failed(ApiFailure failure, int inARow) {
            is(failure);
        }

        @Override
        public void refused(ApiFailure failure) {
            is(failure);
        }

        @Override
        public void recovered() {
            is(null);
        }
    }
}
