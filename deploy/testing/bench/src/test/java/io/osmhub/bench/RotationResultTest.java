package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.bench.RotationMeasurement.RotationTimes;
import io.osmhub.bench.RotationResult.ExtensionMemory;
import io.osmhub.bench.RotationResult.PreviewDuration;
import io.osmhub.bench.RotationResult.SecretRotation;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RotationResultTest {
    @Test
    void countsOnlyRequestsThatWrite() {
        SecretRotation rotation = SecretRotation.of(
                new RotationTimes("content"),
                2,
                Map.of(
                        "patch secrets", 3L,
                        "update machinedeployments/status", 2L,
                        "patch machinedeployments", 1L,
                        "watch machinedeployments", 5L,
                        "create subjectaccessreviews", 4L));

        assertThat(rotation.writesTo("machinedeployments")).isEqualTo(3);
        assertThat(rotation.writesTo("secrets")).isEqualTo(3);
        assertThat(rotation.writes())
                .containsOnlyKeys("patch secrets", "update machinedeployments/status", "patch machinedeployments");
    }

    @Test
    void comparesAChangedExtensionWithTheSlowerChangeOfAProfile() {
        assertThat(result(200, 300, 250).extensionToProfileP99()).isEqualTo(1.2);
        assertThat(result(300, 300, 250).extensionToProfileP99()).isEqualTo(1);
    }

    /** Percentiles in milliseconds. */
    static RotationResult result(double profile, double extension, double laterProfile) {
        return new RotationResult(
                3000,
                rotation(profile, Map.of("patch secrets", 3000L)),
                rotation(extension, Map.of("patch secrets", 3000L)),
                rotation(extension, Map.of("patch secrets", 3000L)),
                rotation(laterProfile, Map.of("patch secrets", 3000L)),
                new ExtensionMemory(400 << 20, 404 << 20, 160 << 20, 163 << 20),
                new PreviewDuration(4, 3, 3000, ""));
    }

    private static SecretRotation rotation(double p99, Map<String, Long> writes) {
        return new SecretRotation(new Percentiles(3000, p99 / 2, p99 / 2, p99, p99), 2, 1, writes);
    }
}
