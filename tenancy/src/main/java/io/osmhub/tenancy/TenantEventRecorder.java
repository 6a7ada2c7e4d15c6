package io.osmhub.tenancy;

import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records Events on a WorkerCluster for new and resolved problems. */
final class TenantEventRecorder {
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
    void recordEvents(WorkerClusterRecord record, ReasonMessage diagnosis) {
        events.recordEvent(regarding(record), null, diagnosis);
    }

    /** Records Events for new and resolved problems. */
    void recordEvents(WorkerClusterRecord record, List<OpenProblem> before, List<OpenProblem> after, Instant now) {
        Map<String, OpenProblem> old = own(before);
        Map<String, OpenProblem> open = own(after);
        open.forEach((word, problem) -> {
            if (!old.containsKey(word)) {
                Reason.of(word).ifPresent(reason -> {
                    recordEvents(record, new ReasonMessage(reason, problem.message()));
                    log(record, reason, problem.message());
                });
            }
        });
        old.forEach((word, problem) -> {
            if (!open.containsKey(word)) {
                recordEvents(record, resolved(record, problem, now));
                Reason.of(word).ifPresent(reason -> log(record, reason, "Problem resolved"));
            }
        });
    }

    /** The connection logs its own problems. */
    private static void log(WorkerClusterRecord record, Reason reason, String message) {
        if (reason.category() == Category.CREDENTIALS || reason.category() == Category.CONNECTION) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .addKeyValue("reason", reason.wireName())
                .addKeyValue("actor", reason.actor().wireName())
                .log("{}", message);
    }

    private static Map<String, OpenProblem> own(List<OpenProblem> problems) {
        Map<String, OpenProblem> own = new HashMap<>();
        for (OpenProblem problem : problems) {
            boolean hasEvent = Reason.of(problem.reason())
                    .filter(reason -> reason.eventSubjects().contains(SubjectKind.WORKER_CLUSTER))
                    .isPresent();
            if (hasEvent && KIND.equals(problem.kind())) {
                own.put(problem.reason(), problem);
            }
        }
        return own;
    }

    private static ReasonMessage resolved(WorkerClusterRecord record, OpenProblem problem, Instant now) {
        return Reason.ProblemResolved.with(
                "tenant", record.namespace(),
                "kind", KIND,
                "name", record.name(),
                "reason", problem.reason(),
                "duration", duration(problem.since(), now));
    }

    private static String duration(String since, Instant now) {
        try {
            Duration duration = Duration.between(Instant.parse(since), now);
            return duration.toMinutes() > 0
                    ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                    : Math.max(0, duration.toSeconds()) + " s";
        } catch (DateTimeParseException e) {
            return "an unknown time";
        }
    }
}
