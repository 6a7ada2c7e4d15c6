package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.certificate.CertificateOptions;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
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
import org.junit.jupiter.params.provider.CsvSource;

class CaBundleInjectorTest {
    private static final Resource KIND = Resource.VALIDATING_WEBHOOK_CONFIGURATIONS;
    /** Base64 of {@code other}. */
    private static final String OTHER = "b3RoZXI=";

    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final SimulatedServer management = new SimulatedServer(time);
    private final HubIssuedCertificate certificate = new HubIssuedCertificate(
            management.api(),
            "osm-hub",
            new CertificateOptions(new TreeSet<>(List.of("hub.svc")), Duration.ofDays(90), 0.7),
            () -> true,
            new SecureRandom(),
            around);
    private final CaBundleInjector bundles =
            new CaBundleInjector(management.api(), "osm-hub", certificate, () -> true, around);

    @BeforeEach
    void begin() {
        bundles.start();
        certificate.start();
        time.settle();
    }

    private void install() {
        management.put(KIND, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
                 "metadata":{"name":"osm-hub"},"webhooks":[
                  {"name":"somebody.example.org","clientConfig":{"caBundle":"c29tZWJvZHk=","url":"https://a/"}},
                  {"name":"workerclusters.osmhub.io","failurePolicy":"Fail","clientConfig":{"url":"https://b/"}},
                  {"name":"operatingsystemprofiles.osmhub.io","clientConfig":{"url":"https://c/"}}]}""", "kubectl");
    }

    /** Sets the bundle of a webhook by server-side apply. */
    private void apply(String manager, String caBundle) throws ApiFailure {
        String manifest = """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
                 "metadata":{"name":"osm-hub"},"webhooks":[
                  {"name":"workerclusters.osmhub.io","clientConfig":{"caBundle":"%s"}}]}""".formatted(caBundle);
        management.send(ApiRequest.patch(KIND, "", "osm-hub", ApiRequest.APPLY_PATCH, manifest)
                .withFieldManager(manager));
    }

    /** Sets the bundle of a webhook by an update. */
    private void update(String manager, String caBundle) {
        ObjectNode stored = Objects.requireNonNull(management.object(KIND, "", "osm-hub"));
        ((ObjectNode) stored.at("/webhooks/1/clientConfig")).put("caBundle", caBundle);
        management.put(KIND, stored.toString(), manager);
    }

    private String bundle(int webhook) {
        String text = Objects.requireNonNull(management.object(KIND, "", "osm-hub"))
                .at("/webhooks/" + webhook + "/clientConfig/caBundle")
                .asText();
        return new String(Base64.getDecoder().decode(text), UTF_8);
    }

    @Test
    void theHubsWebhooksGetItsAuthoritiesAndNothingElseChanges() {
        install();
        time.settle();

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
    void anotherBundleIsPutRight() throws ApiFailure {
        install();
        apply("osm-hub-osm-hub-workerclusters.osmhub.io", OTHER);
        time.settle();

        assertThat(bundle(1)).isEqualTo(certificate.authorities());
    }

    /** As cert-manager's injector does where its annotation was left on the configuration. */
    @Test
    void aBundleThatAnotherWriterHasSetIsLeftToItAndReported() throws ApiFailure {
        install();
        apply("cainjector", OTHER);
        time.pass(Duration.ofHours(1));

        assertThat(bundle(1)).isEqualTo("other");
        assertThat(bundle(2)).isEqualTo(certificate.authorities());
        assertThat(bundles.problem().orElseThrow().message())
                .isEqualTo("hub: ValidatingWebhookConfiguration osm-hub, caBundle: not the hub's CA, and could not be"
                        + " patched (Apply failed with 1 conflict: conflict with \"cainjector\":"
                        + " .webhooks[name=\"workerclusters.osmhub.io\"].clientConfig.caBundle); allow patch on it, or"
                        + " keep other writers from it");

        management.send(ApiRequest.patch(KIND, "", "osm-hub", ApiRequest.APPLY_PATCH, """
                        {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
                         "metadata":{"name":"osm-hub"}}""")
                .withFieldManager("cainjector"));
        time.pass(Duration.ofMinutes(6));
        assertThat(bundle(1)).isEqualTo(certificate.authorities());
        assertThat(bundles.problem()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'',osm-hub", "'',osm-hub-other-workerclusters.osmhub.io", "osm-hub-other,''", "osm-hub,cainjector"})
    void theBundleOfAnotherHubIsLeftToIt(String updater, String applier) throws ApiFailure {
        install();
        if (!updater.isEmpty()) {
            update(updater, OTHER);
        }
        if (!applier.isEmpty()) {
            apply(applier, OTHER);
        }
        time.pass(Duration.ofHours(1));

        assertThat(bundle(1)).isEqualTo("other");
        assertThat(bundles.problem()).isPresent();
    }

    @Test
    void whatCannotBeWrittenIsTold() {
        management.failWrites(SimulatedServer.status(403, "Forbidden", "osm-hub may not patch"));
        install();
        time.settle();
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
