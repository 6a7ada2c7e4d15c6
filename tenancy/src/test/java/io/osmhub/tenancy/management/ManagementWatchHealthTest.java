package io.osmhub.tenancy.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.registry.KubeconfigSecretCache;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The four watches of Secrets, some of which a role or an API server may reject. */
class ManagementWatchHealthTest {
    private final VirtualTime time = new VirtualTime();
    private final Set<String> refused = new HashSet<>();
    private final ManagementWatchHealth view = new ManagementWatchHealth(time, "https://management");
    private final SimulatedServer server = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final KubeconfigSecretCache secrets = new KubeconfigSecretCache(
            new SecretDiscovery("internal-admin-kubeconfig", true),
            new TenantAccess(server.api(), namespace -> {}, () -> view.listener("rolebindings"), around),
            namespace -> {},
            which -> view.listener("secrets with " + which),
            around);

    private void start() {
        view.start(secrets::isSynced, () -> {});
        secrets.start(new Choosy(server, refused).api());
        secrets.setScope(true);
    }

    /** Rejects requests with one of the {@link #refused} selectors. */
    private record Choosy(SimulatedServer server, Set<String> refused) implements ServerHandler {
        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            Map<String, String> query = request.query();
            if (refused.stream().anyMatch(query::containsValue)) {
                throw SimulatedServer.status(403, "Forbidden", "osm-hub may not list " + Resource.SECRETS.plural());
            }
            return server.send(request);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, lines);
        }
    }

    @Test
    void eachWatchOfSecretsIsToldByItsOwnName() {
        refused.add("type=cluster.x-k8s.io/secret");
        refused.add("osmhub.io/worker-cluster");

        start();
        time.pass(Duration.ofMinutes(1));

        assertThat(view.isComplete()).isFalse();
        assertThat(view.missingLists())
                .containsExactly(
                        "secrets with label osmhub.io/worker-cluster", "secrets with type=cluster.x-k8s.io/secret");
        assertThat(Objects.requireNonNull(view.problem(3)).message())
                .contains("secrets with label osmhub.io/worker-cluster, secrets with type=cluster.x-k8s.io/secret: ");
    }

    @Test
    void oneThatRecoversDoesNotHideAnother() {
        refused.add("type=cluster.x-k8s.io/secret");
        refused.add("metadata.name=internal-admin-kubeconfig");
        start();
        time.pass(Duration.ofMinutes(1));

        refused.remove("metadata.name=internal-admin-kubeconfig");
        time.pass(Duration.ofMinutes(10));

        assertThat(view.missingLists()).containsExactly("secrets with type=cluster.x-k8s.io/secret");
        assertThat(Objects.requireNonNull(view.problem(3)).message())
                .contains("secrets with type=cluster.x-k8s.io/secret: ")
                .doesNotContain("internal-admin-kubeconfig");

        refused.clear();
        time.pass(Duration.ofMinutes(10));
        assertThat(view.missingLists()).isEmpty();
        assertThat(view.problem(3)).isNull();
        assertThat(view.isComplete()).isTrue();
    }
}
