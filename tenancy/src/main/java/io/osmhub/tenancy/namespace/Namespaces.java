package io.osmhub.tenancy.namespace;

import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** All Namespaces of the management cluster. */
public final class Namespaces {
    private final ManagementWatch<NamespaceRecord> watch;

    /** Watches nothing yet. */
    public Namespaces(ManagementWatch.Changes<NamespaceRecord> changes, WatchListener listener, Surroundings around) {
        this.watch = new ManagementWatch<>(
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

    /** Null when there is no such namespace. */
    public @Nullable NamespaceRecord find(String name) {
        return watch.find("", name);
    }

    public Collection<NamespaceRecord> all() {
        return watch.all();
    }

    /** Whose an operator decided a worker cluster to be; null without a decision, or with more than one. */
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

    /** Whether a namespace is there and lets others use its profiles. */
    public boolean offersProfiles(String name) {
        NamespaceRecord namespace = find(name);
        return namespace != null && namespace.offersProfiles();
    }
}
