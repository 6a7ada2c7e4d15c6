package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import org.junit.jupiter.api.Test;

class TlsSettingsTest {
    @Test
    void returnsWhenAppliedOnceAlsoIfAnotherThreadIsFaster() {
        TlsSettings.applyInBackground();
        TlsSettings.apply();
        TlsSettings.apply();

        assertThat(Security.getProperty("jdk.tls.disabledAlgorithms")).containsOnlyOnce("TLS_*_CBC_*");
        assertThat(System.getProperty("jdk.tls.rejectClientInitiatedRenegotiation"))
                .isEqualTo("true");
    }
}
