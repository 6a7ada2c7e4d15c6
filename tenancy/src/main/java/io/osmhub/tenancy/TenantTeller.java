package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.EventSink.Action;
import io.osmhub.workersync.port.EventSink.Regarding;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by Events on a WorkerCluster what has begun or ended since the last time. */
final class TenantTeller {
    private static final String KIND = "WorkerCluster";

    private static final Logger LOG = LoggerFactory.getLogger(TenantTeller.class);

    private final EventSink events;

    TenantTeller(EventSink events) {
        this.events = events;
    }

    static Regarding regarding(WorkerClusterRecord record) {
        return new Regarding(
                Resource.WORKER_CLUSTERS.apiVersion(), KIND, record.namespace(), record.name(), record.uid());
    }

    /** One thing that happened. */
    void tell(WorkerClusterRecord record, Diagnosis diagnosis) {
        events.tell(regarding(record), null, diagnosis.reason(), action(diagnosis.reason()), diagnosis.message());
    }

    /** Problems of the WorkerCluster that are new get their Event; those that are over get one too. */
    void tell(WorkerClusterRecord record, List<OpenProblem> before, List<OpenProblem> after, Instant now) {
        Map<String, OpenProblem> old = own(before);
        Map<String, OpenProblem> open = own(after);
        open.forEach((word, problem) -> {
            if (!old.containsKey(word)) {
                Reason.of(word).ifPresent(reason -> {
                    tell(record, new Diagnosis(reason, problem.message()));
                    log(record, reason, problem.message());
                });
            }
        });
        old.forEach((word, problem) -> {
            if (!open.containsKey(word)) {
                tell(record, over(record, problem, now));
                Reason.of(word).ifPresent(reason -> log(record, reason, "The problem is over"));
            }
        });
    }

    /** What the connection says of itself stands in the log already. */
    private static void log(WorkerClusterRecord record, Reason reason, String message) {
        if (reason.category() == Category.CREDENTIALS || reason.category() == Category.CONNECTION) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .addKeyValue("reason", reason.word())
                .addKeyValue("actor", reason.actor().word())
                .log("{}", message);
    }

    private static Map<String, OpenProblem> own(List<OpenProblem> problems) {
        Map<String, OpenProblem> own = new HashMap<>();
        for (OpenProblem problem : problems) {
            boolean hasEvent = Reason.of(problem.reason())
                    .filter(reason -> reason.events().contains(Subject.WORKER_CLUSTER))
                    .isPresent();
            if (hasEvent && KIND.equals(problem.kind())) {
                own.put(problem.reason(), problem);
            }
        }
        return own;
    }

    private static Diagnosis over(WorkerClusterRecord record, OpenProblem problem, Instant now) {
        return new Diagnosis(
                Reason.ProblemResolved,
                Message.of(
                        Reason.ProblemResolved,
                        Map.of(
                                "tenant", record.namespace(),
                                "kind", KIND,
                                "name", record.name(),
                                "reason", problem.reason(),
                                "duration", duration(problem.since(), now))));
    }

    private static String duration(String since, Instant now) {
        try {
            Duration duration = Duration.between(Instant.parse(since), now);
            return duration.toMinutes() > 0
                    ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                    : Math.max(0, duration.toSeconds()) + " s";
        } catch (DateTimeParseException e) {
            return "a while";
        }
    }

    private static Action action(Reason reason) {
        Category category = reason.category();
        return switch (category) {
            case CREDENTIALS, CONNECTION, SUMMARY, HUB -> Action.CONNECT;
            case SETTINGS, PROFILE, MACHINE -> Action.RENDER;
            case OWNERSHIP -> reason == Reason.WorkerCleanupIncomplete ? Action.CLEAN_UP : Action.ADOPT;
            case PUBLISH -> Action.PUBLISH;
            case TOKEN -> Action.RENEW;
        };
    }
}
