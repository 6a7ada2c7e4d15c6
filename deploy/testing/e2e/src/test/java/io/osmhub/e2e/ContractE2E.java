package io.osmhub.e2e;

import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.sim.contract.AccessContract;
import io.osmhub.sim.contract.ContractTarget;
import io.osmhub.sim.contract.DefinitionContract;
import io.osmhub.sim.contract.FaultsContract;
import io.osmhub.sim.contract.ListContract;
import io.osmhub.sim.contract.ObjectContract;
import io.osmhub.sim.contract.PatchContract;
import io.osmhub.sim.contract.SecretContract;
import io.osmhub.sim.contract.WatchContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the simulator's contract against a real kube-apiserver, which proves that the simulator is faithful. */
final class ContractE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(0);

    private static ContractTarget real() {
        RealCluster cluster = CLUSTERS.management();
        return new ContractTarget() {
            @Override
            public String url() {
                return cluster.url();
            }

            @Override
            public String caPem() {
                return cluster.certificateAuthority();
            }

            @Override
            public String token() {
                return cluster.adminToken();
            }
        };
    }

    @Nested
    final class AccessE2E extends AccessContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class DefinitionE2E extends DefinitionContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class FaultsE2E extends FaultsContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class ListE2E extends ListContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class ObjectE2E extends ObjectContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class PatchE2E extends PatchContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class SecretE2E extends SecretContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }

    @Nested
    final class WatchE2E extends WatchContract {
        @Override
        protected ContractTarget target() {
            return real();
        }
    }
}
