package io.osmhub.tenancy.catalog;

import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.ManagementStore.AbsenceListener;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored profiles with those in {@code kube-system} of one worker cluster, where OSM has its profiles and KKP writes its
 * CustomOperatingSystemProfiles. The worker cluster is read from the first connection on. Thread-safe.
 */
public final class WorkerProfileCache implements ProfileLister {
    /** Of the worker cluster. */
    static final String NAMESPACE = "kube-system";

    private final ProfileCache profileCache;
    private final RuntimeContext runtimeContext;
    private volatile @Nullable ManagementStore<StoredProfile> workerStore;
    private volatile @Nullable ApiFailure accessFailure;
    private @Nullable KubeApi api;

    /** Must not block. */
    public interface WorkerProfileListener {
        /** The content of a profile of the worker cluster changed. */
        void onWorkerProfileChanged(String name);

        /** The answer of {@link #isKnown} or the permission to read changed. */
        void onWorkerProfilesKnown();
    }

    public WorkerProfileCache(ProfileCache profileCache, RuntimeContext runtimeContext) {
        this.profileCache = profileCache;
        this.runtimeContext = runtimeContext;
    }

    /**
     * Continues with another connection to the worker cluster; null suspends. Calls must be serialized.
     *
     * @param listener always the same
     */
    public void connect(@Nullable KubeApi connection, WorkerProfileListener listener) {
        if (connection == api) {
            return;
        }
        api = connection;
        ManagementStore<StoredProfile> current = workerStore;
        if (connection != null) {
            if (current == null) {
                current = watchProfiles(listener);
                workerStore = current;
            }
            current.start(connection);
        } else if (current != null) {
            current.stop();
        }
    }

    private ManagementStore<StoredProfile> watchProfiles(WorkerProfileListener listener) {
        return new ManagementStore<>(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILES, NAMESPACE),
                profileCache.decoder(),
                StoreListeners.of(
                        (key, before, after, origin) -> {
                            if (!StoredProfile.haveSameContent(before, after)) {
                                listener.onWorkerProfileChanged(key.name());
                            }
                        },
                        new AbsenceListener(new AccessListener(listener), listener::onWorkerProfilesKnown, false)),
                runtimeContext);
    }

    /** Whether it is known which profiles the worker cluster has, or that they cannot be read. */
    public boolean isKnown() {
        ManagementStore<StoredProfile> current = workerStore;
        return current != null && current.isKnown() || accessFailure != null;
    }

    @Override
    public Map<String, StoredProfile> in(String namespace) {
        if (!namespace.equals(TenantProfileCatalog.WORKER_CLUSTER)) {
            return profileCache.in(namespace);
        }
        ManagementStore<StoredProfile> current = workerStore;
        return current == null ? Map.of() : current.in(NAMESPACE);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return profileCache.offersProfiles(namespace);
    }

    @Override
    public boolean readsWorkerCluster() {
        return workerStore != null;
    }

    @Override
    public String deniedByWorkerCluster() {
        ApiFailure failure = accessFailure;
        return failure == null ? "" : failure.text();
    }

    private final class AccessListener extends NoopListWatchListener {
        private final WorkerProfileListener listener;

        AccessListener(WorkerProfileListener listener) {
            this.listener = listener;
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            if (accessFailure == null) {
                accessFailure = failure;
                listener.onWorkerProfilesKnown();
            }
        }

        @Override
        public void onRecovered() {
            if (accessFailure != null) {
                accessFailure = null;
                listener.onWorkerProfilesKnown();
            }
        }
    }
}
