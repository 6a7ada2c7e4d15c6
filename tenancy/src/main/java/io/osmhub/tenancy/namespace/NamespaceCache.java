package io.osmhub.tenancy.namespace;

import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** All Namespaces of the management cluster. */
public final class NamespaceCache {
    private final ManagementInformer<NamespaceRecord> watch;

    public NamespaceCache(
            ManagementInformer.InformerListener<NamespaceRecord> changes,
            ListWatchListener listener,
            RuntimeContext around) {
        this.watch = new ManagementInformer<>(
                Selection.all(Resource.NAMESPACES, ""), NamespaceRecord::of, changes, listener, around);
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

    /** Returns null if there is none. */
    public @Nullable NamespaceRecord find(String name) {
        return watch.find("", name);
    }

    public Collection<NamespaceRecord> all() {
        return watch.all();
    }

    /** Namespace to which an operator assigned a worker cluster; null without an assignment, or with several. */
    public @Nullable String ownerOf(String clusterId) {
        String owner = null;
        for (NamespaceRecord namespace : all()) {
            if (namespace.clusterId().equals(clusterId)) {
                if (owner != null) {
                    return null;
                }
                owner = namespace.name();
            }
        }
        return owner;
    }

    /** Whether a namespace exists and shares its profiles. */
    public boolean offersProfiles(String name) {
        NamespaceRecord namespace = find(name);
        return namespace != null && namespace.offersProfiles();
    }
}
