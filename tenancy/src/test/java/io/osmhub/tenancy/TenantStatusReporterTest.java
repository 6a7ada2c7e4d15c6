package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.fake.SimulatedServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TenantStatusReporterTest {
    private static final String PING = ",\"noAnswerSince\":\"2026-11-21T10:00:00Z\"";

    private static WorkerClusterStatus status(String state, String more) {
        return Objects.requireNonNull(
                WorkerClusterRecord.of(SimulatedServer.parse("""
                        {"metadata":{"namespace":"cluster-a","name":"shop","uid":"u"},"status":{"state":"%s"%s}}""".formatted(state, more)))
                        .status(),
                "a status");
    }

    @Test
    void anOutageHasOneEventWhenTheHubCannotReconnectToASilentServer() {
        List<Problem> events = new ArrayList<>();
        TenantEventRecorder recorder =
                new TenantEventRecorder((regarding, related, event, action) -> events.add(event));
        WorkerClusterRecord record = WorkerClusterRecord.of(
                SimulatedServer.parse("{\"metadata\":{\"namespace\":\"cluster-a\",\"name\":\"shop\",\"uid\":\"u\"}}"));
        Instant begin = Instant.parse("2026-11-21T10:00:00Z");
        OpenProblems silent = with(OpenProblems.NONE, Reason.WorkerClusterNotResponding, begin);
        OpenProblems unreachable = with(silent, Reason.WorkerClusterUnreachable, begin.plusSeconds(270));
        Instant end = begin.plusSeconds(300);

        recorder.recordEvents(record, List.of(), silent.all(), begin);
        recorder.recordEvents(record, silent.all(), unreachable.all(), end);
        recorder.recordEvents(record, unreachable.all(), List.of(), end);

        assertThat(events)
                .extracting(Problem::reason)
                .containsExactly(Reason.WorkerClusterNotResponding, Reason.ProblemResolved);
        assertThat(events.getLast().message()).contains("WorkerClusterUnreachable resolved after 5 min");
    }

    private static OpenProblems with(OpenProblems before, Reason reason, Instant now) {
        return before.updatedWith(List.of(new OpenProblems.ObjectProblem(
                "WorkerCluster", "cluster-a", "shop", "", Problem.ofMessage(reason, "cluster-a: no answer"), now)));
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
