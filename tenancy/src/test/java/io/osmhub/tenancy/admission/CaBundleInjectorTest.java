package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaBundleInjectorTest {
    private static final Resource KIND = Resource.VALIDATING_WEBHOOK_CONFIGURATIONS;

    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final FakeApiServer management = new FakeApiServer(time);
    private final HubIssuedCertificate certificate = new HubIssuedCertificate(
            management.api(),
            "osm-hub",
            new CertificateOptions(new TreeSet<>(List.of("hub.svc")), Duration.ofDays(90), 0.7),
            () -> true,
            new SecureRandom(),
            around);
    private final ApplyingServer applying = new ApplyingServer(management);
    private final CaBundleInjector bundles =
            new CaBundleInjector(applying.api(), "osm-hub", certificate, () -> true, around);

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
    void aBundleThatAnotherWriterHasSetIsLeftToItAndReported() {
        applying.otherManagers.put("workerclusters.osmhub.io", "\"cainjector\"");
        install("b3RoZXI=");
        time.pass(Duration.ofHours(1));

        assertThat(bundle(1)).isEqualTo("other");
        assertThat(bundle(2)).isEqualTo(certificate.authorities());
        assertThat(bundles.problem().orElseThrow().message())
                .isEqualTo("hub: ValidatingWebhookConfiguration osm-hub, caBundle: not the hub's CA, and could not be"
                        + " patched (Apply failed with 1 conflict: conflict with \"cainjector\":"
                        + " .webhooks[name=\"workerclusters.osmhub.io\"].clientConfig.caBundle); allow patch on it, or"
                        + " keep other writers from it");

        applying.otherManagers.clear();
        time.pass(Duration.ofMinutes(6));
        assertThat(bundle(1)).isEqualTo(certificate.authorities());
        assertThat(bundles.problem()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"osm-hub\"",
                "\"osm-hub-other-workerclusters.osmhub.io\"",
                "\"osm-hub-other\" using admissionregistration.k8s.io/v1",
                "\"cainjector\", \"osm-hub\" using admissionregistration.k8s.io/v1"
            })
    void theBundleOfAnotherHubIsLeftToIt(String manager) {
        applying.otherManagers.put("workerclusters.osmhub.io", manager);

        install("b3RoZXI=");
        time.pass(Duration.ofHours(1));

        assertThat(bundle(1)).isEqualTo("other");
        assertThat(bundles.problem()).isPresent();
    }

    @Test
    void whatCannotBeWrittenIsTold() {
        management.failWrites(FakeApiServer.status(403, "Forbidden", "osm-hub may not patch"));
        install("");
        assertThat(bundles.problem().orElseThrow().message())
                .isEqualTo("hub: ValidatingWebhookConfiguration osm-hub, caBundle: not the hub's CA, and could not be"
                        + " patched (osm-hub may not patch); allow patch on it, or keep other writers from it");

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
