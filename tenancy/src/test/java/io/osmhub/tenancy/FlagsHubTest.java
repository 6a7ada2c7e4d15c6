package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A hub for the one worker cluster of OSM's flags. */
class FlagsHubTest {
    private final FleetWorld world = new FleetWorld();
    private final SimulatedServer worker = world.worker("w.example.org");

    private Hub start(SettingsLayer flags) {
        FleetWorld.namespace(world.management, "cluster-x7f", Map.of());
        return world.startWithFlags("cluster-x7f", flags, worker);
    }

    @Test
    void theOneWorkerClusterIsServedWithoutAWorkerCluster() {
        world.profile("cluster-x7f", "osp-ubuntu", "v1.0.0", "own");
        machineDeployment(worker, "workers");

        Hub hub = start(SettingsLayer.EMPTY.with(Setting.CLUSTER_DNS, List.of("10.1.1.1")));
        world.pass(Duration.ofSeconds(2));

        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(String.valueOf(world.management.object(
                        Resource.OPERATING_SYSTEM_CONFIGS, "cluster-x7f", "workers-kube-system-config")))
                .contains("10.1.1.1");
        assertThat(hub.isReady()).isTrue();
        assertThat(hub.tenants()).singleElement().satisfies(view -> assertThat(view.problems())
                .isEmpty());
    }

    @Test
    void onlyItsNamespaceOfTheManagementClusterIsAskedFor() {
        start(SettingsLayer.EMPTY);
        world.pass(Duration.ofMinutes(30));

        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() != Resource.CUSTOM_RESOURCE_DEFINITIONS)
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request.namespace()).isEqualTo("cluster-x7f"))
                .extracting(ApiRequest::resource)
                .isSubsetOf(Resource.OPERATING_SYSTEM_PROFILES, Resource.OPERATING_SYSTEM_CONFIGS, Resource.EVENTS);
        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() == Resource.CUSTOM_RESOURCE_DEFINITIONS)
                .allSatisfy(request -> assertThat(request.verb()).isEqualTo(Verb.GET));
        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() == Resource.OPERATING_SYSTEM_PROFILES)
                .noneMatch(request -> request.subresource().equals("status"));
    }

    @Test
    void aChangedProfileReachesTheWorker() {
        world.profile("cluster-x7f", "osp-ubuntu", "v1.0.0", "own");
        machineDeployment(worker, "workers");
        start(SettingsLayer.EMPTY);
        world.pass(Duration.ofSeconds(2));

        world.profile("cluster-x7f", "osp-ubuntu", "v1.1.0", "another");
        world.pass(Duration.ofSeconds(1));

        assertThat(String.valueOf(world.management.object(
                        Resource.OPERATING_SYSTEM_CONFIGS, "cluster-x7f", "workers-kube-system-config")))
                .contains("another");
    }

    @Test
    void aDefaultProfileWhoseSpecOsmReplacedIsServedAsOsms() {
        world.profile("cluster-x7f", "osp-ubuntu", "v1.11.2", "osm");
        ObjectNode replaced = Objects.requireNonNull(
                        world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "cluster-x7f", "osp-ubuntu"))
                .deepCopy();
        replaced.withObject("/metadata/annotations")
                .put("osmhub.io/template-engine", "handlebars")
                .put("osmhub.io/supported-kubernetes-versions", ">=1.99.0")
                .put("osmhub.io/installed-hash", "0f");
        world.management.put(Resource.OPERATING_SYSTEM_PROFILES, replaced.toString(), "osm-controller");
        machineDeployment(worker, "workers");

        Hub hub = start(SettingsLayer.EMPTY);
        world.pass(Duration.ofSeconds(2));

        assertThat(String.valueOf(world.management.object(
                        Resource.OPERATING_SYSTEM_CONFIGS, "cluster-x7f", "workers-kube-system-config")))
                .contains("osm")
                .doesNotContain("{{");
        assertThat(hub.tenants()).singleElement().satisfies(view -> assertThat(view.problems())
                .isEmpty());
    }

    @Test
    void changedSettingsReachTheWorker() {
        world.profile("cluster-x7f", "osp-ubuntu", "v1.0.0", "own");
        machineDeployment(worker, "workers");
        Hub hub = start(flags("10.1.1.1"));
        world.pass(Duration.ofSeconds(2));

        hub.settings(FleetWorld.settings("cluster-x7f", true, flags("10.2.2.2")));
        world.pass(Duration.ofSeconds(2));

        assertThat(String.valueOf(world.management.object(
                        Resource.OPERATING_SYSTEM_CONFIGS, "cluster-x7f", "workers-kube-system-config")))
                .contains("10.2.2.2")
                .doesNotContain("10.1.1.1");
    }

    private static SettingsLayer flags(String dns) {
        return SettingsLayer.EMPTY.with(Setting.CLUSTER_DNS, List.of(dns));
    }

    @Test
    void nothingIsWrittenBeforeThePeersLeaseIsHeld() {
        world.profile("cluster-x7f", "osp-ubuntu", "v1.0.0", "own");
        machineDeployment(worker, "workers");
        world.mayWrite = false;

        Hub hub = start(SettingsLayer.EMPTY);
        world.pass(Duration.ofMinutes(1));
        // Not even attempted, which would fail and be logged.
        assertThat(worker.requests()).isEmpty();
        assertThat(world.management.writes()).isZero();

        world.mayWrite = true;
        hub.onLeadershipChanged();
        world.pass(Duration.ofMinutes(1));
        assertThat(bootstrap(worker, "workers")).isNotNull();

        world.mayWrite = false;
        hub.onLeadershipChanged();
        world.pass(Duration.ofMinutes(1));
        worker.forgetRequests();
        machineDeployment(worker, "more");
        world.pass(Duration.ofMinutes(1));
        assertThat(worker.requests()).isEmpty();
    }

    @Test
    void afterStoppingNothingIsAsked() {
        Hub hub = start(SettingsLayer.EMPTY);
        world.pass(Duration.ofSeconds(5));

        hub.stop();
        worker.forgetRequests();
        world.management.forgetRequests();
        machineDeployment(worker, "workers");
        world.pass(Duration.ofHours(1));

        assertThat(worker.requests()).isEmpty();
        assertThat(world.management.requests()).isEmpty();
    }
}
