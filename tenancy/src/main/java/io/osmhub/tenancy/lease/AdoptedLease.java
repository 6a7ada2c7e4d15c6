package io.osmhub.tenancy.lease;

import io.osmhub.tenancy.lease.LeaseRenewalLoop.LeaseListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * OSM's Lease in a worker cluster that was adopted from OSM. The hub holds it while it writes there, so that OSM and the hub never
 * write at the same time. Calls of {@link #keep} and {@link #release} must be serialized; the rest is thread-safe.
 */
public final class AdoptedLease {
    private final Runnable awaitWrites;
    private final Supplier<String> holder;
    private final Runnable changed;
    private final RuntimeContext runtime;
    private volatile @Nullable HeldLease current;

    /** One Lease, over the latest connection. */
    private record HeldLease(String name, ReplaceableKubeApi api, LeaseRenewalLoop loop) {}

    /**
     * @param awaitWrites blocks until the hub's writes are answered; called before the Lease is released
     * @param holder identity of this replica, as of {@link LeaseConfig#osmHolder}
     * @param changed called when the Lease was acquired or lost, or another process holds it; must not block
     */
    public AdoptedLease(Runnable awaitWrites, Supplier<String> holder, Runnable changed, RuntimeContext runtime) {
        this.awaitWrites = awaitWrites;
        this.holder = holder;
        this.changed = changed;
        this.runtime = runtime;
    }

    /**
     * Acquires and renews the Lease over this connection, or releases it.
     *
     * @param name in {@code kube-system}; empty if the worker cluster was not adopted
     * @param api null while the hub may not write
     */
    public void keep(String name, @Nullable KubeApi api) {
        HeldLease held = current;
        if (name.isEmpty() || api == null || held != null && !held.name().equals(name)) {
            release();
            held = null;
        }
        if (name.isEmpty() || api == null) {
            return;
        }
        if (held != null) {
            held.api().current = api;
            return;
        }
        ReplaceableKubeApi connection = new ReplaceableKubeApi(api);
        LeaseRenewalLoop loop = new LeaseRenewalLoop(
                connection,
                LeaseConfig.ofDefaults("kube-system", name, holder.get()),
                new LeaseListener() {
                    @Override
                    public void onAcquired() {
                        changed.run();
                    }

                    @Override
                    public void onLost(String cause) {
                        changed.run();
                    }

                    @Override
                    public void onHeldByOther() {
                        changed.run();
                    }
                },
                runtime);
        current = new HeldLease(name, connection, loop);
        loop.start();
    }

    /** Stops writing at once, and releases the Lease later, so that OSM can continue. Must not block. */
    public void release() {
        HeldLease held = current;
        current = null;
        if (held != null) {
            held.loop().suspend();
            runtime.blockingExecutor().execute(() -> {
                awaitWrites.run();
                held.loop().stop();
            });
        }
    }

    public boolean isHeld() {
        HeldLease held = current;
        return held != null && held.loop().canWrite();
    }

    /** The other process that holds the Lease; empty if none is known. */
    public String otherHolder() {
        HeldLease held = current;
        return held == null ? "" : held.loop().awaitedHolder();
    }

    /** Why the Lease could not be acquired or renewed; empty if it could. */
    public String failure() {
        HeldLease held = current;
        return held == null ? "" : held.loop().lastFailure();
    }

    /** The connection of the latest {@link #keep}. */
    private static final class ReplaceableKubeApi implements KubeApi {
        private volatile KubeApi current;

        ReplaceableKubeApi(KubeApi first) {
            this.current = first;
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            return current.send(request);
        }

        @Override
        public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
            return current.list(request, items);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return current.watch(request, lines);
        }
    }
}
