package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.inventory.ProblemRow.Kind;
import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.Chain;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a report depends on: the state of a MachineDeployment, its objects, its tenant and its machines at one time.
 *
 * @param subject of the report
 * @param newNodes as of the last run, or as stored
 * @param chain conditions of the links
 * @param troubles open problems of the MachineDeployment and its tenant, unordered
 * @param machines null if not requested
 * @param unansweredBy name of the replica that serves the tenant, if this is stored state because it did not answer; otherwise null
 */
record DiagnosisSnapshot(
        DiagnosisSubject subject,
        NewNodes newNodes,
        Chain chain,
        List<DiagnosedProblem> troubles,
        Profile profile,
        Config config,
        Secret provisioning,
        Secret bootstrap,
        Token token,
        Connection connection,
        @Nullable ObservedMachines machines,
        Instant now,
        @Nullable String unansweredBy) {
    DiagnosisSnapshot {
        troubles = List.copyOf(troubles);
    }

    /** Whether live state is missing. */
    boolean isStored() {
        return unansweredBy != null;
    }

    /**
     * The subject.
     *
     * @param tenant namespace of the management cluster
     * @param workerCluster name of the WorkerCluster
     * @param machine empty for the MachineDeployment as a whole
     */
    record DiagnosisSubject(String tenant, String workerCluster, String namespace, String name, String machine) {
        /** {@code namespace/name} of the MachineDeployment. */
        String machineDeployment() {
            return namespace + "/" + name;
        }

        ProblemSubject toProblemSubject() {
            return new ProblemSubject(tenant, workerCluster, Kind.MACHINE_DEPLOYMENT, namespace, name);
        }
    }

    /**
     * An open problem.
     *
     * @param about the affected object
     */
    record DiagnosedProblem(ProblemSubject about, Problem problem, Instant since) {
        Reason reason() {
            return problem.reason();
        }

        ProblemEntry toEntry() {
            return ProblemEntries.of(about, problem, since);
        }
    }

    /**
     * The wanted profile.
     *
     * @param name as {@code namespace/name}, or as requested if it does not exist; empty if none is requested
     * @param version empty if unknown
     * @param operatingSystem of the MachineDeployment; empty if unknown
     * @param provider of the MachineDeployment; empty if unknown
     * @param extensions those that apply, as {@code namespace/name}
     */
    record Profile(String name, String version, String operatingSystem, String provider, List<String> extensions) {
        Profile {
            extensions = List.copyOf(extensions);
        }

        Profile(String name, String version, String operatingSystem, String provider) {
            this(name, version, operatingSystem, provider, List.of());
        }
    }

    /**
     * The configuration.
     *
     * @param name of the OperatingSystemConfig
     * @param wantedRevision set by machine-controller; empty before
     * @param publishedRevision that machines start from; may be empty
     * @param publishedVersion of the profile that machines start from; may be empty
     * @param settingsHash empty if nothing was rendered
     * @param contentHash empty if nothing was rendered
     */
    record Config(
            String name,
            String wantedRevision,
            String publishedRevision,
            String publishedVersion,
            String settingsHash,
            String contentHash) {}

    /**
     * A secret of the worker cluster.
     *
     * @param bytes size of its content; 0 if unknown
     * @param limitBytes null without a limit
     */
    record Secret(
            boolean present,
            String namespace,
            String name,
            long bytes,
            @Nullable Long limitBytes) {}

    /**
     * Tokens for joining and for fetching the configuration.
     *
     * @param end null without a bootstrap token
     * @param byServiceAccount whether a non-expiring ServiceAccount token is used instead
     * @param fetchEnd expiry of the scoped fetch token; null while the shared one is used, which does not expire
     * @param deleted name of the missing Secret whose token is in published secrets; empty if it exists
     */
    record Token(
            @Nullable Instant end,
            boolean byServiceAccount,
            @Nullable Instant fetchEnd,
            String deleted) {
        Token(@Nullable Instant end, boolean byServiceAccount) {
            this(end, byServiceAccount, null, "");
        }
    }

    /**
     * The connection to the worker cluster.
     *
     * @param host of its API server; empty if unknown
     * @param version of its API server; empty if unknown
     * @param lastEvent time of the last event; null if unknown
     * @param connected whether requests reach it now
     * @param credentialEnd expiry of the credential in use; null if it has none
     */
    record Connection(
            String host,
            String version,
            @Nullable Instant lastEvent,
            boolean connected,
            @Nullable Instant credentialEnd) {}

    /**
     * Machines read for this report.
     *
     * @param unread why they are unknown; empty if known
     * @param waiting names of those without user-data
     * @param overdue what should have happened a minute ago and has not; empty if nothing
     */
    record ObservedMachines(String unread, int total, List<String> waiting, String overdue) {
        ObservedMachines {
            waiting = List.copyOf(waiting);
        }
    }
}
