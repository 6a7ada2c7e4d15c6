package io.osmhub.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.Sensitive;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BootstrapTokenTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    @Test
    void isMadeOfUnambiguousCharacters() {
        BootstrapToken token = BootstrapToken.generate(new Random(1), NOW, Duration.ofHours(2));

        assertThat(token.id()).matches("[bcdfghjklmnpqrstvwxz2456789]{6}");
        assertThat(token.secret().reveal()).matches("[bcdfghjklmnpqrstvwxz2456789]{16}");
        assertThat(token.expiration()).isEqualTo(NOW.plus(Duration.ofHours(2)));
        assertThat(token.toString()).doesNotContain(token.secret().reveal());
    }

    @Test
    void isStoredAsTheClustersTokenControllersReadIt() {
        BootstrapToken token = new BootstrapToken("abcdef", new Sensitive("0123456789abcdef"), NOW);

        assertThat(token.secretName()).isEqualTo("bootstrap-token-abcdef");
        assertThat(token.text().reveal()).isEqualTo("abcdef.0123456789abcdef");
        Map<String, String> data = new TreeMap<>();
        token.secretData(new ObjectNames("ns", "md")).forEach((key, value) -> data.put(key, value.reveal()));
        assertThat(data)
                .containsEntry("description", "bootstrap token for ns-md")
                .containsEntry("token-id", "abcdef")
                .containsEntry("token-secret", "0123456789abcdef")
                .containsEntry("expiration", "2026-01-02T03:04:05Z")
                .containsEntry("usage-bootstrap-authentication", "true")
                .containsEntry("usage-bootstrap-signing", "true")
                .containsEntry("auth-extra-groups", "system:bootstrappers:machine-controller:default-node-token")
                .hasSize(7);
    }
}
