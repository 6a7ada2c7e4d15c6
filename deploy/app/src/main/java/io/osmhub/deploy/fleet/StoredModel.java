package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.Replica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.TenantDirectory;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Seen;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The read model that a hub has, in this process: from what is stored in the management cluster and the caller may list. It serves
 * no tenant, so what only the serving replica knows is not known here.
 */
final class StoredModel implements AutoCloseable {
    private static final int KINDS = 3;

    private final StoredInventory inventory = new StoredInventory(new NoReplica());
    private final Journal journal;
    private final WorkerClusters clusters;
    private final Profiles profiles;
    private final StoredConfigs configs;
    private final KubeApi management;
    private final Map<Resource, State> states = new EnumMap<>(Resource.class);

    /** How the reading of one kind fares; {@code failure} is null while nothing is wrong. */
    private record State(@Nullable ApiFailure failure) {}

    /** @param namespace the only one to read; empty for all */
    StoredModel(KubeApi management, String namespace, Surroundings around) {
        this.management = management;
        this.journal = new Journal(this::past, InstantSource.system());
        this.clusters = new WorkerClusters(
                management,
                namespace,
                (key, before, after, origin) -> {},
                new Both<>(inventory::workerClusterChanged, journal.workerClusters()),
                new Fortune(Resource.WORKER_CLUSTERS),
                around);
        this.profiles = new Profiles(
                namespace,
                other -> false,
                () -> true,
                (key, before, after, content) -> {},
                new Both<>(inventory::profileChanged, journal.profiles()),
                new Fortune(Resource.OPERATING_SYSTEM_PROFILES),
                around);
        this.configs = new StoredConfigs(
                namespace,
                () -> true,
                (key, before, after, origin) -> {},
                new Both<>(inventory::configChanged, journal.configs()),
                new Fortune(Resource.OPERATING_SYSTEM_CONFIGS),
                around);
    }

    /**
     * Reads everything once, and goes on to follow it until it is closed. A kind that the caller may not list is as if there were none.
     *
     * @param needed kinds without which there is nothing to show
     */
    void read(Set<Resource> needed, Duration patience, String server) throws FleetFailure {
        clusters.start();
        profiles.start(management);
        configs.start(management);
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
        return new StoredPast(clusters.past(), profiles.past(management), configs.past(management));
    }

    StoredInventory inventory() {
        return inventory;
    }

    Journal journal() {
        return journal;
    }

    /** For the diagnosis. */
    StoredDetails details() {
        return new StoredDetails(clusters, profiles, configs);
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
        clusters.stop();
        profiles.stop();
        configs.stop();
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

    private record Both<T>(BiConsumer<ObjectKey, @Nullable T> now, Feed<T> told) implements StoredListener<T> {
        @Override
        public void changed(ObjectKey key, @Nullable T after) {
            now.accept(key, after);
        }

        @Override
        public void listed(Collection<Seen<T>> objects, String resourceVersion) {
            told.listed(objects, resourceVersion);
        }

        @Override
        public void put(Seen<T> seen, boolean added) {
            told.put(seen, added);
        }

        @Override
        public void gone(Seen<T> last) {
            told.gone(last);
        }

        @Override
        public void reached(String resourceVersion) {
            told.reached(resourceVersion);
        }
    }

    /** This process serves nobody. */
    private static final class NoReplica implements Replica {
        @Override
        public String name() {
            return "";
        }

        @Override
        public TenantDirectory tenants() {
            return new TenantDirectory() {
                @Override
                public List<TenantView> tenants() {
                    return List.of();
                }

                @Override
                public Optional<TenantView> tenant(String namespace, String name) {
                    return Optional.empty();
                }
            };
        }

        @Override
        public String sharedProfileNamespace() {
            return "";
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public String version() {
            return "";
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }
}
