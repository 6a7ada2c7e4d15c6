package io.osmhub.deploy.run;

import io.osmhub.tenancy.lease.LeaseKeeper;
import io.osmhub.tenancy.lease.LeaseTerms;
import io.osmhub.tenancy.lease.Shares;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which tenants are this process's to write for: all, all while it holds certain Leases, or its share among the replicas. */
interface Leadership {
    /** @param onChange told when an answer may be another; hands over and returns */
    void start(Runnable onChange);

    /** Whether anything may be written. */
    boolean mayWrite();

    /** Whether the tenant of a namespace is this process's at this moment. */
    boolean serves(String namespace);

    /** Live replicas that share the tenants, as this one sees it. */
    int members();

    /** How long ago the Lease that lets this replica write was renewed; zero where there is none to renew. */
    Duration leaseAge();

    /** By what this replica's share changed last, as in metrics. */
    Shares.Change lastChange();

    /** Name of the replica that serves the tenant of a namespace; empty where or while nobody can tell. */
    default String servedBy(String namespace) {
        return "";
    }

    /** How the replicas share the tenants; null where they do not. */
    default @Nullable Shares shares() {
        return null;
    }

    /** Lets go at once, so that another process need not wait. Waits for the answers. */
    void stop();

    /** There is only this process, by the operator's word. */
    final class Alone implements Leadership {
        @Override
        public void start(Runnable onChange) {
            // Nothing ever changes.
        }

        @Override
        public boolean mayWrite() {
            return true;
        }

        @Override
        public boolean serves(String namespace) {
            return true;
        }

        @Override
        public int members() {
            return 1;
        }

        @Override
        public Duration leaseAge() {
            return Duration.ZERO;
        }

        @Override
        public Shares.Change lastChange() {
            return Shares.Change.JOINED;
        }

        @Override
        public void stop() {
            // Nothing is held.
        }
    }

    /** Several replicas, each with its share of the tenants. */
    final class Shared implements Leadership {
        private final Shares shares;
        private volatile @Nullable Runnable changed;

        /** @param terms of this replica's own Lease */
        Shared(KubeApi api, LeaseTerms terms, Surroundings around) {
            shares = new Shares(api, terms, this::changed, around);
        }

        @Override
        public Shares shares() {
            return shares;
        }

        private void changed() {
            Runnable listener = changed;
            if (listener != null) {
                listener.run();
            }
        }

        @Override
        public void start(Runnable onChange) {
            changed = onChange;
            shares.start();
        }

        @Override
        public boolean mayWrite() {
            return shares.mayWrite();
        }

        @Override
        public boolean serves(String namespace) {
            return shares.serves(namespace);
        }

        @Override
        public String servedBy(String namespace) {
            return shares.servedBy(namespace);
        }

        @Override
        public int members() {
            return shares.members().size();
        }

        @Override
        public Duration leaseAge() {
            return shares.leaseAge();
        }

        @Override
        public Shares.Change lastChange() {
            return shares.lastChange();
        }

        @Override
        public void stop() {
            shares.stop();
        }
    }

    /** Whoever holds all of these serves alone, as the peer does. */
    final class Elected implements Leadership {
        private final List<LeaseKeeper> keepers = new ArrayList<>();
        private volatile @Nullable Runnable changed;

        /** One more Lease to hold. */
        void add(KubeApi api, LeaseTerms terms, Surroundings around) {
            keepers.add(new LeaseKeeper(
                    api,
                    terms,
                    new LeaseKeeper.Changes() {
                        @Override
                        public void taken() {
                            tell();
                        }

                        @Override
                        public void lost(String cause) {
                            tell();
                        }
                    },
                    around));
        }

        private void tell() {
            Objects.requireNonNull(changed, "started before it is told").run();
        }

        @Override
        public void start(Runnable onChange) {
            changed = onChange;
            keepers.forEach(LeaseKeeper::start);
        }

        @Override
        public boolean mayWrite() {
            return keepers.stream().allMatch(LeaseKeeper::mayWrite);
        }

        @Override
        public boolean serves(String namespace) {
            return mayWrite();
        }

        @Override
        public int members() {
            return 1;
        }

        /** Who waits for its turn has nothing to renew. */
        @Override
        public Duration leaseAge() {
            return mayWrite()
                    ? keepers.stream()
                            .map(LeaseKeeper::sinceRenewal)
                            .max(Duration::compareTo)
                            .orElse(Duration.ZERO)
                    : Duration.ZERO;
        }

        @Override
        public Shares.Change lastChange() {
            return Shares.Change.JOINED;
        }

        @Override
        public void stop() {
            keepers.forEach(LeaseKeeper::stop);
        }
    }
}
