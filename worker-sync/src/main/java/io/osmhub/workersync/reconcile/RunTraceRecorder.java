package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.port.RunTrace;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.reconcile.RunScheduler.PendingTriggers;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Records the steps of a run for its trace; does nothing if tracing is off. Thread-safe. */
final class RunTraceRecorder implements RequestListener {
    /** Records nothing. */
    static final RunTraceRecorder NONE = new RunTraceRecorder("", "", null);

    private final String traceId;
    private final String spanId;
    private final @Nullable Scheduler timers;
    private final long began;
    private final List<RunTrace.TraceStep> steps = new CopyOnWriteArrayList<>();
    private final List<RunTrace.TracedRequest> requests = new CopyOnWriteArrayList<>();
    private volatile Result result = Result.OK;
    private volatile String because = "";
    private volatile boolean failed;

    private RunTraceRecorder(String traceId, String spanId, @Nullable Scheduler timers) {
        this.traceId = traceId;
        this.spanId = spanId;
        this.timers = timers;
        this.began = timers == null ? 0 : timers.nanoTime();
    }

    static RunTraceRecorder begin(RunTracer tracer, RuntimeContext around) {
        if (!tracer.isEnabled()) {
            return NONE;
        }
        RandomGenerator random = around.random();
        return new RunTraceRecorder(
                String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong() | 1),
                String.format(Locale.ROOT, "%016x", random.nextLong() | 1),
                around.scheduler());
    }

    /** Empty if tracing is off. */
    String traceId() {
        return traceId;
    }

    String spanId() {
        return spanId;
    }

    /** Records the result; {@code why} is empty if nothing changed. */
    void recordResult(Result to, String why, boolean leftAnError) {
        if (timers != null) {
            result = to;
            because = why;
            failed = leftAnError;
        }
    }

    /** Publishes the trace at the end of the run. */
    void publishTrace(RunScheduler.RunDependencies tools, RunResultHandler.RunRequest asked) {
        if (timers == null) {
            return;
        }
        PendingTriggers.PendingTrigger by = asked.by();
        tools.tracer()
                .recordRun(new RunTrace(
                        traceId,
                        spanId,
                        new RunTrace.TraceSubject(
                                asked.inputs().namespace(),
                                asked.inputs().workerCluster(),
                                asked.key().toString(),
                                asked.reconcileId()),
                        by == null ? "" : by.trigger().wireName(),
                        result,
                        because,
                        failed,
                        tools.queue().depth(),
                        by == null ? began : by.nanos(),
                        began,
                        timers.nanoTime(),
                        steps,
                        requests));
    }

    void recordStep(String name, long began, long ended) {
        if (timers != null) {
            steps.add(new RunTrace.TraceStep(name, began, ended, Map.of(), Map.of()));
        }
    }

    /** @param bytes of all documents; 0 if nothing was rendered */
    void recordRendering(String engine, long bytes, long began, long ended) {
        if (timers != null) {
            steps.add(new RunTrace.TraceStep(
                    "render", began, ended, Map.of("osmhub.engine", engine), Map.of("osmhub.bytes", bytes)));
        }
    }

    /** Runs {@code work} and records each request that it sends. */
    <T> T callTraced(Supplier<T> work) {
        return timers == null ? work.get() : RequestAttribution.callWithListener(this, work);
    }

    @Override
    public void onResponse(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
        if (timers == null) {
            return;
        }
        long ended = timers.nanoTime();
        String subresource = request.subresource();
        requests.add(new RunTrace.TracedRequest(
                request.verb().wireName(),
                request.verb().method(),
                request.resource().plural() + (subresource.isEmpty() ? "" : "/" + subresource),
                request.namespace(),
                status,
                failure == null ? "" : word(failure),
                ended - took.toNanos(),
                ended));
    }

    private static String word(ApiFailure failure) {
        return failure.kind() == ApiFailure.ApiFailureKind.ANSWERED
                ? String.valueOf(failure.code())
                : failure.kind().name().toLowerCase(Locale.ROOT);
    }
}
