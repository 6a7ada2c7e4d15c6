package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.HeardWork;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.port.TracedRun;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a run notes for its trace while it goes on; nothing where nobody follows. Safe for use by many threads. */
final class RunNotes implements RequestListener {
    /** Takes no note. */
    static final RunNotes NONE = new RunNotes("", "", null);

    private final String traceId;
    private final String spanId;
    private final @Nullable Timers timers;
    private final long began;
    private final List<TracedRun.Step> steps = new CopyOnWriteArrayList<>();
    private final List<TracedRun.Request> requests = new CopyOnWriteArrayList<>();
    private volatile Result result = Result.OK;
    private volatile String because = "";
    private volatile boolean failed;

    private RunNotes(String traceId, String spanId, @Nullable Timers timers) {
        this.traceId = traceId;
        this.spanId = spanId;
        this.timers = timers;
        this.began = timers == null ? 0 : timers.nanoTime();
    }

    static RunNotes begin(RunTracer tracer, Surroundings around) {
        if (!tracer.isOn()) {
            return NONE;
        }
        RandomGenerator random = around.random();
        return new RunNotes(
                String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong() | 1),
                String.format(Locale.ROOT, "%016x", random.nextLong() | 1),
                around.timers());
    }

    /** Empty when nothing is noted. */
    String traceId() {
        return traceId;
    }

    String spanId() {
        return spanId;
    }

    /** What the run came to; {@code why} is empty when it changed nothing. */
    void came(Result to, String why, boolean leftAnError) {
        if (timers != null) {
            result = to;
            because = why;
            failed = leftAnError;
        }
    }

    /** Hands the notes over at the end of the run. */
    void tell(Runs.Tools tools, Aftermath.Asked asked) {
        if (timers == null) {
            return;
        }
        Triggers.Asked by = asked.by();
        tools.tracer()
                .ran(new TracedRun(
                        traceId,
                        spanId,
                        new TracedRun.Names(
                                asked.inputs().namespace(),
                                asked.inputs().workerCluster(),
                                asked.key().toString(),
                                asked.reconcileId()),
                        by == null ? "" : by.trigger().word(),
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

    void step(String name, long began, long ended) {
        if (timers != null) {
            steps.add(new TracedRun.Step(name, began, ended, Map.of(), Map.of()));
        }
    }

    /** @param bytes of all documents; 0 when nothing was rendered */
    void rendered(String engine, long bytes, long began, long ended) {
        if (timers != null) {
            steps.add(new TracedRun.Step(
                    "render", began, ended, Map.of("osmhub.engine", engine), Map.of("osmhub.bytes", bytes)));
        }
    }

    /** Does the run's work, with a note for each request that it sends. */
    <T> T during(Supplier<T> work) {
        return timers == null ? work.get() : HeardWork.heardBy(this, work);
    }

    @Override
    public void answered(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
        if (timers == null) {
            return;
        }
        long ended = timers.nanoTime();
        String subresource = request.subresource();
        requests.add(new TracedRun.Request(
                request.verb().word(),
                request.verb().method(),
                request.resource().plural() + (subresource.isEmpty() ? "" : "/" + subresource),
                request.namespace(),
                status,
                failure == null ? "" : word(failure),
                ended - took.toNanos(),
                ended));
    }

    private static String word(ApiFailure failure) {
        return failure.why() == ApiFailure.Cause.ANSWERED
                ? String.valueOf(failure.code())
                : failure.why().name().toLowerCase(Locale.ROOT);
    }
}
