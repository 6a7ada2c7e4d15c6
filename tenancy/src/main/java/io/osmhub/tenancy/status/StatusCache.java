package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.status.StatusWriter.StatusStore;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.ManagementInformer.InformerListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All objects of one kind of the management cluster, whose status the hub writes. Thread-safe. */
public abstract class StatusCache<T> implements StatusStore {
    private static final Logger LOG = LoggerFactory.getLogger(StatusCache.class);

    /** The objects in their cached form. */
    protected final ManagementInformer<T> watch;

    private final Resource resource;
    private final BooleanSupplier keepsStatus;
    private final Function<T, @Nullable Object> status;

    /**
     * @param namespace the only one to watch; empty for all
     * @param keepsStatus whether the CustomResourceDefinition has a status subresource
     * @param reduce from a whole object to the cached form
     * @param status of an object; null if none
     * @param stored also notified of all changes
     */
    protected StatusCache(
            Resource resource,
            String namespace,
            BooleanSupplier keepsStatus,
            Function<JsonNode, @Nullable T> reduce,
            Function<T, @Nullable Object> status,
            InformerListener<T> changes,
            StoredObjectListener<T> stored,
            ListWatchListener listener,
            RuntimeContext around) {
        this.resource = resource;
        this.keepsStatus = keepsStatus;
        this.status = status;
        this.watch =
                new ManagementInformer<>(Selection.all(resource, namespace), reduce, changes, stored, listener, around);
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

    @Override
    public Resource resource() {
        return resource;
    }

    @Override
    public boolean hasStatusSubresource() {
        return keepsStatus.getAsBoolean();
    }

    @Override
    public @Nullable JsonNode findStored(String namespace, String name) {
        T object = watch.find(namespace, name);
        if (object == null) {
            return null;
        }
        Object stored = status.apply(object);
        return stored == null ? WireJson.object() : WireJson.tree(stored);
    }

    @Override
    public void onWritten(byte[] answer) {
        try {
            watch.putWritten(answer);
        } catch (IOException e) {
            LOG.warn("Unexpected response to a status write: not the object");
        }
    }
}
