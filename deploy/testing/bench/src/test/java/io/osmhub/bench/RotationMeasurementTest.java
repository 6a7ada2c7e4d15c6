package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.bench.RotationMeasurement.RotationTimes;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class RotationMeasurementTest {
    private static final String CONTENT = "content 1";

    private final RotationTimes times = new RotationTimes(CONTENT);

    @Test
    void aProvisioningSecretIsCurrentOnceItHasTheFilePlainOrEncoded() {
        times.onSecretWritten("one", "a-provisioning-config", secret("files: content 0"));
        assertThat(times.current()).isZero();

        times.onSecretWritten("one", "a-provisioning-config", secret("files: " + CONTENT));
        times.onSecretWritten("two", "a-provisioning-config", secret("files: " + base64(CONTENT)));
        assertThat(times.current()).isEqualTo(2);
        assertThat(times.durations()).hasSize(2);
    }

    @Test
    void aBootstrapSecretNeedNotHaveItButItsWritesCount() {
        times.onSecretWritten("one", "a-provisioning-config", secret(CONTENT));
        times.onSecretWritten("one", "a-bootstrap-config", secret(CONTENT));
        times.onSecretWritten("one", "a-bootstrap-config", secret(CONTENT));

        assertThat(times.current()).isEqualTo(1);
        assertThat(times.mostWrites()).isEqualTo(2);
    }

    private static JsonNode secret(String text) {
        ObjectNode secret = JsonNodeFactory.instance.objectNode();
        secret.withObject("/data").put("cloud-config", base64(text));
        return secret;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
