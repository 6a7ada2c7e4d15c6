package io.osmhub.deploy.run;

import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Seen;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Hands what is stored in the management cluster to the inventory and to the journal, and knows in which namespaces it is. */
final class KnownObjects implements StoredObjects {
    private final StoredInventory inventory;
    private final Journal journal;
    private final AtomicLong changes = new AtomicLong();
    /** Of worker clusters and profiles; configurations are where a worker cluster is. */
    private final Set<ObjectKey> clusters = ConcurrentHashMap.newKeySet();

    private final Set<ObjectKey> profiles = ConcurrentHashMap.newKeySet();

    KnownObjects(StoredInventory inventory, Journal journal) {
        this.inventory = inventory;
        this.journal = journal;
    }

    /** Another number after each change. */
    long changes() {
        return changes.get();
    }

    /** Namespaces with something that a caller may want to see. */
    Collection<String> namespaces() {
        Set<String> namespaces = new TreeSet<>();
        clusters.forEach(key -> namespaces.add(key.namespace()));
        profiles.forEach(key -> namespaces.add(key.namespace()));
        return namespaces;
    }

    /** Namespaces of tenants. */
    Collection<String> tenants() {
        Set<String> namespaces = new TreeSet<>();
        clusters.forEach(key -> namespaces.add(key.namespace()));
        return namespaces;
    }

    @Override
    public StoredListener<WorkerClusterRecord> workerClusters() {
        return new Both<>(
                (key, after) -> {
                    remember(clusters, key, after);
                    inventory.workerClusterChanged(key, after);
                },
                journal.workerClusters());
    }

    @Override
    public StoredListener<StoredProfile> profiles() {
        return new Both<>(
                (key, after) -> {
                    remember(profiles, key, after);
                    inventory.profileChanged(key, after);
                },
                journal.profiles());
    }

    @Override
    public StoredListener<ListedConfig> configs() {
        return new Both<>(inventory::configChanged, journal.configs());
    }

    private static void remember(Set<ObjectKey> keys, ObjectKey key, @Nullable Object after) {
        if (after == null) {
            keys.remove(key);
        } else {
            keys.add(key);
        }
    }

    private final class Both<T> implements StoredListener<T> {
        private final BiConsumer<ObjectKey, @Nullable T> now;
        private final Feed<T> told;

        Both(BiConsumer<ObjectKey, @Nullable T> now, Feed<T> told) {
            this.now = now;
            this.told = told;
        }

        @Override
        public void changed(ObjectKey key, @Nullable T after) {
            now.accept(key, after);
            changes.incrementAndGet();
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
}
