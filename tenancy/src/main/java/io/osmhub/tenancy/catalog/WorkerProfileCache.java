package io.osmhub.tenancy.catalog;

import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stored profiles with those in {@code kube-system} of one worker cluster, where OSM has its profiles and KKP writes its
 * CustomOperatingSystemProfiles. The worker cluster is read from the first connection on. Thread-safe.
 */
public final class WorkerProfileCache implements ProfileLister {
    /** Of the worker cluster. */
    static final String NAMESPACE = "kube-system";

    private final ProfileCache stored;
    private final Consumer<String> changed;
    private final Runnable known;
    private final RuntimeContext around;
    private volatile @Nullable ManagementInformer<StoredProfile> watch;
    private volatile boolean absent;
    private volatile @Nullable ApiFailure denied;
    private @Nullable KubeApi api;

    /**
     * @param changed receives the name of each profile of the worker cluster whose content changed; must not block
     * @param known called when the answer of {@link #isKnown} or the permission to read changed; must not block
     */
    public WorkerProfileCache(ProfileCache stored, Consumer<String> changed, Runnable known, RuntimeContext around) {
        this.stored = stored;
        this.changed = changed;
        this.known = known;
        this.around = around;
    }

    /** Continues with another connection to the worker cluster; null suspends. Calls must be serialized. */
    public void connect(@Nullable KubeApi connection) {
        if (connection == api) {
            return;
        }
        api = connection;
        ManagementInformer<StoredProfile> current = watch;
        if (connection != null) {
            if (current == null) {
                current = watchProfiles();
                watch = current;
            }
            current.start(connection);
        } else if (current != null) {
            current.stop();
        }
    }

    private ManagementInformer<StoredProfile> watchProfiles() {
        return ManagementInformer.optional(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILES, NAMESPACE),
                stored.decoder(),
                (key, before, after, origin) -> {
                    if (before == null || after == null || !before.hasSameContent(after)) {
                        changed.accept(key.name());
                    }
                },
                new Listener(),
                around);
    }

    /** Whether it is known which profiles the worker cluster has, or that they cannot be read. */
    public boolean isKnown() {
        ManagementInformer<StoredProfile> current = watch;
        return current != null && current.isSynced() || absent || denied != null;
    }

    @Override
    public Map<String, StoredProfile> in(String namespace) {
        if (!namespace.equals(TenantProfileCatalog.WORKER_CLUSTER)) {
            return stored.in(namespace);
        }
        ManagementInformer<StoredProfile> current = watch;
        return current == null ? Map.of() : current.in(NAMESPACE);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return stored.offersProfiles(namespace);
    }

    @Override
    public boolean readsWorkerCluster() {
        return watch != null;
    }

    @Override
    public String deniedByWorkerCluster() {
        ApiFailure failure = denied;
        return failure == null ? "" : failure.text();
    }

    /** A worker cluster that does not serve the kind has no profiles. */
    private final class Listener extends NoopListWatchListener {
        @Override
        public void onSynced() {
            known.run();
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            if (failure.isNotFound() && !absent) {
                absent = true;
                known.run();
            }
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            if (denied == null) {
                denied = failure;
                known.run();
            }
        }

        @Override
        public void onRecovered() {
            absent = false;
            if (denied != null) {
                denied = null;
                known.run();
            }
        }
    }
}
