package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.certificate.CertificateOptions;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CaBundleInjectorTest {
    private static final Resource KIND = Resource.VALIDATING_WEBHOOK_CONFIGURATIONS;

    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final FakeApiServer management = new FakeApiServer(time);
    private final HubIssuedCertificate certificate = new HubIssuedCertificate(
            management,
            "osm-hub",
            new CertificateOptions(new TreeSet<>(List.of("hub.svc")), Duration.ofDays(90), 0.7),
            () -> true,
            new SecureRandom(),
            around);
    private final CaBundleInjector bundles = new CaBundleInjector(management, certificate, () -> true, around);

    @BeforeEach
    void begin() {
        bundles.start();
        certificate.start();
        time.settle();
    }

    private void install(String caBundle) {
        management.put(KIND, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
                 "metadata":{"name":"osm-hub"},"webhooks":[
                  {"name":"somebody.example.org","clientConfig":{"caBundle":"c29tZWJvZHk=","url":"https://a/"}},
                  {"name":"workerclusters.osmhub.io","failurePolicy":"Fail","clientConfig":{"caBundle":"%s","url":"https://b/"}},
                  {"name":"operatingsystemprofiles.osmhub.io","clientConfig":{"url":"https://c/"}}]}""".formatted(caBundle), "kubectl");
        time.settle();
    }

    private String bundle(int webhook) {
        String text = Objects.requireNonNull(management.object(KIND, "", "osm-hub"))
                .at("/webhooks/" + webhook + "/clientConfig/caBundle")
                .asText();
        return new String(Base64.getDecoder().decode(text), UTF_8);
    }

    @Test
    void theHubsWebhooksGetItsAuthoritiesAndNothingElseChanges() {
        install("");

        assertThat(bundle(1)).isEqualTo(certificate.authorities()).contains("BEGIN CERTIFICATE");
        assertThat(bundle(2)).isEqualTo(certificate.authorities());
        assertThat(bundle(0)).isEqualTo("somebody");
        assertThat(Objects.requireNonNull(management.object(KIND, "", "osm-hub"))
                        .at("/webhooks/1/failurePolicy")
                        .asText())
                .isEqualTo("Fail");
        assertThat(bundles.problem()).isEmpty();
    }

    @Test
    void anotherBundleIsPutRight() {
        install("");
        install("b3RoZXI=");

        assertThat(bundle(1)).isEqualTo(certificate.authorities());
    }

    /** As cert-manager's injector does where its annotation was left on the configuration. */
    @Test
    void whoWritesAnotherBundleEachTimeIsNamedAndAnsweredEverMoreSlowly() {
        install("");
        management.forgetRequests();

        Duration passed = Duration.ZERO;
        while (passed.compareTo(Duration.ofHours(1)) < 0) {
            if (bundle(1).equals(certificate.authorities())) {
                injected("cainjector");
            }
            time.pass(Duration.ofMillis(100));
            passed = passed.plusMillis(100);
        }

        assertThat(management.writes()).isBetween(10L, 40L);
        assertThat(bundles.problem().orElseThrow())
                .isEqualTo("hub: ValidatingWebhookConfiguration osm-hub, caBundle: not the hub's CA, cainjector keeps"
                        + " replacing it; keep it from this configuration");

        time.pass(Duration.ofMinutes(20));
        assertThat(bundle(1)).isEqualTo(certificate.authorities());
        assertThat(bundles.problem()).isEmpty();
        assertThat(management.writes()).isLessThan(42);
    }

    @Test
    void aSecondHubThatWritesItsOwnBundleIsToldOf() {
        install("");

        for (int i = 0; i < 20; i++) {
            injected("osm-hub");
            time.pass(Duration.ofSeconds(1));
        }

        assertThat(bundles.problem().orElseThrow()).contains("another hub (field manager osm-hub) keeps replacing it");
    }

    /** Only the bundle of the second webhook, by Update. */
    private void injected(String manager) {
        ObjectNode object =
                Objects.requireNonNull(management.object(KIND, "", "osm-hub")).deepCopy();
        ((ObjectNode) object.at("/webhooks/1/clientConfig")).put("caBundle", "b3RoZXI=");
        management.put(KIND, object.toString(), manager);
        time.settle();
    }

    @Test
    void whatCannotBeWrittenIsTold() {
        management.failWrites(FakeApiServer.status(403, "Forbidden", "osm-hub may not patch"));
        install("");
        assertThat(bundles.problem().orElseThrow())
                .isEqualTo("hub: ValidatingWebhookConfiguration osm-hub, caBundle: not the hub's CA, and could not be"
                        + " patched (osm-hub may not patch); allow patch on it");

        management.failWrites(null);
        time.pass(Duration.ofMinutes(6));

        assertThat(bundles.problem()).isEmpty();
        assertThat(bundle(1)).isEqualTo(certificate.authorities());
    }

    @Test
    void whereNothingIsInstalledNothingIsMade() {
        time.pass(Duration.ofMinutes(10));

        assertThat(management.object(KIND, "", "osm-hub")).isNull();
        assertThat(bundles.problem()).isEmpty();
        bundles.stop();
    }
}
