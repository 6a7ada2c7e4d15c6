package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.RunRequest;
import io.osmhub.workersync.write.WriteResult;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs changes, failures, and new and resolved problems of runs. */
final class RunLog implements RunListener {
    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);

    @Override
    public void onRunEnded(RunReport report) {
        RunRequest request = report.request();
        switch (report.outcome()) {
            case RunOutcome.NotFound() -> {
                // No line.
            }
            case RunOutcome.ReadFailed failed -> {
                if (shouldLog(failed.attempts())) {
                    addRunKeys(request, LOG.atInfo())
                            .addKeyValue("cause", failed.failure().text())
                            .addKeyValue("repeats", failed.attempts())
                            .log("Could not read current state, retrying");
                }
            }
            case RunOutcome.Crashed(RuntimeException exception) -> logBug(request, exception, "Run failed, retrying");
            case RunOutcome.Decided decided -> {
                if (decided.decision().outcome() instanceof Decision.Outcome.Failed(RuntimeException cause)) {
                    logBug(request, cause, "Rendering failed unexpectedly");
                }
                if (decided.times().renderings().stream().anyMatch(RunReport.Rendering::unexpected)) {
                    addRunKeys(request, LOG.atWarn())
                            .log(
                                    "Published content differs from its rendering although no input changed; correcting it");
                }
                decided.written()
                        .completed()
                        .forEach(write -> logChange(request, decided.facts().machineDeployment(), write));
                logWriteFailure(request, decided);
                MachineDeploymentState previous = report.previous();
                logProblems(request, previous == null ? List.of() : previous.problems(), decided.problems());
            }
        }
    }

    /** Logs a repeated failure the 1st, 2nd, 4th, 8th ... time. */
    private static boolean shouldLog(int repeats) {
        return Integer.bitCount(repeats) <= 1;
    }

    private static LoggingEventBuilder addRunKeys(RunRequest request, LoggingEventBuilder line) {
        LoggingEventBuilder keyed = line.addKeyValue("tenant", request.inputs().namespace())
                .addKeyValue("workerCluster", request.inputs().workerCluster())
                .addKeyValue("machineDeployment", request.key().toString())
                .addKeyValue("reconcileId", request.id());
        RunTraceRecorder.ActiveTrace trace = request.trace();
        return trace == null
                ? keyed
                : keyed.addKeyValue("traceId", trace.traceId()).addKeyValue("spanId", trace.spanId());
    }

    private static void logChange(
            RunRequest request, MachineDeployment machineDeployment, WriteResult.CompletedWrite write) {
        addRunKeys(request, LOG.atInfo())
                .addKeyValue("osp", machineDeployment.profileName())
                .addKeyValue("osc", ObjectNames.of(machineDeployment).operatingSystemConfig())
                .addKeyValue("because", write.change().reason().explanation())
                .addKeyValue("durationMs", write.took().toMillis())
                .log("{}", write.change().describe());
    }

    private static void logWriteFailure(RunRequest request, RunOutcome.Decided decided) {
        WriteResult.FailedWrite failed = decided.written().failed();
        if (failed != null && shouldLog(decided.attempts())) {
            Reason reason = WriteFailureDiagnoser.reason(failed);
            addReason(reason, reason.actor(), addRunKeys(request, LOG.atWarn()))
                    .addKeyValue("code", failed.failure().code())
                    .addKeyValue("cause", failed.failure().text())
                    .addKeyValue("repeats", decided.attempts())
                    .log("Could not {}", failed.change().describe());
        }
    }

    private static void logBug(RunRequest request, RuntimeException exception, String message) {
        addReason(Reason.InternalError, Reason.InternalError.actor(), addRunKeys(request, LOG.atError()))
                .setCause(exception)
                .log(message);
    }

    private static void logProblems(RunRequest request, List<Problem> before, List<Problem> now) {
        for (Problem problem : now) {
            if (before.stream().noneMatch(old -> old.reason() == problem.reason())) {
                boolean ofTenant = problem.actor() == Actor.TENANT;
                addReason(
                                problem.reason(),
                                problem.actor(),
                                addRunKeys(request, ofTenant ? LOG.atInfo() : LOG.atWarn()))
                        .log("{}", problem.message());
            }
        }
        for (Problem problem : before) {
            if (now.stream().noneMatch(open -> open.reason() == problem.reason())) {
                addReason(problem.reason(), problem.actor(), addRunKeys(request, LOG.atInfo()))
                        .log("Problem resolved");
            }
        }
    }

    private static LoggingEventBuilder addReason(Reason reason, Actor actor, LoggingEventBuilder line) {
        return line.addKeyValue("reason", reason.wireName()).addKeyValue("actor", actor.wireName());
    }
}
