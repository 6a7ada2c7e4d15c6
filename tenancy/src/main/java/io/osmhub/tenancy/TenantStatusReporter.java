package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.status.TenantReport;
import io.osmhub.core.status.UnitFormatter;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.admission.TenantWebhook;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.ClusterClaims.ClusterIdentity;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /**
     * A tenant's state at one moment.
     *
     * @param connection null while there is no usable kubeconfig
     * @param kubeconfig why the Secret's content is not in use; null if it is
     * @param otherCluster reports a changed cluster identity; null if unchanged
     * @param problems of the tenant as a whole
     * @param sync null while none runs
     * @param lastWrite last change in the worker cluster; null if unknown
     * @param pause null if it is not paused
     */
    record TenantSnapshot(
            @Nullable ConnectionStatus connection,
            @Nullable Problem kubeconfig,
            @Nullable Problem otherCluster,
            List<Problem> problems,
            @Nullable ResolvedSettings settings,
            @Nullable SyncStatus sync,
            String handledRequest,
            @Nullable Instant lastWrite,
            TenantReport.@Nullable PauseCause pause) {}

    /**
     * Why the tenant is paused, if its Secret exists; null if it is not.
     *
     * @param cluster null outside of KKP
     */
    static TenantReport.@Nullable PauseCause pauseCause(WorkerClusterRecord record, @Nullable KkpTenant cluster) {
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.paused()) {
            return TenantReport.PauseCause.SPEC;
        }
        if (cluster != null && cluster.isPaused()) {
            return new TenantReport.PauseCause("spec.pause of " + cluster.describe(), "set it to false to resume");
        }
        return cluster != null && cluster.isBeingDeleted()
                ? new TenantReport.PauseCause(
                        "metadata.deletionTimestamp of " + cluster.describe(),
                        "its MachineDeployments are released, and the tenant ends with its namespace")
                : null;
    }

    TenantStatusReporter(WorkerClusterRecord record, HubContext hub, EventRecorder events) {
        this.hub = hub;
        this.eventRecorder = new TenantEventRecorder(events);
        this.problems = OpenProblems.of(record.status());
        this.status = record.status();
        Long described = status == null ? null : status.observedGeneration();
        this.warned = described != null && described == record.head().generation() ? null : Set.of();
    }

    /** Problems of a tenant as a whole. Those of its webhook are reported only once the rest works. */
    static List<Problem> problems(
            WorkerClusterRecord record,
            ClusterIdentity identity,
            @Nullable ResolvedSettings settings,
            @Nullable SyncStatus sync,
            TenantWebhook webhook,
            List<Problem> unreadable) {
        List<Problem> problems = new ArrayList<>();
        if (identity.obstacle() != null) {
            problems.add(identity.obstacle());
        }
        UnreadableObjects.problem(record.namespace(), record.name(), unreadable).ifPresent(problems::add);
        if (settings != null) {
            settings.mistakes().forEach(finding -> problems.add(finding.inTenant(record.namespace(), record.name())));
        }
        if (sync != null && sync.phase() == SyncStatus.Phase.WORKING) {
            webhook.problem().ifPresent(problems::add);
            long kept = sync.machineDeployments().stream()
                    .filter(state ->
                            state.problems().stream().anyMatch(problem -> problem.reason() == Reason.OSMContentKept))
                    .count();
            if (kept > 0) {
                int all = sync.machineDeployments().size();
                Map<String, String> values = new HashMap<>(record.variables());
                values.put("kind", "WorkerCluster");
                values.put("name", record.name());
                values.put("what", kept + " of " + all + (all == 1 ? " MachineDeployment" : " MachineDeployments"));
                problems.add(Reason.OSMContentKept.with(values));
            }
        }
        return problems;
    }

    void recordEvent(WorkerClusterRecord record, Problem diagnosis) {
        eventRecorder.recordEvents(record, diagnosis);
    }

    /** Queues the status and records Events for changes. */
    void publishStatus(WorkerClusterRecord record, TenantSnapshot snapshot) {
        Instant now = hub.runtimeContext().scheduler().now();
        TenantReport report = TenantReport.of(input(record, snapshot, now), record.status(), problems);
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

    private static Problem.Scope scope(WorkerClusterRecord record) {
        return new Problem.Scope(record.namespace(), record.name());
    }

    private void reportPause(WorkerClusterRecord record, WorkerClusterStatus paused) {
        NullableCollections.stream(paused.conditions())
                .filter(condition -> condition.reason().equals(Reason.Paused.wireName()))
                .findFirst()
                .ifPresent(condition -> eventRecorder.recordEvents(
                        record,
                        StoredProblem.find(paused.pauses(), Reason.Paused, condition.message(), scope(record))));
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

    private TenantReport.Input input(WorkerClusterRecord record, TenantSnapshot snapshot, Instant now) {
        ConnectionStatus connection = snapshot.connection();
        SyncStatus sync = snapshot.sync();
        List<Problem> all = new ArrayList<>(snapshot.problems());
        if (connection != null) {
            all.addAll(connection.warnings());
        }
        List<MachineDeploymentReport> machineDeployments = new ArrayList<>();
        if (sync != null) {
            all.addAll(sync.problems());
            sync.machineDeployments().forEach(state -> machineDeployments.add(state.report()));
        }
        return new TenantReport.Input(
                record.namespace(),
                record.name(),
                record.head().generation(),
                record.head().isBeingDeleted(),
                snapshot.pause(),
                credentials(record, snapshot),
                connection(record, snapshot),
                // Reports what prevents serving at once, before everything is read.
                sync != null && sync.phase() == SyncStatus.Phase.WORKING
                        || !snapshot.problems().isEmpty(),
                all,
                machineDeployments,
                details(record, snapshot),
                sync == null ? null : sync.firstTokenEnd(),
                now);
    }

    private static Problem credentials(WorkerClusterRecord record, TenantSnapshot snapshot) {
        if (snapshot.kubeconfig() != null) {
            return snapshot.kubeconfig();
        }
        if (snapshot.connection() != null) {
            return snapshot.connection().credentials();
        }
        return Reason.CredentialsNotChecked.with(
                record.variables(), "secret", record.namespace() + "/" + record.secretName());
    }

    private static Problem connection(WorkerClusterRecord record, TenantSnapshot snapshot) {
        if (snapshot.otherCluster() != null) {
            return snapshot.otherCluster();
        }
        return snapshot.connection() != null
                ? snapshot.connection().connection()
                : Reason.Connecting.with(record.variables(), "endpoint", "the worker cluster");
    }

    private TenantReport.Details details(WorkerClusterRecord record, TenantSnapshot snapshot) {
        ConnectionStatus connection = snapshot.connection();
        String request = snapshot.handledRequest();
        if (connection == null) {
            return new TenantReport.Details(
                    null,
                    nullIfEmpty(record.clusterId()),
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    null,
                    lastSync(record, snapshot),
                    nullIfEmpty(request));
        }
        return new TenantReport.Details(
                connection.facts().endpoint(),
                nullIfEmpty(clusterId(record, snapshot, connection)),
                nullIfEmpty(connection.facts().version()),
                connection.credential().kind(),
                connection.credential().expiresAt(),
                connection.facts().missing().stream().map(Permission::toString).toList(),
                connection.connectedSince(),
                connection.noAnswerSince(),
                lastSync(record, snapshot),
                nullIfEmpty(request));
    }

    private static String clusterId(WorkerClusterRecord record, TenantSnapshot snapshot, ConnectionStatus connection) {
        boolean anothers =
                snapshot.problems().stream().anyMatch(problem -> problem.reason() == Reason.WorkerClusterDuplicate);
        if (anothers && record.clusterId().equals(connection.facts().clusterId())) {
            return "";
        }
        // The known cluster id remains until an operator accepts another. One that belongs to another registration is
        // not stored,
        // because the holder in a status is served first after a restart.
        return anothers
                        || snapshot.otherCluster() != null
                        || connection.facts().clusterId().isEmpty()
                ? record.clusterId()
                : connection.facts().clusterId();
    }

    /** Keeps the stored time: a starting hub has not changed anything yet. */
    private static @Nullable Instant lastSync(WorkerClusterRecord record, TenantSnapshot snapshot) {
        WorkerClusterStatus before = record.status();
        Instant now = snapshot.lastWrite();
        try {
            return now != null || before == null || before.lastSyncTime() == null
                    ? now
                    : Instant.parse(before.lastSyncTime());
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Records Events on a WorkerCluster for new and resolved problems. */
    static final class TenantEventRecorder {
        private static final String KIND = "WorkerCluster";

        private static final Logger LOG = LoggerFactory.getLogger(TenantEventRecorder.class);

        private final EventRecorder events;

        TenantEventRecorder(EventRecorder events) {
            this.events = events;
        }

        static Regarding regarding(WorkerClusterRecord record) {
            return new Regarding(
                    Resource.WORKER_CLUSTERS.apiVersion(), KIND, record.namespace(), record.name(), record.uid());
        }

        /** Records a single Event. */
        void recordEvents(WorkerClusterRecord record, Problem diagnosis) {
            events.recordEvent(regarding(record), null, diagnosis);
        }

        /** Records Events for new and resolved problems. */
        void recordEvents(WorkerClusterRecord record, List<OpenProblem> before, List<OpenProblem> after, Instant now) {
            Map<OpenProblems.Key, OpenProblem> old = own(before);
            Map<OpenProblems.Key, OpenProblem> open = own(after);
            open.forEach((key, problem) -> {
                if (!old.containsKey(key)) {
                    Problem opened = problem.toProblem(scope(record));
                    recordEvents(record, opened);
                    log(record, opened, opened.message());
                }
            });
            old.forEach((key, problem) -> {
                if (!open.containsKey(key)) {
                    recordEvents(record, resolved(record, problem, now));
                    log(record, problem.toProblem(scope(record)), "Problem resolved");
                }
            });
        }

        /** The connection logs its own problems. */
        private static void log(WorkerClusterRecord record, Problem problem, String message) {
            Reason reason = problem.reason();
            if (reason.category() == Category.CREDENTIALS || reason.category() == Category.CONNECTION) {
                return;
            }
            LOG.atInfo()
                    .addKeyValue("tenant", record.namespace())
                    .addKeyValue("workerCluster", record.name())
                    .addKeyValue("reason", reason.wireName())
                    .addKeyValue("actor", problem.actor().wireName())
                    .log("{}", message);
        }

        private static Map<OpenProblems.Key, OpenProblem> own(List<OpenProblem> problems) {
            Map<OpenProblems.Key, OpenProblem> own = new HashMap<>();
            for (OpenProblem problem : problems) {
                boolean hasEvent = Reason.of(problem.reason())
                        .filter(reason -> reason.description().eventSubjects().contains(SubjectKind.WORKER_CLUSTER))
                        .isPresent();
                if (hasEvent && KIND.equals(problem.kind())) {
                    own.put(OpenProblems.Key.of(problem), problem);
                }
            }
            return own;
        }

        private static Problem resolved(WorkerClusterRecord record, OpenProblem problem, Instant now) {
            return Reason.ProblemResolved.with(
                    "tenant", record.namespace(),
                    "kind", KIND,
                    "name", record.name(),
                    "reason", problem.reason(),
                    "duration", duration(problem.since(), now));
        }

        private static String duration(String since, Instant now) {
            try {
                return UnitFormatter.formatDuration(Duration.between(Instant.parse(since), now));
            } catch (DateTimeParseException e) {
                return "an unknown time";
            }
        }
    }
}
