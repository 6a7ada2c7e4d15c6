package io.osmhub.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScopedCredentialRenewerTest {
    private final FleetWorld world = new FleetWorld();
    private final SimulatedServer worker = world.tenant("t1");

    private void scoped() {
        world.start();
        world.patch("t1", "prod", "{'spec': {'credentials': {'mode': 'Scoped'}}}");
        world.time.settle();
    }

    private String stored() {
        JsonNode secret =
                Objects.requireNonNull(world.management.object(Resource.SECRETS, "t1", "admin"), "the Secret");
        return new String(
                Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText()), UTF_8);
    }

    private String status(String field) {
        JsonNode cluster = Objects.requireNonNull(world.workerCluster("t1", "prod"), "the WorkerCluster");
        return cluster.path("status").path(field).asText();
    }

    @Test
    void aStrongerCredentialIsExchangedForATokenOfTheHubsOwnAccount() {
        scoped();
        world.pass(Duration.ofSeconds(2));

        assertThat(stored()).doesNotContain("token-1").contains("t1.example.org");
        assertThat(worker.object(Resource.SERVICE_ACCOUNTS, "kube-system", "osm-hub"))
                .isNotNull();
        assertThat(status("credentialsKind")).isEqualTo("ScopedToken");
        assertThat(world.reason("t1", "prod", "CredentialsValid")).isEqualTo("CredentialsAccepted");
        assertThat(world.events()).contains("CredentialsRenewed");
    }

    @Test
    void aTokenIsRenewedWhenAThirdOfItsLifeHasPassed() {
        scoped();
        world.pass(Duration.ofSeconds(2));
        String first = stored();

        world.pass(Duration.ofHours(55));
        assertThat(stored()).isEqualTo(first);

        world.pass(Duration.ofHours(8));
        assertThat(stored()).isNotEqualTo(first);
    }

    @Test
    void aTokenIsRenewedWhenSomebodyAsks() {
        scoped();
        world.pass(Duration.ofSeconds(2));
        String first = stored();

        world.pass(Duration.ofMinutes(1));
        world.patch("t1", "prod", "{'metadata': {'annotations': {'osmhub.io/renew-requested-at': 'now'}}}");
        world.pass(Duration.ofSeconds(2));

        assertThat(stored()).isNotEqualTo(first);
    }

    @Test
    void aRenewalThatFailsIsToldWhileTheTokenStillWorks() {
        scoped();
        world.pass(Duration.ofSeconds(2));
        String first = stored();
        worker.remove(Resource.SERVICE_ACCOUNTS, "kube-system", "osm-hub");

        world.pass(Duration.ofDays(3));

        assertThat(stored()).isEqualTo(first);
        assertThat(world.reason("t1", "prod", "CredentialsValid")).isEqualTo("CredentialsRenewalFailed");
    }

    @Test
    void aProvidedCredentialIsLeftAsItIs() {
        world.start();
        world.pass(Duration.ofDays(1));

        assertThat(stored()).contains("token-1");
        assertThat(worker.object(Resource.SERVICE_ACCOUNTS, "kube-system", "osm-hub"))
                .isNull();
    }
}
