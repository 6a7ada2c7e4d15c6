package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.port.TracedRun;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.write.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a run notes for its trace while it goes on; nothing where nobody follows. Safe for use by many threads. */
final class RunNotes implements Writer.Watcher {
    /** Takes no note. */
    static final RunNotes NONE = new RunNotes("", "", null);

    private final String traceId;
    private final String spanId;
    private final @Nullable Timers timers;
    private final long began;
    private final List<TracedRun.Step> steps = new CopyOnWriteArrayList<>();
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
                        steps));
    }

    void step(String name, long began, long ended) {
        if (timers != null) {
            steps.add(new TracedRun.Step(name, began, ended, false, Map.of(), Map.of()));
        }
    }

    /** @param bytes of all documents; 0 when nothing was rendered */
    void rendered(String engine, long bytes, long began, long ended) {
        if (timers != null) {
            steps.add(new TracedRun.Step(
                    "render", began, ended, false, Map.of("osmhub.engine", engine), Map.of("osmhub.bytes", bytes)));
        }
    }

    @Override
    public void tried(Change change, long began, long ended, @Nullable ApiFailure failure) {
        if (timers == null) {
            return;
        }
        Target target = Target.of(change);
        Map<String, String> words = new TreeMap<>();
        words.put("http.request.method", target.verb().method());
        words.put("k8s.resource", target.resource());
        words.put("osmhub.role", target.shortKind());
        Map<String, Long> numbers =
                failure == null ? Map.of() : Map.of("http.response.status_code", (long) failure.code());
        steps.add(new TracedRun.Step("write", began, ended, failure != null, words, numbers));
    }
}
