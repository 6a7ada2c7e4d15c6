package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads snapshots from statuses. */
final class StatusReader {
    private static final String WORKER_CLUSTER = "WorkerCluster";
    private static final String MACHINE_DEPLOYMENT = "MachineDeployment";

    private StatusReader() {}

    /** Null if the text is absent or not a time: another version may have written the status. */
    static @Nullable Instant time(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    static Instant timeOr(@Nullable String text, Instant otherwise) {
        return Objects.requireNonNullElse(time(text), otherwise);
    }

    static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** Problems of the tenant, plus its pause, which is not a problem but suspends writes. */
    static List<DiagnosedProblem> ofTenant(
            WorkerClusterStatus status, List<OpenProblem> problems, DiagnosisSubject subject, Instant now) {
        List<DiagnosedProblem> troubles = new ArrayList<>();
        for (OpenProblem problem : problems) {
            if (WORKER_CLUSTER.equals(problem.kind())) {
                troubles.add(trouble(problem, subject, now));
            }
        }
        NullableCollections.stream(status.conditions())
                .filter(condition -> condition.reason().equals(Reason.Paused.wireName()))
                .findFirst()
                .ifPresent(condition -> troubles.add(new DiagnosedProblem(
                        Reason.Paused,
                        WORKER_CLUSTER,
                        subject.tenant(),
                        subject.workerCluster(),
                        condition.message(),
                        timeOr(condition.lastTransitionTime(), now))));
        return troubles;
    }

    private static DiagnosedProblem trouble(OpenProblem problem, DiagnosisSubject subject, Instant now) {
        return new DiagnosedProblem(
                Reason.of(problem.reason()).orElse(Reason.InternalError),
                problem.kind() == null ? WORKER_CLUSTER : problem.kind(),
                problem.namespace() == null ? subject.tenant() : problem.namespace(),
                problem.name() == null ? subject.workerCluster() : problem.name(),
                problem.message(),
                timeOr(problem.since(), now));
    }

    /** The entries about the MachineDeployment. */
    static List<DiagnosedProblem> ofMachineDeployment(
            List<OpenProblem> problems, DiagnosisSubject subject, Instant now) {
        return problems.stream()
                .filter(problem -> MACHINE_DEPLOYMENT.equals(problem.kind())
                        && subject.namespace().equals(problem.namespace())
                        && subject.name().equals(problem.name()))
                .map(problem -> trouble(problem, subject, now))
                .toList();
    }

    /**
     * Problems of its last run, each with the age from the tenant's list; without the tenant's own.
     *
     * @param since for problems that are not in a list yet
     */
    static List<DiagnosedProblem> ofRun(
            List<ReasonMessage> diagnoses,
            List<DiagnosedProblem> known,
            List<DiagnosedProblem> ofTenant,
            DiagnosisSubject subject,
            Instant since) {
        List<DiagnosedProblem> troubles = new ArrayList<>();
        for (ReasonMessage diagnosis : diagnoses) {
            boolean told = ofTenant.stream().anyMatch(trouble -> trouble.reason() == diagnosis.reason());
            if (!told) {
                Instant first = known.stream()
                        .filter(trouble -> trouble.reason() == diagnosis.reason())
                        .map(DiagnosedProblem::since)
                        .findFirst()
                        .orElse(since);
                troubles.add(new DiagnosedProblem(
                        diagnosis.reason(),
                        MACHINE_DEPLOYMENT,
                        subject.namespace(),
                        subject.name(),
                        diagnosis.message(),
                        first));
            }
        }
        return troubles;
    }

    /** False conditions of its configuration that are not in a list of problems. */
    static List<DiagnosedProblem> ofConfig(
            @Nullable OperatingSystemConfigStatus status,
            List<DiagnosedProblem> known,
            DiagnosisSubject subject,
            Instant now) {
        List<DiagnosedProblem> troubles = new ArrayList<>();
        NullableCollections.stream(status == null ? null : status.conditions())
                .filter(condition -> !condition.type().equals("Ready"))
                .filter(condition -> condition.status() != Condition.Status.TRUE)
                .forEach(condition -> {
                    Reason reason = Reason.of(condition.reason()).orElse(Reason.InternalError);
                    if (known.stream().noneMatch(trouble -> trouble.reason() == reason)) {
                        troubles.add(new DiagnosedProblem(
                                reason,
                                MACHINE_DEPLOYMENT,
                                subject.namespace(),
                                subject.name(),
                                condition.message(),
                                timeOr(condition.lastTransitionTime(), now)));
                    }
                });
        return troubles;
    }

    static Optional<OperatingSystemConfigStatus.PublishedSecret> secret(
            @Nullable OperatingSystemConfigStatus status, Role role) {
        return NullableCollections.stream(status == null ? null : status.secrets())
                .filter(secret -> secret.role() == role)
                .findFirst();
    }

    /** The wanted source, which the status contains if it differs from the published one. */
    static OperatingSystemConfigStatus.@Nullable RenderSource wanted(@Nullable OperatingSystemConfigStatus status) {
        if (status == null) {
            return null;
        }
        return status.wanted() == null ? status.source() : status.wanted();
    }

    /** Host of an address; empty if it has none. */
    static String host(@Nullable String endpoint) {
        if (endpoint == null) {
            return "";
        }
        int scheme = endpoint.indexOf("://");
        String rest = scheme < 0 ? endpoint : endpoint.substring(scheme + 3);
        int end = 0;
        boolean literal = rest.startsWith("[");
        while (end < rest.length() && (literal ? rest.charAt(end) != ']' : ":/".indexOf(rest.charAt(end)) < 0)) {
            end++;
        }
        return literal ? rest.substring(1, end) : rest.substring(0, end);
    }

    static DiagnosisSnapshot.Secret secret(
            ObjectNames names, boolean bootstrap, boolean present, long bytes, @Nullable Long limit) {
        return new DiagnosisSnapshot.Secret(
                present,
                ObjectNames.SETTINGS_NAMESPACE,
                bootstrap ? names.bootstrapSecret() : names.provisioningSecret(),
                bytes,
                limit);
    }
}
