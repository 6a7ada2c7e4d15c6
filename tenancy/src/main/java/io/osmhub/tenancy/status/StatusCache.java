package io.osmhub.tenancy.status;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.tenancy.status.StatusWriter.StatusStore;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.ManagementInformer.InformerListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ListWatchListener;
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
public abstract class StatusCache<T> implements StatusStore {
    private static final Logger LOG = LoggerFactory.getLogger(StatusCache.class);

    /** Time after which an unusable subresource is tried again: a definition may change unnoticed where it may not be read. */
    private static final Duration UNUSABLE = Duration.ofMinutes(10);

    /** The objects in their cached form. */
    protected final ManagementInformer<T> watch;

    private final Resource resource;
    private final BooleanSupplier keepsStatus;
    private final Function<T, @Nullable Object> status;
    private final Function<T, StoredStatus.Place> place;
    private final Scheduler clock;
    private final boolean optional;
    /** When the subresource was found to be unusable; null if it was not, or the definition has changed since. */
    private volatile @Nullable Long unusableSince;

    /**
     * @param namespace the only one to watch; empty for all
     * @param keepsStatus whether the CustomResourceDefinition has a status subresource
     * @param status of an object; null if none
     * @param place where that status is stored
     * @param stored also notified of all changes
     */
    protected StatusCache(
            Resource resource,
            String namespace,
            BooleanSupplier keepsStatus,
            ObjectDecoder<T> decoder,
            Function<T, @Nullable Object> status,
            Function<T, StoredStatus.Place> place,
            InformerListener<T> changes,
            StoredObjectListener<T> stored,
            ListWatchListener listener,
            RuntimeContext around) {
        this.resource = resource;
        this.keepsStatus = keepsStatus;
        this.status = status;
        this.place = place;
        this.optional = resource != Resource.WORKER_CLUSTERS;
        this.clock = around.scheduler();
        this.watch = new ManagementInformer<>(
                Selection.all(resource, namespace), decoder, changes, stored, listener, around);
    }

    public void start(KubeApi management) {
        watch.start(management);
    }

    public void stop() {
        watch.stop();
    }

    public boolean isSynced() {
        return watch.isSynced();
    }

    /** Why an existing object cannot be read; null if it can, or does not exist. */
    public @Nullable ProblemFinding unreadable(String namespace, String name) {
        return watch.unreadable(namespace, name);
    }

    @Override
    public Resource resource() {
        return resource;
    }

    @Override
    public boolean hasStatusSubresource() {
        Long since = unusableSince;
        return keepsStatus.getAsBoolean() && (since == null || clock.nanoTime() - since > UNUSABLE.toNanos());
    }

    @Override
    public boolean isSubresourceOptional() {
        return optional;
    }

    @Override
    public void onSubresourceUnusable() {
        unusableSince = clock.nanoTime();
    }

    /** The CustomResourceDefinition changed. */
    public void onDefinitionChanged() {
        unusableSince = null;
    }

    @Override
    public @Nullable StoredStatus findStored(String namespace, String name) {
        T object = watch.find(namespace, name);
        if (object == null) {
            return null;
        }
        Object stored = status.apply(object);
        return new StoredStatus(stored == null ? WireJson.object() : WireJson.tree(stored), place.apply(object));
    }

    @Override
    public void relist(Runnable onListed) {
        watch.relist(onListed);
    }

    @Override
    public Collection<ObjectKey> keys() {
        return watch.keys();
    }

    @Override
    public void onWritten(byte[] answer) {
        try {
            watch.putWrittenStatus(answer);
        } catch (IOException e) {
            LOG.warn("Unexpected response to a status write: not the object");
        }
    }
}
