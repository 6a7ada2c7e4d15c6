package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.fake.FakeApiServer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TenantStatusReporterTest {
    private static final String PING = ",\"noAnswerSince\":\"2026-11-21T10:00:00Z\"";

    private static WorkerClusterStatus status(String state, String more) {
        return Objects.requireNonNull(
                WorkerClusterRecord.of(FakeApiServer.parse("""
                        {"metadata":{"namespace":"cluster-a","name":"shop","uid":"u"},"status":{"state":"%s"%s}}""".formatted(state, more)))
                        .status(),
                "a status");
    }

    @Test
    void anUnansweredPingIsAMinorChangeAndAnotherStateIsNot() {
        assertThat(TenantStatusReporter.isMinor(status("Connected", ""), status("Connected", PING)))
                .isTrue();
        assertThat(TenantStatusReporter.isMinor(status("Connected", PING), status("Connected", "")))
                .isTrue();
        assertThat(TenantStatusReporter.isMinor(status("Connected", ""), status("Connected", "")))
                .isTrue();
        assertThat(TenantStatusReporter.isMinor(status("Connected", PING), status("Unreachable", PING)))
                .isFalse();
        assertThat(TenantStatusReporter.isMinor(status("Connected", PING), status("Unreachable", "")))
                .isFalse();
    }
}
