package io.osmhub.deploy.run;

import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.lease.LeaseRenewalLoop;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Which tenants this process writes for: all, all while it holds certain Leases, or its share among the replicas. */
interface Leadership {
    /**
     * @param onChange called when any result may have changed; must not block
     * @param ready whether this process can serve tenants
     */
    void start(Runnable onChange, BooleanSupplier ready);

    boolean mayWrite();

    /** Starts to serve the tenant of a namespace if this process may; whether it serves it. */
    boolean startServing(String namespace);

    /** Live replicas that share the tenants, as observed by this one. */
    default int liveReplicas() {
        return 1;
    }

    /** Time since the Lease that permits writing was renewed; zero if there is none to renew. */
    Duration leaseAge();

    /** The last change of this replica's share, for metrics. */
    default TenantSharding.MembershipChange lastChange() {
        return TenantSharding.MembershipChange.JOINED;
    }

    /** Name of the replica that serves the tenant of a namespace; empty if unknown. */
    default String servedBy(String namespace) {
        return "";
    }

    /** How the replicas share the tenants; null if they do not. */
    default @Nullable TenantSharding shares() {
        return null;
    }

    /** Releases the Leases once all writes are answered, so that another process can start at once. Blocks. */
    void stop();

    /** Several replicas with a share of the tenants each. */
    final class ShardedReplica implements Leadership {
        private final TenantSharding shares;
        private volatile @Nullable Runnable changed;

        /** @param terms of this replica's Lease */
        ShardedReplica(KubeApi api, LeaseConfig terms, InFlightWrites inFlight, RuntimeContext around) {
            shares = new TenantSharding(api, terms, this::changed, inFlight, around);
        }

        @Override
        public TenantSharding shares() {
            return shares;
        }

        private void changed() {
            Runnable listener = changed;
            if (listener != null) {
                listener.run();
            }
        }

        @Override
        public void start(Runnable onChange, BooleanSupplier ready) {
            changed = onChange;
            shares.start(ready);
        }

        @Override
        public boolean mayWrite() {
            return shares.canWrite();
        }

        @Override
        public boolean startServing(String namespace) {
            return shares.startServing(namespace);
        }

        @Override
        public String servedBy(String namespace) {
            return shares.servedBy(namespace);
        }

        @Override
        public int liveReplicas() {
            return shares.members().size();
        }

        @Override
        public Duration leaseAge() {
            return shares.leaseAge();
        }

        @Override
        public TenantSharding.MembershipChange lastChange() {
            return shares.lastChange();
        }

        @Override
        public void stop() {
            shares.stop();
        }
    }

    /** The holder of all Leases serves alone, as in OSM; without a Lease, the operator configured a single replica. */
    final class ElectedReplica implements Leadership {
        private final List<LeaseRenewalLoop> keepers = new ArrayList<>();
        private final InFlightWrites inFlight;
        private volatile @Nullable Runnable changed;

        ElectedReplica(InFlightWrites inFlight) {
            this.inFlight = inFlight;
        }

        /** Adds a Lease. */
        void addLease(KubeApi api, LeaseConfig terms, RuntimeContext around) {
            keepers.add(new LeaseRenewalLoop(() -> api, terms, () -> notifyChange(), around));
        }

        private void notifyChange() {
            Objects.requireNonNull(changed, "start was called").run();
        }

        @Override
        public void start(Runnable onChange, BooleanSupplier ready) {
            changed = onChange;
            keepers.forEach(LeaseRenewalLoop::start);
        }

        @Override
        public boolean mayWrite() {
            return keepers.stream().allMatch(LeaseRenewalLoop::canWrite);
        }

        @Override
        public boolean startServing(String namespace) {
            return mayWrite();
        }

        /** A replica that waits for leadership has no Lease to renew. */
        @Override
        public Duration leaseAge() {
            return mayWrite()
                    ? keepers.stream()
                            .map(LeaseRenewalLoop::sinceRenewal)
                            .max(Duration::compareTo)
                            .orElse(Duration.ZERO)
                    : Duration.ZERO;
        }

        @Override
        public void stop() {
            keepers.forEach(LeaseRenewalLoop::suspend);
            inFlight.await(namespace -> true);
            keepers.forEach(LeaseRenewalLoop::stop);
        }
    }
}
