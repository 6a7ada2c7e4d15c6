package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StaticConnectionTest {
    private Instant now = Instant.parse("2026-11-21T10:00:00Z");
    private final StaticConnection connection = new StaticConnection(
            "t",
            "worker",
            new StaticConnection.StaticWorkerCluster(
                    new SimulatedServer(new VirtualTime()).api(), "https://w.example.org:6443", "", ""),
            () -> now,
            () -> {});

    private void fail(ApiFailure.ApiFailureKind kind, String at) {
        now = Instant.parse(at);
        connection.onRequestFailed(ApiFailure.withoutResponse(kind, "connection refused"));
    }

    @Test
    void anOutageStatesWhenItBegan() {
        fail(ApiFailure.ApiFailureKind.NO_CONNECTION, "2026-11-21T10:05:00Z");
        fail(ApiFailure.ApiFailureKind.NO_CONNECTION, "2026-11-21T10:06:00Z");
        assertThat(connection.status().connection().message()).contains("since 2026-11-21T10:05:00Z");

        connection.onRecovered();
        fail(ApiFailure.ApiFailureKind.NO_CONNECTION, "2026-11-21T10:09:00Z");
        assertThat(connection.status().connection().message()).contains("since 2026-11-21T10:09:00Z");
    }
}
