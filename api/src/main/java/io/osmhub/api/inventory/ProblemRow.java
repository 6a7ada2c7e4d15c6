package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.FirstBrokenLink;
import io.osmhub.core.problem.ProblemMessage;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A problem in a list.
 *
 * @param subject the affected object
 * @param counts MachineDeployments that are not current because of it, in the order of {@link NewNodes}; each MachineDeployment is
 *     counted by one problem, its first broken link
 * @param resolvedAt null while open
 * @param cause identifies what is broken
 */
record ProblemRow(
        ProblemSubject subject,
        Reason reason,
        String message,
        Instant since,
        int[] counts,
        @Nullable Instant resolvedAt,
        String cause,
        String words)
        implements TableRow, FirstBrokenLink.Candidate {
    /** Kinds of objects with problems. */
    enum Kind {
        WORKER_CLUSTER("WorkerCluster"),
        MACHINE_DEPLOYMENT("MachineDeployment"),
        PROFILE("OperatingSystemProfile"),
        /** The hub itself, or a prerequisite in the management cluster. */
        HUB("Hub");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * The affected object.
     *
     * @param tenant namespace in the management cluster; empty for the hub as a whole
     * @param workerCluster empty if the problem belongs to no tenant
     * @param namespace of the object, in its own cluster
     */
    record ProblemSubject(String tenant, String workerCluster, Kind kind, String namespace, String name) {}

    /** @param endpoint of the tenant's API server; empty if unknown */
    static ProblemRow open(
            ProblemSubject about, Reason reason, String message, String endpoint, Instant since, int[] counts) {
        return new ProblemRow(
                about,
                reason,
                message,
                since,
                counts,
                null,
                ProblemCause.of(about, reason, message, endpoint),
                SearchTerms.of(
                        List.of(about.tenant(), about.workerCluster(), about.namespace(), about.name()),
                        List.of(reason.wireName())));
    }

    /** Problems in the status of a profile, by id. {@code counts}: MachineDeployments that it keeps from being current, by their effect on new nodes. */
    static Map<String, ProblemRow> ofProfile(StoredProfile profile, int[] counts) {
        OperatingSystemProfileStatus status = profile.status();
        Map<String, ProblemRow> problems = new HashMap<>();
        for (Condition condition :
                status == null || status.conditions() == null ? List.<Condition>of() : status.conditions()) {
            if (StatusParser.isProblem(condition)) {
                ProblemSubject about =
                        new ProblemSubject(profile.namespace(), "", Kind.PROFILE, profile.namespace(), profile.name());
                ProblemRow row = open(
                        about,
                        StatusParser.reason(condition.reason()),
                        condition.message(),
                        "",
                        Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                        counts);
                problems.put(row.id(), row);
            }
        }
        return problems;
    }

    ProblemRow resolved(Instant at) {
        return new ProblemRow(subject, reason, message, since, counts, at, cause, words);
    }

    /** The message in parts, with a complete fix. */
    ProblemMessage parts() {
        return ProblemMessage.parse(message).withCompleteFix(reason, subject.tenant(), subject.workerCluster());
    }

    /** The same problem with its MachineDeployments. */
    ProblemRow withCounts(int[] affected) {
        return new ProblemRow(subject, reason, message, since, affected, resolvedAt, cause, words);
    }

    /** Equal on every replica, and constant while the problem is open. */
    String id() {
        return idOf(subject, reason);
    }

    static String idOf(ProblemSubject about, Reason reason) {
        String key = String.join(
                "\n",
                about.tenant(),
                about.workerCluster(),
                about.kind().word(),
                about.namespace(),
                about.name(),
                reason.identity().wireName());
        return Sha256.hex(key, 8);
    }

    int affected() {
        return Arrays.stream(counts).sum() - counts[NewNodes.CURRENT.ordinal()];
    }

    @Override
    public String namespace() {
        return subject.tenant();
    }

    @Override
    public Map<String, String> labels() {
        return Map.of();
    }

    @Override
    public boolean matchesText(String text) {
        return words.contains(text);
    }

    boolean isVisibleTo(Visibility sight) {
        return switch (subject.kind()) {
            case WORKER_CLUSTER -> sight.workerClusters().includes(subject.tenant());
            case MACHINE_DEPLOYMENT -> sight.configurations().includes(subject.tenant());
            case PROFILE -> sight.profiles().includes(subject.tenant());
            case HUB -> sight.includesAll();
        };
    }
}
