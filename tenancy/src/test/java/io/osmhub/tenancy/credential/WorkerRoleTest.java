package io.osmhub.tenancy.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerRoleTest {
    private static final WorkerServiceAccount OTHER =
            new WorkerServiceAccount("ops", "hub-account", Duration.ofHours(1));

    private final SimulatedServer worker = new SimulatedServer(new VirtualTime());

    @Test
    void isPrintedAsItIsShipped() {
        WorkerRole role = new WorkerRole(WorkerServiceAccount.USUAL, List.of(WorkerManifest.ROLE));

        assertThat(role.yaml()).isEqualTo(WorkerManifest.ROLE.yaml());
        assertThat(role.roles()).isEqualTo(5);
    }

    @Test
    void namesNobodyButTheAccountThatItIsFor() {
        String yaml = new WorkerRole(OTHER, List.of(WorkerManifest.values())).yaml();

        assertThat(yaml)
                .doesNotContain("kind: ServiceAccount, name: osm-hub, namespace: kube-system")
                .doesNotContain("resourceNames: [osm-hub]\n  verbs: [create]")
                .contains("kind: ServiceAccount, name: hub-account, namespace: ops");
    }

    @Test
    void canBeMadeTwice() throws ApiFailure {
        WorkerRole role = WorkerRole.scoped(OTHER);
        role.apply(worker.api());
        worker.forgetRequests();
        long version = worker.object(Resource.ROLES, "kube-system", "osm-hub") == null ? 0 : 1;

        role.apply(worker.api());

        assertThat(version).isEqualTo(1);
        assertThat(worker.object(Resource.SERVICE_ACCOUNTS, "ops", "hub-account"))
                .isNotNull();
        assertThat(worker.object(Resource.ROLES, "ops", "osm-hub-renew")).isNotNull();
    }
}
