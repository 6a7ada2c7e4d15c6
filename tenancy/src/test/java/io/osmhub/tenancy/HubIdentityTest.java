package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The objects of a worker cluster stay the hub's when the management cluster or the mode of the hub is replaced. */
class HubIdentityTest {
    private static final String TENANT = "cluster-a";

    private final FleetWorld world = new FleetWorld();
    private final SimulatedServer worker = world.tenant(TENANT);

    private void serve() {
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    /** Objects of the management cluster are in another one, which reports another UID of the namespace {@code kube-system}. */
    private void restore() {
        world.kill();
        String uid = Objects.requireNonNull(world.management.object(Resource.NAMESPACES, "", "kube-system"))
                .at("/metadata/uid")
                .asText();
        String other = UUID.randomUUID().toString();
        world.management.lie((request, answer) -> request.resource() == Resource.NAMESPACES
                ? new String(answer, UTF_8).replace(uid, other).getBytes(UTF_8)
                : answer);
        world.management.remove(Resource.OPERATING_SYSTEM_CONFIGS, TENANT, "workers-kube-system-config");
        worker.forgetRequests();
        world.start();
        world.pass(Duration.ofSeconds(5));
    }

    private String hubId() {
        return Objects.requireNonNull(
                        worker.object(Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-bootstrap-config"))
                .at("/metadata/annotations/osmhub.io~1hub-id")
                .asText();
    }

    private List<ApiRequest> secretWrites() {
        return worker.requests().stream()
                .filter(request -> request.verb().writes()
                        && request.resource() == Resource.SECRETS
                        && request.namespace().equals(SyncWorld.SETTINGS))
                .toList();
    }

    private List<String> problems() {
        return Objects.requireNonNull(world.workerCluster(TENANT, "prod"))
                .at("/status/problems")
                .valueStream()
                .map(problem -> problem.path("message").asText())
                .toList();
    }

    @Test
    void aRestoredHubOwnsWhatItWroteUnderItsFormerId() {
        serve();
        String former = hubId();

        restore();

        assertThat(world.state(TENANT, "prod")).isEqualTo("Synced");
        assertThat(secretWrites()).isEmpty();
        world.profile("osm-profiles", "osp-ubuntu", "v1.1.0", "changed");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state(TENANT, "prod")).isEqualTo("Synced");
        assertThat(hubId()).isNotEmpty().isNotEqualTo(former);
    }

    @Test
    void aFormerHubThatStillRunsDoesNotOverwriteWhatTheRestoredOneWrote() {
        serve();
        JsonNode identity =
                Objects.requireNonNull(world.management.object(Resource.SECRETS, "osm-hub", "osm-hub-identity"));
        restore();
        world.profile("osm-profiles", "osp-ubuntu", "v1.1.0", "changed");
        world.pass(Duration.ofSeconds(5));
        String written = bootstrap(worker, "workers");

        world.kill();
        // As the former hub: it has not stored the id of the restored one.
        world.management.put(Resource.SECRETS, identity.toString(), "osm-hub");
        world.profile("osm-profiles", "osp-ubuntu", "v1.0.0", "shared");
        restore();

        assertThat(bootstrap(worker, "workers")).isEqualTo(written);
        assertThat(problems()).anySatisfy(problem -> assertThat(problem)
                .contains("written by the hub " + hubId())
                .contains("hub cluster takeover prod -n cluster-a --from " + hubId()));
    }

    @Test
    void withoutItsIdentityAHubTakesOverOnlyWithConsent() {
        serve();
        String former = hubId();
        world.management.remove(Resource.SECRETS, "osm-hub", "osm-hub-identity");

        restore();

        assertThat(secretWrites()).isEmpty();
        assertThat(problems())
                .anySatisfy(problem ->
                        assertThat(problem).contains("hub cluster takeover prod -n cluster-a --from " + former))
                .noneSatisfy(problem -> assertThat(problem).contains("expired"));

        world.patch(TENANT, "prod", "{'spec': {'formerHubIDs': ['" + former + "']}}");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state(TENANT, "prod")).isEqualTo("Synced");
        assertThat(secretWrites()).isEmpty();
    }

    @Test
    void withoutPermissionToItsIdentityAHubServesUnderTheIdOfTheCluster() {
        world.management.forbid(request -> request.resource() == Resource.SECRETS
                && (request.name().equals("osm-hub-identity")
                        || request.namespace().equals("osm-hub")
                                && request.verb().writes()));

        serve();

        assertThat(world.state(TENANT, "prod")).isEqualTo("Synced");
        assertThat(hubId())
                .isEqualTo(Objects.requireNonNull(world.management.object(Resource.NAMESPACES, "", "kube-system"))
                        .at("/metadata/uid")
                        .asText());
    }

    private void serveAsDropIn() {
        Hub dropIn = world.startWithFlags(TENANT, SettingsLayer.EMPTY, worker);
        world.pass(Duration.ofSeconds(5));
        assertThat(dropIn.tenants()).singleElement().satisfies(view -> assertThat(view.problems())
                .isEmpty());
    }

    @Test
    void whatTheDropInPublishedIsTheHubsAndTheOtherWayRound() {
        world.profile(TENANT, "osp-ubuntu", "v1.0.0", "own");
        machineDeployment(worker, "workers");
        serveAsDropIn();
        assertThat(hubId()).isEmpty();
        world.kill();
        worker.forgetRequests();

        world.settings = FleetWorld.settings("osm-hub", false);
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state(TENANT, "prod")).isEqualTo("Synced");
        world.profile(TENANT, "osp-ubuntu", "v1.1.0", "changed");
        world.pass(Duration.ofSeconds(5));
        assertThat(hubId()).isNotEmpty();
        world.kill();

        world.profile(TENANT, "osp-ubuntu", "v1.2.0", "again");
        String before = bootstrap(worker, "workers");
        serveAsDropIn();

        assertThat(bootstrap(worker, "workers")).isNotEqualTo(before);
    }
}
