package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the permissions of a role for OSM. */
class NarrowRoleTest {
    private final SyncWorld world = new SyncWorld();

    @BeforeEach
    void publish() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        world.pass(Duration.ofSeconds(30));
        world.worker.forgetRequests();
    }

    private void forbid(Verb verb) {
        world.worker.reject(request -> request.resource() == Resource.SECRETS && request.verb() == verb
                ? SimulatedServer.status(403, "Forbidden", "no")
                : null);
    }

    private List<Verb> verbsOfSecrets() {
        return world.worker.requests().stream()
                .filter(request -> request.resource() == Resource.SECRETS)
                .filter(request -> request.name().endsWith("-provisioning-config"))
                .map(ApiRequest::verb)
                .toList();
    }

    @Test
    void aSecretThatMayNotBePatchedIsReadAndUpdated() {
        forbid(Verb.PATCH);

        world.profile("v1.1.0", "new line");
        world.pass(Duration.ofSeconds(10));

        assertThat(world.hub().status().machineDeployments()).singleElement().satisfies(state -> {
            assertThat(state.problems()).isEmpty();
            assertThat(state.newNodes()).isEqualTo(NewNodes.CURRENT);
        });
        assertThat(verbsOfSecrets()).containsExactly(Verb.PATCH, Verb.GET, Verb.UPDATE);
    }

    @Test
    void aConcurrentChangeIsAConflictInsteadOfALoss() {
        boolean[] changed = {false};
        world.worker.reject(request -> {
            if (request.resource() != Resource.SECRETS) {
                return null;
            }
            if (request.verb() == Verb.UPDATE && !changed[0]) {
                changed[0] = true;
                var secret = Objects.requireNonNull(
                                world.worker.object(request.resource(), request.namespace(), request.name()))
                        .deepCopy();
                secret.withObjectProperty("metadata")
                        .withObjectProperty("annotations")
                        .put("example.com/note", "kept");
                world.worker.put(request.resource(), secret.toString(), "kubectl");
            }
            return request.verb() == Verb.PATCH ? SimulatedServer.status(403, "Forbidden", "no") : null;
        });

        world.profile("v1.1.0", "new line");
        world.pass(Duration.ofMinutes(2));

        assertThat(changed[0]).isTrue();
        assertThat(world.worker.all(Resource.SECRETS))
                .anyMatch(secret -> secret.at("/metadata/annotations/example.com~1note")
                        .asText()
                        .equals("kept"));
        assertThat(world.hub().status().machineDeployments().getFirst().newNodes())
                .isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void aTokenThatMayNotBeDeletedIsLeftToExpire() {
        world.worker.reject(request -> request.resource() == Resource.SECRETS
                        && request.verb() == Verb.DELETE
                        && request.namespace().equals("kube-system")
                ? SimulatedServer.status(403, "Forbidden", "no")
                : null);

        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
        world.pass(Duration.ofMinutes(1));

        assertThat(world.worker.all(Resource.MACHINE_DEPLOYMENTS)).isEmpty();
    }

    @Test
    void aSecretThatMayNotBeDeletedKeepsItsMachineDeployment() {
        forbid(Verb.DELETE);

        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
        world.pass(Duration.ofMinutes(1));

        assertThat(world.worker.all(Resource.MACHINE_DEPLOYMENTS)).hasSize(1);
    }
}
