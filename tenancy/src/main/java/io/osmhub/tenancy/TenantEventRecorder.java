package io.osmhub.tenancy;

import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.status.UnitFormatter;
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

    static Problem.Scope scope(WorkerClusterRecord record) {
        return new Problem.Scope(record.namespace(), record.name());
    }

    private static Regarding regarding(WorkerClusterRecord record) {
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
