package io.osmhub.deploy.run;

import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Hands what is stored in the management cluster to the inventory and to the journal, and knows in which namespaces it is. */
final class KnownObjects {
    private final StoredInventory inventory;
    private final Journal journal;
    private final AtomicLong changes = new AtomicLong();
    private final Namespaces clusters = new Namespaces();
    private final Namespaces profiles = new Namespaces();
    private volatile Both both = new Both(Set.of(), Set.of(), Set.of());

    private record Both(Set<String> clusters, Set<String> profiles, Set<String> all) {}

    KnownObjects(StoredInventory inventory, Journal journal) {
        this.inventory = inventory;
        this.journal = journal;
    }

    /** Another number after each change. */
    long changes() {
        return changes.get();
    }

    /**
     * Namespaces with something that a caller may want to see; configurations are where a worker cluster is. The same object until one
     * comes or goes.
     */
    Set<String> namespaces() {
        Set<String> ofClusters = clusters.all();
        Set<String> ofProfiles = profiles.all();
        Both known = both;
        if (known.clusters() != ofClusters || known.profiles() != ofProfiles) {
            Set<String> all = new TreeSet<>(ofClusters);
            all.addAll(ofProfiles);
            known = new Both(ofClusters, ofProfiles, Collections.unmodifiableSet(all));
            both = known;
        }
        return known.all();
    }

    /** Namespaces of tenants. */
    Set<String> tenants() {
        return clusters.all();
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

    private static void remember(Namespaces namespaces, ObjectKey key, @Nullable Object after) {
        if (after == null) {
            namespaces.remove(key);
        } else {
            namespaces.add(key);
        }
    }
}
