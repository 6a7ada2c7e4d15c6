package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.status.TenantReport;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.port.EventRecorder;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports one tenant's state: as the WorkerCluster's status, as Events, and to queries. */
final class TenantStatusReporter {
    private static final WorkerClusterStatus UNKNOWN = Objects.requireNonNull(
            WireJson.as(WorkerClusterStatus.class, WireJson.object().put("state", "Connecting")));

    private final HubContext hub;
    private final TenantEventRecorder eventRecorder;
    private volatile OpenProblems problems;
    private volatile @Nullable WorkerClusterStatus status;
    /** Messages that already have an Event; null while those from before a restart are unknown. */
    private volatile @Nullable Set<String> warned;

    TenantStatusReporter(WorkerClusterRecord record, HubContext hub, EventRecorder events) {
        this.hub = hub;
        this.eventRecorder = new TenantEventRecorder(events);
        this.problems = OpenProblems.of(record.status());
        this.status = record.status();
        Long described = status == null ? null : status.observedGeneration();
        this.warned = described != null && described == record.head().generation() ? null : Set.of();
    }

    void recordEvent(WorkerClusterRecord record, Problem diagnosis) {
        eventRecorder.recordEvents(record, diagnosis);
    }

    /** Queues the status and records Events for changes. */
    void publishStatus(TenantSnapshot snapshot) {
        WorkerClusterRecord record = snapshot.record();
        Instant now = hub.runtimeContext().scheduler().now();
        TenantReport report = TenantReport.of(snapshot.toReportInput(now), record.status(), problems);
        eventRecorder.recordEvents(record, problems.all(), report.problems().all(), now);
        if (snapshot.settings() != null && snapshot.settings().complete()) {
            recordWarnings(record, snapshot.settings().warnings());
        }
        WorkerClusterStatus before = status;
        problems = report.problems();
        status = report.status();
        boolean wasPaused = before != null && before.state() == WorkerClusterStatus.State.PAUSED;
        if (!wasPaused && report.status().state() == WorkerClusterStatus.State.PAUSED) {
            reportPause(record, report.status());
        }
        // Without effect on a WorkerCluster that is not stored; logs, metrics and Events report instead.
        hub.stores()
                .statuses()
                .enqueue(
                        hub.stores().workerClusters(),
                        record.namespace(),
                        record.name(),
                        WireJson.tree(report.status()),
                        before != null && isMinor(before, report.status()));
    }

    /** Whether at most {@code noAnswerSince} differs: in an outage, thousands of unanswered pings do not delay the states of clusters. */
    static boolean isMinor(WorkerClusterStatus before, WorkerClusterStatus after) {
        return before.equals(after)
                || !Objects.equals(before.noAnswerSince(), after.noAnswerSince())
                        && withoutPings(before).equals(withoutPings(after));
    }

    private static JsonNode withoutPings(WorkerClusterStatus status) {
        return WireJson.tree(status).<ObjectNode>require().without("noAnswerSince");
    }

    /** Settings without effect, or that may stop working, are reported once by an Event; they block nothing. */
    private void recordWarnings(WorkerClusterRecord record, List<Problem> warnings) {
        Set<String> before = warned;
        Set<String> messages = new HashSet<>();
        for (Problem warning : warnings) {
            Problem diagnosis = warning.inTenant(record.namespace(), record.name());
            messages.add(diagnosis.message());
            if (before != null && !before.contains(diagnosis.message())) {
                eventRecorder.recordEvents(record, diagnosis);
            }
        }
        warned = Set.copyOf(messages);
    }

    /** A new kubeconfig is in use. */
    void recordRotation(WorkerClusterRecord record, ConnectionStatus connection) {
        eventRecorder.recordEvents(
                record,
                Reason.KubeconfigRotated.with(
                        record.variables(),
                        "endpoint",
                        connection.facts().endpoint(),
                        "user",
                        connection.facts().user()));
    }

    private void reportPause(WorkerClusterRecord record, WorkerClusterStatus paused) {
        NullableCollections.stream(paused.conditions())
                .filter(condition -> condition.reason().equals(Reason.Paused.wireName()))
                .findFirst()
                .ifPresent(condition -> eventRecorder.recordEvents(
                        record,
                        StoredProblem.find(
                                paused.pauses(),
                                Reason.Paused,
                                condition.message(),
                                TenantEventRecorder.scope(record))));
    }

    TenantView view(WorkerClusterRecord record, @Nullable ResolvedSettings settings, @Nullable SyncStatus sync) {
        WorkerClusterStatus known = status;
        return new TenantView(
                record.namespace(),
                record.name(),
                known == null ? UNKNOWN : known,
                problems.all(),
                settings == null ? null : settings.effective(),
                sync);
    }
}
