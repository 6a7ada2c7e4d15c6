package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.write.WriteResult;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/** Log lines of runs: their keys, and which repeats are logged. */
final class RunLog {
    private RunLog() {}

    /** Twelve hexadecimal digits: unique enough for a year of runs. */
    static String newId(RandomGenerator random) {
        return String.format(Locale.ROOT, "%012x", random.nextLong() & 0xffff_ffff_ffffL);
    }

    /** Logs a repeated failure the 1st, 2nd, 4th, 8th ... time. */
    static boolean shouldLog(int repeats) {
        return Integer.bitCount(repeats) <= 1;
    }

    static LoggingEventBuilder addRunKeys(RunResultHandler.RunRequest asked, LoggingEventBuilder line) {
        LoggingEventBuilder keyed = line.addKeyValue("tenant", asked.inputs().namespace())
                .addKeyValue("workerCluster", asked.inputs().workerCluster())
                .addKeyValue("machineDeployment", asked.key().toString())
                .addKeyValue("reconcileId", asked.reconcileId());
        RunTraceRecorder notes = asked.notes();
        return notes.traceId().isEmpty()
                ? keyed
                : keyed.addKeyValue("traceId", notes.traceId()).addKeyValue("spanId", notes.spanId());
    }

    static void logChange(
            RunResultHandler.RunRequest asked,
            MachineDeployment machineDeployment,
            WriteResult.CompletedWrite done,
            Logger log) {
        addRunKeys(asked, log.atInfo())
                .addKeyValue("osp", machineDeployment.profileName())
                .addKeyValue("osc", ObjectNames.of(machineDeployment).operatingSystemConfig())
                .addKeyValue("because", done.change().reason().explanation())
                .addKeyValue("durationMs", done.took().toMillis())
                .log("{}", done.change().describe());
    }

    static void logWriteFailure(
            RunResultHandler.RunRequest asked, WriteResult.FailedWrite failed, int repeats, Logger log) {
        if (shouldLog(repeats)) {
            Reason reason = WriteFailureDiagnoser.reason(failed.failure(), WriteTarget.of(failed.change()));
            of(reason, addRunKeys(asked, log.atWarn()))
                    .addKeyValue("code", failed.failure().code())
                    .addKeyValue("cause", failed.failure().text())
                    .addKeyValue("repeats", repeats)
                    .log("Could not {}", failed.change().describe());
        }
    }

    /** The current state could not be read. */
    static void logReadFailure(RunResultHandler.RunRequest asked, ApiFailure failure, int repeats, Logger log) {
        if (shouldLog(repeats)) {
            addRunKeys(asked, log.atInfo())
                    .addKeyValue("cause", failure.text())
                    .addKeyValue("repeats", repeats)
                    .log("Could not read current state, retrying");
        }
    }

    static void logBug(RunResultHandler.RunRequest asked, RuntimeException fault, String message, Logger log) {
        of(Reason.InternalError, addRunKeys(asked, log.atError()))
                .setCause(fault)
                .log(message);
    }

    /** Logs each new and each resolved problem. */
    static void logProblems(
            RunResultHandler.RunRequest asked, List<ReasonMessage> before, List<ReasonMessage> now, Logger log) {
        for (ReasonMessage problem : now) {
            if (before.stream().noneMatch(old -> old.reason() == problem.reason())) {
                boolean tenants = problem.reason().actor() == Actor.TENANT;
                of(problem.reason(), addRunKeys(asked, tenants ? log.atInfo() : log.atWarn()))
                        .log("{}", problem.message());
            }
        }
        for (ReasonMessage problem : before) {
            if (now.stream().noneMatch(open -> open.reason() == problem.reason())) {
                of(problem.reason(), addRunKeys(asked, log.atInfo())).log("Problem resolved");
            }
        }
    }

    private static LoggingEventBuilder of(Reason reason, LoggingEventBuilder line) {
        return line.addKeyValue("reason", reason.wireName())
                .addKeyValue("actor", reason.actor().wireName());
    }
}
