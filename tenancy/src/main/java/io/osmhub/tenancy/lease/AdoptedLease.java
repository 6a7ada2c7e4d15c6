package io.osmhub.tenancy.lease;

import io.osmhub.tenancy.management.Leases;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Objects;
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
    private final RuntimeContext runtimeContext;
    /** The connection of the latest {@link #keep}; null before. */
    private volatile @Nullable KubeApi kubeApi;

    private volatile @Nullable HeldLease heldLease;

    /** One Lease. */
    private record HeldLease(String name, LeaseRenewalLoop loop) {}

    /**
     * @param awaitWrites blocks until the hub's writes are answered; called before the Lease is released
     * @param holder identity of this replica, as of {@link Leases#osmHolder}
     * @param changed called when the Lease was acquired or lost, or another process holds it; must not block
     */
    public AdoptedLease(
            Runnable awaitWrites, Supplier<String> holder, Runnable changed, RuntimeContext runtimeContext) {
        this.awaitWrites = awaitWrites;
        this.holder = holder;
        this.changed = changed;
        this.runtimeContext = runtimeContext;
    }

    /**
     * Acquires and renews the Lease over this connection, or releases it.
     *
     * @param name in {@code kube-system}; empty if the worker cluster was not adopted
     * @param api null while the hub may not write
     */
    public void keep(String name, @Nullable KubeApi api) {
        HeldLease held = heldLease;
        if (name.isEmpty() || api == null || held != null && !held.name().equals(name)) {
            release();
            held = null;
        }
        if (name.isEmpty() || api == null) {
            return;
        }
        kubeApi = api;
        if (held == null) {
            LeaseRenewalLoop loop = new LeaseRenewalLoop(
                    () -> Objects.requireNonNull(kubeApi, "set before the loop starts"),
                    LeaseConfig.ofDefaults("kube-system", name, holder.get()),
                    changed,
                    runtimeContext);
            heldLease = new HeldLease(name, loop);
            loop.start();
        }
    }

    /** Stops writing at once, and releases the Lease later, so that OSM can continue. Must not block. */
    public void release() {
        HeldLease held = heldLease;
        heldLease = null;
        if (held != null) {
            held.loop().suspend();
            runtimeContext.blockingExecutor().execute(() -> {
                awaitWrites.run();
                held.loop().stop();
            });
        }
    }

    public boolean isHeld() {
        HeldLease held = heldLease;
        return held != null && held.loop().canWrite();
    }

    /** The other process that holds the Lease; empty if none is known. */
    public String otherHolder() {
        HeldLease held = heldLease;
        return held == null ? "" : held.loop().awaitedHolder();
    }

    /** Why the Lease could not be acquired or renewed; empty if it could. */
    public String failure() {
        HeldLease held = heldLease;
        return held == null ? "" : held.loop().lastFailure();
    }
}
