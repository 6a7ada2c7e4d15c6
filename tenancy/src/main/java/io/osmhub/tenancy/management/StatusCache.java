package io.osmhub.tenancy.management;

import io.osmhub.tenancy.management.StatusWriter.StatusStore;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All objects of one kind of the management cluster, whose status the hub writes. Thread-safe. */
public abstract class StatusCache<T> extends ManagementStore<T> implements StatusStore {
    private static final Logger LOG = LoggerFactory.getLogger(StatusCache.class);

    /** Time after which an unusable subresource is tried again: a definition may change unnoticed where it may not be read. */
    private static final Duration UNUSABLE = Duration.ofMinutes(10);

    private final Resource resource;
    private final StatusAccess<T> statusAccess;
    private final Scheduler scheduler;
    /** When the subresource was found to be unusable; null if it was not. */
    private volatile @Nullable Long unusableSince;

    /**
     * Where the statuses of a kind are.
     *
     * @param hasSubresource whether the CustomResourceDefinition has a status subresource
     * @param status of an object; null if none
     * @param place where that status is stored
     */
    public record StatusAccess<T>(
            BooleanSupplier hasSubresource,
            Function<T, @Nullable Object> status,
            Function<T, StoredStatus.Place> place) {}

    protected StatusCache(
            Selection selection,
            ObjectDecoder<T> decoder,
            StatusAccess<T> statusAccess,
            StoreListeners<T> listeners,
            RuntimeContext runtimeContext) {
        super(selection, decoder, listeners, runtimeContext);
        this.resource = selection.resource();
        this.statusAccess = statusAccess;
        this.scheduler = runtimeContext.scheduler();
    }

    @Override
    public Resource resource() {
        return resource;
    }

    @Override
    public boolean hasStatusSubresource() {
        Long since = unusableSince;
        return statusAccess.hasSubresource().getAsBoolean()
                && (since == null || scheduler.nanoTime() - since > UNUSABLE.toNanos());
    }

    @Override
    public boolean isSubresourceOptional() {
        return resource != Resource.WORKER_CLUSTERS;
    }

    @Override
    public void onSubresourceUnusable() {
        unusableSince = scheduler.nanoTime();
    }

    /** The definition may have the subresource now. */
    public void onDefinitionChanged() {
        unusableSince = null;
    }

    @Override
    public @Nullable StoredStatus findStored(String namespace, String name) {
        T object = find(namespace, name);
        if (object == null) {
            return null;
        }
        Object stored = statusAccess.status().apply(object);
        return new StoredStatus(
                stored == null ? WireJson.object() : WireJson.tree(stored),
                statusAccess.place().apply(object));
    }

    @Override
    public Collection<ObjectKey> keysIn(StoredStatus.Place wanted) {
        return keys().stream()
                .filter(key -> {
                    T object = find(key.namespace(), key.name());
                    return object != null && statusAccess.place().apply(object) == wanted;
                })
                .toList();
    }

    @Override
    public void onWritten(byte[] answer) {
        try {
            putWrittenStatus(answer);
        } catch (IOException e) {
            LOG.warn("Unexpected response to a status write: not the object");
        }
    }
}
