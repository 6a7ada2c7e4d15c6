package io.osmhub.bench.inventory;

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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Hands what the hub hears on to the inventory, and then to the journal: who is told of a change finds it when it asks. */
final class Heard implements StoredObjects {
    private final StoredInventory inventory;
    private final Journal journal;

    Heard(StoredInventory inventory, Journal journal) {
        this.inventory = inventory;
        this.journal = journal;
    }

    @Override
    public StoredListener<WorkerClusterRecord> workerClusters() {
        return new Both<>(inventory::workerClusterChanged, journal.workerClusters());
    }

    @Override
    public StoredListener<StoredProfile> profiles() {
        return new Both<>(inventory::profileChanged, journal.profiles());
    }

    @Override
    public StoredListener<ListedConfig> configs() {
        return new Both<>(inventory::configChanged, journal.configs());
    }

    private record Both<T>(BiConsumer<ObjectKey, @Nullable T> inventory, Feed<T> journal) implements StoredListener<T> {
        @Override
        public void changed(ObjectKey key, @Nullable T after) {
            inventory.accept(key, after);
        }

        @Override
        public void listed(Collection<Seen<T>> objects, String resourceVersion) {
            journal.listed(objects, resourceVersion);
        }

        @Override
        public void put(Seen<T> seen, boolean added) {
            journal.put(seen, added);
        }

        @Override
        public void gone(Seen<T> last) {
            journal.gone(last);
        }

        @Override
        public void reached(String resourceVersion) {
            journal.reached(resourceVersion);
        }
    }
}
