package io.osmhub.workersync.reconcile;

import io.osmhub.core.problem.Severity;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.port.RunTrace;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RunReport.PendingTrigger;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.RunRequest;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Publishes the trace of each run. */
final class RunTraceRecorder implements RunListener {
    private final RunTracer runTracer;
    private final WorkQueue workQueue;
    private final RuntimeContext runtimeContext;

    RunTraceRecorder(RunTracer runTracer, WorkQueue workQueue, RuntimeContext runtimeContext) {
        this.runTracer = runTracer;
        this.workQueue = workQueue;
        this.runtimeContext = runtimeContext;
    }

    /** Receives the requests of one run. Thread-safe. */
    record ActiveTrace(
            String traceId, String spanId, Scheduler scheduler, long began, List<RunTrace.TracedRequest> requests)
            implements RequestListener {
        @Override
        public void onResponse(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
            long ended = scheduler.nanoTime();
            String subresource = request.subresource();
            requests.add(new RunTrace.TracedRequest(
                    request.verb().wireName(),
                    request.verb().method(),
                    request.resource().plural() + (subresource.isEmpty() ? "" : "/" + subresource),
                    request.namespace(),
                    status,
                    failure == null ? "" : failureText(failure),
                    ended - took.toNanos(),
                    ended));
        }

        private static String failureText(ApiFailure failure) {
            return failure.kind() == ApiFailure.ApiFailureKind.ANSWERED
                    ? String.valueOf(failure.code())
                    : failure.kind().name().toLowerCase(Locale.ROOT);
        }
    }

    /** Starts the trace of a run; null if tracing is off. */
    @Nullable ActiveTrace begin() {
        if (!runTracer.isEnabled()) {
            return null;
        }
        RandomGenerator random = runtimeContext.random();
        return new ActiveTrace(
                String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong() | 1),
                String.format(Locale.ROOT, "%016x", random.nextLong() | 1),
                runtimeContext.scheduler(),
                runtimeContext.scheduler().nanoTime(),
                new CopyOnWriteArrayList<>());
    }

    @Override
    public void onRunEnded(RunReport report) {
        RunRequest request = report.request();
        ActiveTrace trace = request.trace();
        if (trace == null) {
            return;
        }
        PendingTrigger trigger = request.trigger();
        String explanation = "";
        boolean failed = report.outcome() instanceof RunOutcome.Crashed;
        List<RunTrace.TraceStep> steps = List.of();
        if (report.outcome() instanceof RunOutcome.Decided decided) {
            steps = steps(decided.times());
            if (decided.postponement() == null) {
                explanation = decided.written().changes().stream()
                        .map(change -> change.reason().explanation())
                        .findFirst()
                        .orElse("");
                failed = decided.problems().stream()
                        .anyMatch(problem -> problem.reason().severity() == Severity.ERROR);
            }
        }
        runTracer.recordRun(new RunTrace(
                trace.traceId(),
                trace.spanId(),
                new RunTrace.TraceSubject(
                        request.inputs().namespace(),
                        request.inputs().workerCluster(),
                        request.key().toString(),
                        request.id()),
                trigger == null ? "" : trigger.trigger().wireName(),
                Objects.requireNonNullElse(report.result(), Result.OK),
                explanation,
                failed,
                workQueue.depth(),
                trigger == null ? trace.began() : trigger.nanos(),
                trace.began(),
                trace.scheduler().nanoTime(),
                steps,
                trace.requests()));
    }

    private static List<RunTrace.TraceStep> steps(RunReport.StepTimes times) {
        List<RunTrace.TraceStep> steps = new ArrayList<>();
        steps.add(new RunTrace.TraceStep("look", times.began(), times.collected(), Map.of(), Map.of()));
        times.renderings()
                .forEach(rendering -> steps.add(new RunTrace.TraceStep(
                        "render",
                        rendering.began(),
                        rendering.ended(),
                        Map.of("osmhub.engine", rendering.engine()),
                        Map.of("osmhub.bytes", rendering.bytes()))));
        steps.add(new RunTrace.TraceStep("decide", times.collected(), times.decided(), Map.of(), Map.of()));
        return steps;
    }
}
