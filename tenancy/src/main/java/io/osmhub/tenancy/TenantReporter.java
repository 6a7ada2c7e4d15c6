package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.status.Report;
import io.osmhub.core.status.TenantReport;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.ResolvedSettings;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.port.EventSink;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says how one tenant stands: as the status of its WorkerCluster, as Events, and to whoever asks. */
final class TenantReporter {
    private final Services services;
    private final TenantTeller teller;
    private volatile OpenProblems problems;
    private volatile @Nullable WorkerClusterStatus status;
    /** Messages that have their Event; null while those of before a restart are not known. */
    private volatile @Nullable Set<String> warned;

    /**
     * What is known of a tenant at one moment.
     *
     * @param link null while there is no kubeconfig that may be used
     * @param kubeconfig why the Secret's content is not in use; null when it is
     * @param otherCluster that another cluster answers than before; null when it is the same
     * @param problems of the tenant as a whole
     * @param sync null while none runs
     * @param lastWrite when something was last changed in the worker cluster; null when that is not known
     */
    record Situation(
            @Nullable LinkState link,
            @Nullable Diagnosis kubeconfig,
            @Nullable Diagnosis otherCluster,
            List<Diagnosis> problems,
            @Nullable ResolvedSettings settings,
            @Nullable SyncStatus sync,
            String handledRequest,
            @Nullable Instant lastWrite) {}

    TenantReporter(WorkerClusterRecord record, Services services, EventSink events) {
        this.services = services;
        this.teller = new TenantTeller(events);
        this.problems = OpenProblems.of(record.status());
        this.status = record.status();
        Long described = status == null ? null : status.observedGeneration();
        this.warned = described != null && described == record.head().generation() ? null : Set.of();
    }

    /** Those of a tenant as a whole. What is wrong with its webhook shows once the rest works. */
    static List<Diagnosis> problems(
            WorkerClusterRecord record,
            ClusterIdentity identity,
            @Nullable ResolvedSettings settings,
            @Nullable SyncStatus sync,
            TenantWebhook webhook) {
        List<Diagnosis> problems = new ArrayList<>();
        if (identity.obstacle() != null) {
            problems.add(identity.obstacle());
        }
        if (settings != null) {
            settings.mistakes().forEach(finding -> problems.add(Diagnosis.of(record.namespace(), finding)));
        }
        if (sync != null && sync.phase() == SyncStatus.Phase.WORKING) {
            webhook.problem().ifPresent(problems::add);
        }
        return problems;
    }

    void tell(WorkerClusterRecord record, Diagnosis diagnosis) {
        teller.tell(record, diagnosis);
    }

    /** Offers the status to the lane, and tells what is new. */
    void report(WorkerClusterRecord record, Situation situation) {
        Instant now = services.around().timers().now();
        TenantReport report = TenantReport.of(input(record, situation, now), record.status(), problems);
        teller.tell(record, problems.all(), report.problems().all(), now);
        if (situation.settings() != null && situation.settings().complete()) {
            warn(record, situation.settings().warnings());
        }
        WorkerClusterStatus before = status;
        problems = report.problems();
        status = report.status();
        boolean wasPaused = before != null && before.state() == WorkerClusterStatus.State.PAUSED;
        if (!wasPaused && report.status().state() == WorkerClusterStatus.State.PAUSED) {
            tellOfPause(record, report.status());
        }
        services.statuses()
                .offer(services.clusters(), record.namespace(), record.name(), WireJson.tree(report.status()));
    }

    /** What in the settings has no effect, or works now and may not later, is told by an Event, once. Nothing stops for it. */
    private void warn(WorkerClusterRecord record, List<Finding> warnings) {
        Set<String> before = warned;
        Set<String> messages = new HashSet<>();
        for (Finding warning : warnings) {
            Diagnosis diagnosis = Diagnosis.of(record.namespace(), warning);
            messages.add(diagnosis.message());
            if (before != null && !before.contains(diagnosis.message())) {
                teller.tell(record, diagnosis);
            }
        }
        warned = Set.copyOf(messages);
    }

    /** A new kubeconfig is in use. */
    void rotated(WorkerClusterRecord record, LinkState state) {
        teller.tell(
                record,
                diagnosis(
                        record, Reason.KubeconfigRotated, Map.of("endpoint", state.endpoint(), "user", state.user())));
    }

