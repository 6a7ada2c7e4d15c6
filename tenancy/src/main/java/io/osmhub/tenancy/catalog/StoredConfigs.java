package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.status.StatusKeeper;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Past;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.io.IOException;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All OperatingSystemConfigs of the management cluster, reduced to identity, annotations, hash of the spec and status. No tenant's
 * sync gets this: it gets {@link TenantConfigs}.
 */
public final class StoredConfigs implements StatusKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(StoredConfigs.class);

    private final BooleanSupplier keepsStatus;
    private final ManagementWatch<ListedConfig> watch;

    /**
     * Watches nothing yet.
     *
     * @param namespace the only one to watch; empty for all
     * @param keepsStatus whether the CustomResourceDefinition has a status
     */
    public StoredConfigs(
            String namespace,
            BooleanSupplier keepsStatus,
            ManagementWatch.Changes<StoredConfig> changes,
            WatchListener listener,
            Surroundings around) {
        this(namespace, keepsStatus, changes, StoredListener.nobody(), listener, around);
    }

    /** @param stored hears of everything too */
    public StoredConfigs(
            String namespace,
            BooleanSupplier keepsStatus,
            ManagementWatch.Changes<StoredConfig> changes,
            StoredListener<ListedConfig> stored,
            WatchListener listener,
            Surroundings around) {
        this.keepsStatus = keepsStatus;
        this.watch = new ManagementWatch<>(
                Selection.all(Resource.OPERATING_SYSTEM_CONFIGS, namespace),
                StoredConfigs::listed,
                (key, before, after, origin) -> changes.changed(key, config(before), config(after), origin),
                stored,
                listener,
                around);
    }

    private static @Nullable StoredConfig config(@Nullable ListedConfig listed) {
        return listed == null ? null : listed.config();
    }

    private static ListedConfig listed(JsonNode object) {
        ObjectHead head = ObjectHead.of(object);
        return ListedConfig.of(reduced(object, head), head, object.path("spec"));
    }

    private static StoredConfig reduced(JsonNode object, ObjectHead head) {
        return new StoredConfig(
                head.namespace(),
                head.name(),
                head.uid(),
                head.resourceVersion(),
                head.generation(),
                head.annotations(),
                SpecHash.of(object.path("spec").isObject() ? object.path("spec") : WireJson.object()),
                WireJson.compact(OperatingSystemConfigStatus.class, object.path("status")),
                head.lastWriter());
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

    /** Null when there is none. */
    public @Nullable StoredConfig find(String namespace, String name) {
        return config(watch.find(namespace, name));
    }

    /** Those of one namespace. */
    public Collection<StoredConfig> in(String namespace) {
        return watch.in(namespace).values().stream().map(ListedConfig::config).toList();
    }

    public Collection<StoredConfig> all() {
        return watch.all().stream().map(ListedConfig::config).toList();
    }

    /** Whether a change is of no interest to those who render: a status, or nothing at all. */
    public static boolean sayTheSame(@Nullable StoredConfig before, @Nullable StoredConfig after) {
        return before != null
                && after != null
                && before.uid().equals(after.uid())
                && before.contentHash().equals(after.contentHash())
                && before.annotations().equals(after.annotations());
    }

    /** What the API server still knows of the past. */
    public Past<ListedConfig> past(KubeApi management) {
        return watch.past(management);
    }

    /** How many there are. */
    public int size() {
        return watch.keys().size();
    }

    /** The answer to a write of the hub's own. */
    StoredConfig taken(byte[] answer) throws IOException {
        StoredConfig stored = config(watch.written(answer));
        if (stored == null) {
            throw new IOException("unexpected response: not an object");
        }
        return stored;
    }

    void deleted(StoredConfig config) {
        watch.deleted(config.namespace(), config.name(), config.uid());
    }

    @Override
    public Resource resource() {
        return Resource.OPERATING_SYSTEM_CONFIGS;
    }

    @Override
    public boolean keepsStatus() {
        return keepsStatus.getAsBoolean();
    }

    @Override
    public @Nullable JsonNode stored(String namespace, String name) {
        StoredConfig config = find(namespace, name);
        if (config == null) {
            return null;
        }
        return config.status() == null ? WireJson.object() : WireJson.tree(config.status());
    }

    @Override
    public void written(byte[] answer) {
        try {
            watch.written(answer);
        } catch (IOException e) {
            LOG.warn("the management cluster answered a status with something else than the object");
        }
    }
}
