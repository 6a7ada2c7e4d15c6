package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SecretCertificateTest {
    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext runtimeContext = new RuntimeContext(time, time, new Random(1));
    private final SimulatedServer management = new SimulatedServer(time);
    private final SecretCertificate certificate =
            new SecretCertificate(management.api(), "osm-hub", HubIssuedCertificate.SECRET, runtimeContext);

    private void storeCertificate() {
        HubIssuedCertificate issued = new HubIssuedCertificate(
                management.api(),
                "osm-hub",
                new CertificateOptions(new TreeSet<>(List.of("hub.svc")), Duration.ofDays(90), 0.7),
                () -> true,
                new SecureRandom(),
                runtimeContext);
        issued.start();
        time.settle();
        issued.stop();
    }

    @Test
    void aMissingSecretIsReportedUntilItExists() {
        certificate.start();
        time.settle();
        assertThat(certificate.problem()).isEqualTo("Secret osm-hub/osm-hub-webhook-tls does not exist");

        storeCertificate();

        assertThat(certificate.problem()).isNull();
        assertThat(certificate.isLoaded()).isTrue();
    }

    @Test
    void aSecretThatCannotBeWatchedIsReportedUntilItCan() {
        storeCertificate();
        certificate.start();
        time.settle();
        assertThat(certificate.problem()).isNull();

        ApiFailure forbidden = SimulatedServer.status(403, "Forbidden", "secrets are forbidden");
        management.failEverything(forbidden);
        management.breakWatches(forbidden);
        time.pass(Duration.ofMinutes(1));
        assertThat(certificate.problem()).contains("cannot be read", "secrets are forbidden");
        assertThat(certificate.isLoaded()).isTrue();

        management.failEverything(null);
        time.pass(Duration.ofHours(1));
        assertThat(certificate.problem()).isNull();
    }
}
