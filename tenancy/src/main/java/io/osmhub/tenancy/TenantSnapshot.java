package io.osmhub.tenancy;

import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.status.TenantReport;
import io.osmhub.core.status.TenantReport.PauseCause;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's state at one moment.
 *
 * @param problems of the tenant as a whole
 * @param settings null while unknown
 * @param sync null while none runs
 * @param lastWrite last change in the worker cluster; null if unknown
 * @param pause null if it is not paused
 */
record TenantSnapshot(
        WorkerClusterRecord record,
        ConnectionState connection,
        List<Problem> problems,
        @Nullable ResolvedSettings settings,
        @Nullable SyncStatus sync,
        @Nullable Instant lastWrite,
        @Nullable PauseCause pause) {
    /**
     * State of a tenant's connection.
     *
     * @param status null while there is no usable kubeconfig
     * @param kubeconfig why the Secret's content is not in use; null if it is
     * @param otherCluster reports a changed cluster identity; null if unchanged
     * @param handledRequest the last request to reconnect that was applied; empty if there was none
     */
    record ConnectionState(
            @Nullable ConnectionStatus status,
            @Nullable Problem kubeconfig,
            @Nullable Problem otherCluster,
            String handledRequest) {}

    /** Of a WorkerCluster that is not served. */
    static TenantSnapshot ofRefused(WorkerClusterRecord record, Problem why) {
        boolean ofCredentials = why.reason().category() == Category.CREDENTIALS;
        return new TenantSnapshot(
                record,
                new ConnectionState(null, ofCredentials ? why : null, null, ""),
                ofCredentials ? List.of() : List.of(why),
                null,
                null,
                null,
                pauseCause(record, null));
    }

    /**
     * Why the tenant is paused, if its Secret exists; null if it is not.
     *
     * @param cluster null outside of KKP
     */
    static @Nullable PauseCause pauseCause(WorkerClusterRecord record, @Nullable KkpTenant cluster) {
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.paused()) {
            return PauseCause.SPEC;
        }
        if (cluster != null && cluster.isPaused()) {
            return new PauseCause("spec.pause of " + cluster.describe(), "set it to false to resume");
        }
        return cluster != null && cluster.isBeingDeleted()
                ? new PauseCause(
                        "metadata.deletionTimestamp of " + cluster.describe(),
                        "its MachineDeployments are released, and the tenant ends with its namespace")
                : null;
    }

    TenantReport.Input toReportInput(Instant now) {
        List<Problem> all = new ArrayList<>(problems);
        if (connection.status() != null) {
            all.addAll(connection.status().warnings());
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
                pause,
                credentialsProblem(),
                connectionProblem(),
                // Reports what prevents serving at once, before everything is read.
                sync != null && sync.phase() == SyncStatus.Phase.WORKING || !problems.isEmpty(),
                all,
                machineDeployments,
                details(),
                sync == null ? null : sync.firstTokenEnd(),
                now);
    }

    private Problem credentialsProblem() {
        if (connection.kubeconfig() != null) {
            return connection.kubeconfig();
        }
        if (connection.status() != null) {
            return connection.status().credentials();
        }
        return Reason.CredentialsNotChecked.with(
                record.variables(), "secret", record.namespace() + "/" + record.secretName());
    }

    private Problem connectionProblem() {
        if (connection.otherCluster() != null) {
            return connection.otherCluster();
        }
        return connection.status() != null
                ? connection.status().connection()
                : Reason.Connecting.with(record.variables(), "endpoint", "the worker cluster");
    }

    private TenantReport.Details details() {
        ConnectionStatus status = connection.status();
        String request = nullIfEmpty(connection.handledRequest());
        if (status == null) {
            return new TenantReport.Details(
                    null,
                    nullIfEmpty(record.clusterId()),
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    null,
                    lastSync(),
                    request);
        }
        return new TenantReport.Details(
                status.facts().endpoint(),
                nullIfEmpty(clusterId(status.facts().clusterId())),
                nullIfEmpty(status.facts().version()),
                status.credential().kind(),
                status.credential().expiresAt(),
                status.facts().missing().stream().map(Permission::toString).toList(),
                status.connectedSince(),
                status.noAnswerSince(),
                lastSync(),
                request);
    }

    /** The cluster id to store. */
    private String clusterId(String reached) {
        boolean isDuplicate = problems.stream().anyMatch(problem -> problem.reason() == Reason.WorkerClusterDuplicate);
        if (isDuplicate && record.clusterId().equals(reached)) {
            return "";
        }
        // The known cluster id remains until an operator accepts another. One that belongs to another registration is
        // not stored, because the holder in a status is served first after a restart.
        return isDuplicate || connection.otherCluster() != null || reached.isEmpty() ? record.clusterId() : reached;
    }

    /** Keeps the stored time: a starting hub has not changed anything yet. */
    private @Nullable Instant lastSync() {
        WorkerClusterStatus before = record.status();
        try {
            return lastWrite != null || before == null || before.lastSyncTime() == null
                    ? lastWrite
                    : Instant.parse(before.lastSyncTime());
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
