package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.write.Written;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/** Lines of the log about runs: the keys that each has, and which of many alike are written. */
final class RunLog {
    private RunLog() {}

    /** Twelve hexadecimal digits: enough to find one run among those of a year. */
    static String newId(RandomGenerator random) {
        return String.format(Locale.ROOT, "%012x", random.nextLong() & 0xffff_ffff_ffffL);
    }

    /** A failure that goes on is told at its 1st, 2nd, 4th, 8th ... time. */
    static boolean isTold(int repeats) {
        return Integer.bitCount(repeats) <= 1;
    }

    static LoggingEventBuilder about(Aftermath.Asked asked, LoggingEventBuilder line) {
        LoggingEventBuilder keyed = line.addKeyValue("tenant", asked.inputs().namespace())
                .addKeyValue("workerCluster", asked.inputs().workerCluster())
                .addKeyValue("machineDeployment", asked.key().toString())
                .addKeyValue("reconcileId", asked.reconcileId());
        RunNotes notes = asked.notes();
        return notes.traceId().isEmpty()
                ? keyed
                : keyed.addKeyValue("traceId", notes.traceId()).addKeyValue("spanId", notes.spanId());
    }

    static void changed(Aftermath.Asked asked, MachineDeployment machineDeployment, Written.Done done, Logger log) {
        about(asked, log.atInfo())
                .addKeyValue("osp", machineDeployment.profileName())
                .addKeyValue("osc", ObjectNames.of(machineDeployment).operatingSystemConfig())
                .addKeyValue("because", done.change().why().because())
                .addKeyValue("durationMs", done.took().toMillis())
                .log("{}", done.change().describe());
    }

    static void failed(Aftermath.Asked asked, Written.Failed failed, int repeats, Logger log) {
        if (isTold(repeats)) {
            Reason reason = WriteFailures.reason(failed.failure(), Target.of(failed.change()));
            of(reason, about(asked, log.atWarn()))
                    .addKeyValue("code", failed.failure().code())
                    .addKeyValue("cause", failed.failure().text())
                    .addKeyValue("repeats", repeats)
                    .log("Could not {}", failed.change().describe());
        }
    }

    /** What there is could not be found out. */
    static void unknown(Aftermath.Asked asked, ApiFailure failure, int repeats, Logger log) {
        if (isTold(repeats)) {
            about(asked, log.atInfo())
                    .addKeyValue("cause", failure.text())
                    .addKeyValue("repeats", repeats)
                    .log("Not known what there is; tried again");
        }
    }

    static void bug(Aftermath.Asked asked, RuntimeException fault, String message, Logger log) {
        of(Reason.InternalError, about(asked, log.atError())).setCause(fault).log(message);
    }

    /** One line for each problem that is new, and for each that is over. */
    static void problems(Aftermath.Asked asked, List<Diagnosis> before, List<Diagnosis> now, Logger log) {
        for (Diagnosis problem : now) {
            if (before.stream().noneMatch(old -> old.reason() == problem.reason())) {
                boolean tenants = problem.reason().actor() == Actor.TENANT;
                of(problem.reason(), about(asked, tenants ? log.atInfo() : log.atWarn()))
                        .log("{}", problem.message());
            }
        }
        for (Diagnosis problem : before) {
            if (now.stream().noneMatch(open -> open.reason() == problem.reason())) {
                of(problem.reason(), about(asked, log.atInfo())).log("The problem is over");
            }
        }
    }

    private static LoggingEventBuilder of(Reason reason, LoggingEventBuilder line) {
        return line.addKeyValue("reason", reason.word())
                .addKeyValue("actor", reason.actor().word());
    }
}
