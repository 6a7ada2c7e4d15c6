package io.osmhub.deploy.run;

import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Forwards the management cluster's objects to the inventory, and indexes their namespaces. */
final class StoredObjectsDispatcher {
    private final StoredInventory inventory;
    private final NamespaceIndex clusterIndex = new NamespaceIndex();
    private final NamespaceIndex profileIndex = new NamespaceIndex();
    private volatile NamespaceUnion namespaceUnion = new NamespaceUnion(Set.of(), Set.of(), Set.of());

    private record NamespaceUnion(Set<String> clusters, Set<String> profiles, Set<String> all) {}

    StoredObjectsDispatcher(StoredInventory inventory) {
        this.inventory = inventory;
    }

    /** Namespaces with objects that callers may see, except configurations, which are next to a worker cluster. The same set until one changes. */
    Set<String> namespaces() {
        Set<String> ofClusters = clusterIndex.all();
        Set<String> ofProfiles = profileIndex.all();
        NamespaceUnion known = namespaceUnion;
        if (known.clusters() != ofClusters || known.profiles() != ofProfiles) {
            Set<String> all = new TreeSet<>(ofClusters);
            all.addAll(ofProfiles);
            known = new NamespaceUnion(ofClusters, ofProfiles, Collections.unmodifiableSet(all));
            namespaceUnion = known;
        }
        return known.all();
    }

    /** Namespaces with a worker cluster. */
    Set<String> tenants() {
        return clusterIndex.all();
    }

    /** Receives all stored objects. */
    StoredObjectListeners storedObjects() {
        return new StoredObjectListeners(
                (key, after) -> {
                    updateIndex(clusterIndex, key, after);
                    inventory.onWorkerClusterChanged(key, after);
                },
                (key, after) -> {
                    updateIndex(profileIndex, key, after);
                    inventory.onProfileChanged(key, after);
                },
                inventory::onConfigChanged);
    }

    private static void updateIndex(NamespaceIndex namespaces, ObjectKey key, @Nullable Object after) {
        if (after == null) {
            namespaces.remove(key);
        } else {
            namespaces.add(key);
        }
    }
}
