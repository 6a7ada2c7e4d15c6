package io.osmhub.api.diagnosis;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a report follows from, as one value: what is known of a MachineDeployment, its objects, its tenant and its machines at one
 * moment.
 *
 * @param subject of the report
 * @param newNodes as of the last run, or as stored
 * @param since when {@code newNodes} came to be so; null when it is not known
 * @param troubles open problems of the MachineDeployment and its tenant, in any order
 * @param machines null when nobody asked for them
 * @param stale whether this is what was stored, because the tenant is served elsewhere
 */
record Situation(
        Subject subject,
        NewNodes newNodes,
        @Nullable Instant since,
        List<Trouble> troubles,
        Profile profile,
        Config config,
        Secret provisioning,
        Secret bootstrap,
        Token token,
        Connection connection,
        @Nullable MachinesSeen machines,
        Instant now,
        boolean stale) {
    Situation {
        troubles = List.copyOf(troubles);
    }

    /**
     * Whom it is about.
     *
     * @param tenant namespace of the management cluster
     * @param workerCluster name of the WorkerCluster
     * @param machine empty for the MachineDeployment as a whole
     */
    record Subject(String tenant, String workerCluster, String namespace, String name, String machine) {
        /** {@code namespace/name} of the MachineDeployment. */
        String machineDeployment() {
            return namespace + "/" + name;
        }
    }

    /**
     * An open problem.
     *
     * @param kind of the object that it is told of
     * @param namespace of that object; empty without
     * @param message as conditions carry it
     */
    record Trouble(Reason reason, String kind, String namespace, String name, String message, Instant since) {}

    /**
     * The profile that is wanted.
     *
     * @param name as {@code namespace/name}, or as asked for when there is none; empty when none is named
     * @param version empty when it is not known
     * @param operatingSystem of the MachineDeployment; empty when it is not known
     * @param provider of the MachineDeployment; empty when it is not known
     */
    record Profile(String name, String version, String operatingSystem, String provider) {}

    /**
     * The configuration.
     *
     * @param name of the OperatingSystemConfig
     * @param wantedRevision that machine-controller has set; empty before
     * @param publishedRevision that machines start from; empty without
     * @param publishedVersion of the profile that machines start from; empty without
     * @param settingsHash empty when nothing was rendered
     * @param contentHash empty when nothing was rendered
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
     * @param bytes of what it holds; 0 when it is not known
     * @param limitBytes null without a limit
     */
    record Secret(
            boolean present,
            String namespace,
            String name,
            long bytes,
            @Nullable Long limitBytes) {}

    /**
     * With what nodes join, and with what they fetch what makes them nodes.
     *
     * @param end null without a bootstrap token
     * @param byServiceAccount whether a service account's token, which does not end, stands in its place
     * @param fetchEnd end of the token of their own that they fetch with; null while that is the shared one, which does not end
     * @param deleted name of the Secret with the token that published secrets hold, when it is missing; empty when it is not
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
     * The way to the worker cluster.
     *
     * @param host of its API server; empty when it is not known
     * @param version of its API server; empty when it is not known
     * @param lastEvent when anything was heard of it last; null when it is not known
     * @param connected whether requests reach it now
     */
    record Connection(String host, String version, @Nullable Instant lastEvent, boolean connected) {}

    /**
     * Machines, as read for this answer.
     *
     * @param unread why they are not known; empty when they are
     * @param waiting names of those without their user-data
     */
    record MachinesSeen(String unread, int total, List<String> waiting) {
        MachinesSeen {
            waiting = List.copyOf(waiting);
        }
    }
}