    private void tellOfPause(WorkerClusterRecord record, WorkerClusterStatus paused) {
        Copies.stream(paused.conditions())
                .filter(condition -> condition.reason().equals(Reason.Paused.word()))
                .findFirst()
                .ifPresent(condition -> teller.tell(record, new Diagnosis(Reason.Paused, condition.message())));
    }

    TenantView view(WorkerClusterRecord record, @Nullable ResolvedSettings settings, @Nullable SyncStatus sync) {
        WorkerClusterStatus known = status;
        return new TenantView(
                record.namespace(),
                record.name(),
                known == null ? nothingKnown() : known,
                problems.all(),
                settings == null ? null : settings.effective(),
                sync);
    }

    private static WorkerClusterStatus nothingKnown() {
        return new WorkerClusterStatus(
                null,
                null,
                WorkerClusterStatus.State.CONNECTING,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private TenantReport.Input input(WorkerClusterRecord record, Situation situation, Instant now) {
        LinkState link = situation.link();
        SyncStatus sync = situation.sync();
        WorkerClusterSpec spec = record.spec();
        List<Diagnosis> all = new ArrayList<>(situation.problems());
        if (link != null) {
            all.addAll(link.problems());
        }
        List<Report> machineDeployments = new ArrayList<>();
        if (sync != null) {
            all.addAll(sync.problems());
            sync.machineDeployments()
                    .forEach(state -> machineDeployments.add(new Report(
                            state.key().namespace(), state.key().name(), state.newNodes(), state.problems(), null)));
        }
        return new TenantReport.Input(
                record.namespace(),
                record.name(),
                record.head().generation(),
                record.head().beingDeleted(),
                spec != null && spec.paused() || TenantReport.isWithoutSecret(credentials(record, situation)),
                credentials(record, situation),
                connection(record, situation),
                // What keeps a tenant from being served is told at once, not only after everything was read.
                sync != null && sync.phase() == SyncStatus.Phase.WORKING
                        || !situation.problems().isEmpty(),
                all,
                machineDeployments,
                details(record, situation),
                sync == null ? null : sync.firstTokenEnd(),
                now);
    }

    private static Diagnosis credentials(WorkerClusterRecord record, Situation situation) {
        if (situation.kubeconfig() != null) {
            return situation.kubeconfig();
        }
        if (situation.link() != null) {
            return situation.link().credentials();
        }
        return diagnosis(
                record, Reason.CredentialsNotChecked, Map.of("secret", record.namespace() + "/" + record.secretName()));
    }

    private static Diagnosis connection(WorkerClusterRecord record, Situation situation) {
        if (situation.otherCluster() != null) {
            return situation.otherCluster();
        }
        return situation.link() != null
                ? situation.link().connection()
                : diagnosis(record, Reason.Connecting, Map.of("endpoint", "the worker cluster"));
    }

    private static Diagnosis diagnosis(WorkerClusterRecord record, Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", record.namespace());
        all.put("wc", record.name());
        return new Diagnosis(reason, Message.of(reason, all));
    }

    private TenantReport.Details details(WorkerClusterRecord record, Situation situation) {
        LinkState link = situation.link();
        String request = situation.handledRequest();
        if (link == null) {
            return new TenantReport.Details(
                    null,
                    nullIfEmpty(record.clusterId()),
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    lastSync(record, situation),
                    nullIfEmpty(request));
        }
        return new TenantReport.Details(
                link.endpoint(),
                nullIfEmpty(clusterId(record, situation, link)),
                link.kubernetesVersion(),
                link.credentialsKind(),
                link.credentialsExpireAt(),
                link.missingPermissions(),
                link.connectedSince(),
                lastSync(record, situation),
                nullIfEmpty(request));
    }

    private static String clusterId(WorkerClusterRecord record, Situation situation, LinkState link) {
        boolean anothers =
                situation.problems().stream().anyMatch(problem -> problem.reason() == Reason.WorkerClusterDuplicate);
        if (anothers && record.clusterId().equals(link.clusterId())) {
            return "";
        }
        // The cluster that was known stays the known one until somebody accepts the other. One that belongs to another
        // registration is not noted: who stands in a status as its holder is served first after a restart.
        return anothers || situation.otherCluster() != null || link.clusterId().isEmpty()
                ? record.clusterId()
                : link.clusterId();
    }

    /** What was told before lasts: a hub that starts has changed nothing yet. */
    private static @Nullable Instant lastSync(WorkerClusterRecord record, Situation situation) {
        WorkerClusterStatus before = record.status();
        Instant now = situation.lastWrite();
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
}
