package io.osmhub.deploy.run;

import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Hands what is stored in the management cluster to the inventory and to the journal, and knows in which namespaces it is. */
final class KnownObjects {
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

    /** What hears of everything. */
    StoredObjects told() {
        return new StoredObjects(
                listener(
                        (key, after) -> {
                            remember(clusters, key, after);
                            inventory.workerClusterChanged(key, after);
                        },
                        journal.workerClusters()),
                listener(
                        (key, after) -> {
                            remember(profiles, key, after);
                            inventory.profileChanged(key, after);
                        },
                        journal.profiles()),
                listener(inventory::configChanged, journal.configs()));
    }

    private <T> StoredListener<T> listener(BiConsumer<ObjectKey, @Nullable T> each, Feed<T> told) {
        return StoredListener.of(each.andThen((key, after) -> changes.incrementAndGet()), told);
    }

    private static void remember(Set<ObjectKey> keys, ObjectKey key, @Nullable Object after) {
        if (after == null) {
            keys.remove(key);
        } else {
            keys.add(key);
        }
    }
}
