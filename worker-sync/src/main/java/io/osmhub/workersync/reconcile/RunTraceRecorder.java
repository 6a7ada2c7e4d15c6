package io.osmhub.workersync.reconcile;

import io.osmhub.core.problem.Severity;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.port.RunTrace;
import io.osmhub.workersync.port.RunTrace.Interval;
import io.osmhub.workersync.port.RunTrace.TraceSpan;
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
import java.util.HashMap;
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
    record ActiveTrace(String traceId, String spanId, Scheduler scheduler, long began, List<TraceSpan> requests)
            implements RequestListener {
        @Override
        public void onResponse(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
            long ended = scheduler.nanoTime();
            String subresource = request.subresource();
            String resource = request.resource().plural() + (subresource.isEmpty() ? "" : "/" + subresource);
            Map<String, Object> attributes =
                    new HashMap<>(Map.of("http.request.method", request.verb().method(), "k8s.resource", resource));
            if (!request.namespace().isEmpty()) {
                attributes.put("k8s.namespace.name", request.namespace());
            }
            if (status > 0) {
                attributes.put("http.response.status_code", (long) status);
            }
            if (failure != null) {
                attributes.put("error.type", failureText(failure));
            }
            requests.add(new TraceSpan(
                    "",
                    request.verb().wireName() + " " + resource,
                    true,
                    failure != null,
                    new Interval(ended - took.toNanos(), ended),
                    attributes,
                    List.of()));
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
        ActiveTrace trace = report.request().trace();
        if (trace == null) {
            return;
        }
        String explanation = "";
        boolean failed = report.outcome() instanceof RunOutcome.Crashed;
        List<TraceSpan> steps = new ArrayList<>(trace.requests());
        if (report.outcome() instanceof RunOutcome.Decided decided) {
            addSteps(steps, decided.times());
            if (decided.postponement() == null) {
                explanation = decided.written().changes().stream()
                        .map(change -> change.reason().explanation())
                        .findFirst()
                        .orElse("");
                failed = decided.problems().stream()
                        .anyMatch(problem -> problem.reason().severity() == Severity.ERROR);
            }
        }
        runTracer.recordRun(new RunTrace(trace.traceId(), root(report, trace, failed, explanation, steps)));
    }

    private TraceSpan root(
            RunReport report, ActiveTrace trace, boolean failed, String explanation, List<TraceSpan> steps) {
        RunRequest request = report.request();
        PendingTrigger trigger = request.trigger();
        long asked = trigger == null ? trace.began() : trigger.nanos();
        long ended = trace.scheduler().nanoTime();
        Result result = Objects.requireNonNullElse(report.result(), Result.OK);
        TraceSpan reconcile = new TraceSpan(
                trace.spanId(),
                "reconcile",
                false,
                failed,
                new Interval(trace.began(), ended),
                Map.of(
                        "osmhub.reconcile_id", request.id(),
                        "osmhub.result", result.wireName(),
                        "osmhub.because", explanation),
                steps);
        Map<String, Object> depth = Map.of("osmhub.queue.depth", (long) workQueue.depth());
        return new TraceSpan(
                "",
                "machinedeployment.event",
                false,
                failed,
                new Interval(asked, ended),
                Map.of(
                        "osmhub.tenant", request.inputs().namespace(),
                        "osmhub.worker_cluster", request.inputs().workerCluster(),
                        "osmhub.machine_deployment", request.key().toString(),
                        "osmhub.trigger",
                                trigger == null ? "" : trigger.trigger().wireName()),
                List.of(TraceSpan.step("queue.wait", asked, trace.began(), depth), reconcile));
    }

    private static void addSteps(List<TraceSpan> steps, RunReport.StepTimes times) {
        steps.add(TraceSpan.step("look", times.began(), times.collected(), Map.of()));
        times.renderings()
                .forEach(rendering -> steps.add(TraceSpan.step(
                        "render",
                        rendering.began(),
                        rendering.ended(),
                        Map.of("osmhub.engine", rendering.engine(), "osmhub.bytes", rendering.bytes()))));
        steps.add(TraceSpan.step("decide", times.collected(), times.decided(), Map.of()));
    }
}
