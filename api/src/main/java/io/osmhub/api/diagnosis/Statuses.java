package io.osmhub.api.diagnosis;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
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

/** Reads from statuses what situations are made of. */
final class Statuses {
    private static final String WORKER_CLUSTER = "WorkerCluster";
    private static final String MACHINE_DEPLOYMENT = "MachineDeployment";

    private Statuses() {}

    /** Null when the text is absent or no time: a status may have been written by another version. */
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

    /** Problems of the tenant as a whole, with a pause, which is none but keeps the hub from writing. */
    static List<Situation.Trouble> ofTenant(
            WorkerClusterStatus status, List<OpenProblem> problems, Situation.Subject subject, Instant now) {
        List<Situation.Trouble> troubles = new ArrayList<>();
        for (OpenProblem problem : problems) {
            if (WORKER_CLUSTER.equals(problem.kind())) {
                troubles.add(trouble(problem, subject, now));
            }
        }
        Copies.stream(status.conditions())
                .filter(condition -> condition.reason().equals(Reason.Paused.word()))
                .findFirst()
                .ifPresent(condition -> troubles.add(new Situation.Trouble(
                        Reason.Paused,
                        WORKER_CLUSTER,
                        subject.tenant(),
                        subject.workerCluster(),
                        condition.message(),
                        timeOr(condition.lastTransitionTime(), now))));
        return troubles;
    }

    private static Situation.Trouble trouble(OpenProblem problem, Situation.Subject subject, Instant now) {
        return new Situation.Trouble(
                Reason.of(problem.reason()).orElse(Reason.InternalError),
                problem.kind() == null ? WORKER_CLUSTER : problem.kind(),
                problem.namespace() == null ? subject.tenant() : problem.namespace(),
                problem.name() == null ? subject.workerCluster() : problem.name(),
                problem.message(),
                timeOr(problem.since(), now));
    }

    /** Those of a list that are about the MachineDeployment. */
    static List<Situation.Trouble> ofMachineDeployment(
            List<OpenProblem> problems, Situation.Subject subject, Instant now) {
        return problems.stream()
                .filter(problem -> MACHINE_DEPLOYMENT.equals(problem.kind())
                        && subject.namespace().equals(problem.namespace())
                        && subject.name().equals(problem.name()))
                .map(problem -> trouble(problem, subject, now))
                .toList();
    }

    /**
     * What its last run said, each as old as the tenant's list says; what that list has as the tenant's is left out.
     *
     * @param since for what is in no list yet
     */
    static List<Situation.Trouble> ofRun(
            List<Diagnosis> diagnoses,
            List<Situation.Trouble> known,
            List<Situation.Trouble> ofTenant,
            Situation.Subject subject,
            Instant since) {
        List<Situation.Trouble> troubles = new ArrayList<>();
        for (Diagnosis diagnosis : diagnoses) {
            boolean told = ofTenant.stream().anyMatch(trouble -> trouble.reason() == diagnosis.reason());
            if (!told) {
                Instant first = known.stream()
                        .filter(trouble -> trouble.reason() == diagnosis.reason())
                        .map(Situation.Trouble::since)
                        .findFirst()
                        .orElse(since);
                troubles.add(new Situation.Trouble(
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

    /** Conditions of its configuration that do not hold; what is in a list of problems already is left out. */
    static List<Situation.Trouble> ofConfig(
            @Nullable OperatingSystemConfigStatus status,
            List<Situation.Trouble> known,
            Situation.Subject subject,
            Instant now) {
        List<Situation.Trouble> troubles = new ArrayList<>();
        Copies.stream(status == null ? null : status.conditions())
                .filter(condition -> !condition.type().equals("Ready"))
                .filter(condition -> condition.status() != Condition.Status.TRUE)
                .forEach(condition -> {
                    Reason reason = Reason.of(condition.reason()).orElse(Reason.InternalError);
                    if (known.stream().noneMatch(trouble -> trouble.reason() == reason)) {
                        troubles.add(new Situation.Trouble(
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
        return Copies.stream(status == null ? null : status.secrets())
                .filter(secret -> secret.role() == role)
                .findFirst();
    }

    /** What is wanted: where it differs from what is published, the status says so. */
    static OperatingSystemConfigStatus.@Nullable Source wanted(@Nullable OperatingSystemConfigStatus status) {
        if (status == null) {
            return null;
        }
        return status.wanted() == null ? status.source() : status.wanted();
    }

    /** Host of an address, as people know it; empty when it has none. */
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

    static Situation.Secret secret(
            ObjectNames names, boolean bootstrap, boolean present, long bytes, @Nullable Long limit) {
        return new Situation.Secret(
                present,
                ObjectNames.SETTINGS_NAMESPACE,
                bootstrap ? names.bootstrapSecret() : names.provisioningSecret(),
                bytes,
                limit);
    }
}
