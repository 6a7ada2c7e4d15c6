package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.fake.FakeApiServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    void anOutageHasOneEventWhenTheHubCannotReconnectToASilentServer() {
        List<Reason> events = new ArrayList<>();
        TenantStatusReporter.TenantEventRecorder recorder = new TenantStatusReporter.TenantEventRecorder(
                (regarding, related, event, action) -> events.add(event.reason()));
        WorkerClusterRecord record = WorkerClusterRecord.of(
                FakeApiServer.parse("{\"metadata\":{\"namespace\":\"cluster-a\",\"name\":\"shop\",\"uid\":\"u\"}}"));
        List<OpenProblem> silent = List.of(problem(Reason.WorkerClusterNotResponding));
        List<OpenProblem> unreachable = List.of(problem(Reason.WorkerClusterUnreachable));
        Instant now = Instant.parse("2026-11-21T10:05:00Z");

        recorder.recordEvents(record, List.of(), silent, now);
        recorder.recordEvents(record, silent, unreachable, now);
        recorder.recordEvents(record, unreachable, List.of(), now);

        assertThat(events).containsExactly(Reason.WorkerClusterNotResponding, Reason.ProblemResolved);
    }

    private static OpenProblem problem(Reason reason) {
        return new OpenProblem(
                reason.wireName(),
                ProblemSeverity.ERROR,
                "WorkerCluster",
                "cluster-a",
                "shop",
                "cluster-a: no answer",
                "2026-11-21T10:00:00Z");
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
