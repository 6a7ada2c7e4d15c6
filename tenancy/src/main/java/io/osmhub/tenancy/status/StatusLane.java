package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses, beside everything else: a status rests for a moment, so that changes that come together are one write;
 * however many changes of an object wait, one write with the latest of them; none when it is the same as what is there; no
 * more than so many a second. The kinds take turns, so that thousands of
 * OperatingSystemConfigs do not hold up the WorkerClusters. Safe for use by many threads; nobody waits here.
 */
public final class StatusLane {
    /** Most writes a second for the whole hub. */
    public static final int USUAL_RATE = 20;

    private static final Logger LOG = LoggerFactory.getLogger(StatusLane.class);
    private static final int MOST_AT_ONCE = 4;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration FENCED = Duration.ofSeconds(1);

    /**
     * How long a status rests before it is written: longer than the runs of a new object follow one another, shorter than a
     * person notices.
     */
    private static final Duration REST = Duration.ofMillis(300);

    /** One object. */
    private record Target(StatusKeeper keeper, String namespace, String name) {
        @Override
        public String toString() {
            return keeper.resource().plural() + " " + namespace + "/" + name;
        }
    }

    /** What waits to be written, and since when. */
    private record Waiting(JsonNode status, long since) {}

    private final KubeApi management;
    private final Surroundings around;
    private final BooleanSupplier mayWrite;
    private final Predicate<String> own;
    private final Consumer<Duration> waited;
    private final long nanosForOne;

    private final Object lock = new Object();
    /** What waits, the longest waiting first, for each kind. */
    private final Map<Resource, SequencedMap<Target, Waiting>> waiting = new HashMap<>();

    private final Deque<Resource> turns = new ArrayDeque<>();
    private final Set<Target> writing = new HashSet<>();
    private Timers.@Nullable Timer alarm;
    private long notBefore;
    private int failures;
    private boolean closed;

    /**
     * An open lane.
     *
     * @param perSecond most writes a second
     * @param mayWrite false while this replica must not write; asked again every second
     * @param own whether the objects of a namespace are this replica's to write; what is another's by then is dropped
     * @param waited is told how long each status that is written waited for its turn after its rest
     */
    public StatusLane(
            KubeApi management,
            int perSecond,
            BooleanSupplier mayWrite,
            Predicate<String> own,
            Consumer<Duration> waited,
            Surroundings around) {
        this.management = management;
        this.around = around;
        this.mayWrite = mayWrite;
        this.own = own;
        this.waited = waited;
        this.nanosForOne = Duration.ofSeconds(1).toNanos() / perSecond;
        this.notBefore = around.timers().nanoTime();
    }

    /** Takes a status in place of what waits for the same object. */
    public void offer(StatusKeeper keeper, String namespace, String name, JsonNode status) {
        synchronized (lock) {
            if (closed || !keeper.keepsStatus()) {
                return;
            }
            long now = around.timers().nanoTime();
            queueOf(keeper.resource())
                    .merge(
                            new Target(keeper, namespace, name),
                            new Waiting(status, now),
                            (earlier, later) -> new Waiting(later.status(), earlier.since()));
            pump();
        }
    }

    /** How many objects wait. */
    public int backlog() {
        synchronized (lock) {
            return waiting.values().stream().mapToInt(Map::size).sum() + writing.size();
        }
    }

    /** Drops what waits; nothing is begun afterwards. */
    public void close() {
        synchronized (lock) {
            closed = true;
            waiting.clear();
            turns.clear();
            if (alarm != null) {
                alarm.cancel();
                alarm = null;
            }
        }
    }

    private SequencedMap<Target, Waiting> queueOf(Resource kind) {
        return waiting.computeIfAbsent(kind, added -> {
            turns.add(added);
            return new LinkedHashMap<>();
        });
    }

    private void pump() {
        while (!closed && alarm == null && writing.size() < MOST_AT_ONCE) {
            Duration wait = untilNext();
            if (!wait.isZero()) {
                // Nothing is taken out before its moment: the one that waits longest then is the one to be written.
                if (waiting.values().stream().anyMatch(queue -> !queue.isEmpty())) {
                    sleep(wait);
                }
                return;
            }
            Map.Entry<Target, Waiting> next = next();
            if (next == null) {
                sleepUntilRested();
                return;
            }
            Target target = next.getKey();
            Waiting taken = next.getValue();
            ObjectNode patch = patch(target, taken.status());
            if (patch == null) {
                continue;
            }
            notBefore += nanosForOne;
            writing.add(target);
            waited.accept(Duration.ofNanos(
                    Math.max(0, -untilRested(taken, around.timers().nanoTime()))));
            around.waiting().execute(() -> write(target, taken, patch));
        }
    }

    private Duration untilNext() {
        if (!mayWrite.getAsBoolean()) {
            return FENCED;
        }
        long now = around.timers().nanoTime();
        // A short burst after a quiet time, so that a single change shows at once.
        notBefore = Math.max(notBefore, now - MOST_AT_ONCE * nanosForOne);
        return notBefore > now ? Duration.ofNanos(notBefore - now) : Duration.ZERO;
    }

    /** Takes out the one that is next by turns and by age, that has rested and is not being written at this moment. */
    private Map.@Nullable Entry<Target, Waiting> next() {
        long now = around.timers().nanoTime();
        for (int i = turns.size(); i > 0; i--) {
            Resource kind = turns.removeFirst();
            turns.addLast(kind);
            Iterator<Map.Entry<Target, Waiting>> queue =
                    queueOf(kind).entrySet().iterator();
            while (queue.hasNext()) {
                Map.Entry<Target, Waiting> entry = queue.next();
                if (untilRested(entry.getValue(), now) > 0) {
                    break; // those behind it came later
                }
                if (!writing.contains(entry.getKey())) {
                    queue.remove();
                    return Map.entry(entry.getKey(), entry.getValue());
                }
            }
        }
        return null;
    }

    private static long untilRested(Waiting waiting, long now) {
        return waiting.since() + REST.toNanos() - now;
    }

    private void sleepUntilRested() {
        long now = around.timers().nanoTime();
        waiting.values().stream()
                .flatMap(queue -> queue.entrySet().stream()
                        .filter(entry -> !writing.contains(entry.getKey()))
                        .limit(1))
                .mapToLong(entry -> untilRested(entry.getValue(), now))
                .filter(rest -> rest > 0)
                .min()
                .ifPresent(rest -> sleep(Duration.ofNanos(rest)));
    }

    /** Null when there is nothing to write. */
    private @Nullable ObjectNode patch(Target target, JsonNode wanted) {
        JsonNode stored = target.keeper().stored(target.namespace(), target.name());
        if (stored == null || !own.test(target.namespace())) {
            return null;
        }
        ObjectNode difference = MergePatch.between(stored, wanted);
        if (difference.isEmpty()) {
            return null;
        }
        ObjectNode patch = WireJson.object();
        patch.set("status", difference);
        return patch;
    }

    private void putBack(Target target, Waiting earlier) {
        SequencedMap<Target, Waiting> queue = queueOf(target.keeper().resource());
        Waiting later = queue.remove(target);
        queue.putFirst(target, new Waiting(later == null ? earlier.status() : later.status(), earlier.since()));
    }

    private void sleep(Duration wait) {
        alarm = around.timers().after(wait, () -> {
            synchronized (lock) {
                alarm = null;
                pump();
            }
        });
    }

    private void write(Target target, Waiting taken, ObjectNode patch) {
        ApiFailure failure = null;
        try {
            byte[] answer = management.send(ApiRequest.patch(
                            target.keeper().resource(),
                            target.namespace(),
                            target.name(),
                            ApiRequest.MERGE_PATCH,
                            WireJson.text(patch))
                    .of("status"));
            target.keeper().written(answer);
        } catch (ApiFailure e) {
            failure = e;
        }
        synchronized (lock) {
            writing.remove(target);
            if (failure == null || failure.isNotFound()) {
                failures = 0;
            } else {
                failed(target, taken, failure);
            }
            pump();
        }
    }

    private void failed(Target target, Waiting taken, ApiFailure failure) {
        // Held back at the last moment, it is written as soon as the replica may; what is another's by then is passed
        // over.
        boolean heldBack = failure.why() == ApiFailure.Cause.CLOSED;
        if (!heldBack && !failure.mayPass()) {
            LOG.atWarn()
                    .addKeyValue("tenant", target.namespace())
                    .addKeyValue("resource", target.keeper().resource().plural())
                    .addKeyValue("object", target.name())
                    .addKeyValue("code", failure.code())
                    .addKeyValue("cause", failure.text())
                    .log("A status was not written");
            return;
        }
        failures++;
        putBack(target, taken);
        if (alarm == null && !closed) {
            sleep(BACKOFF.after(failures, failure.retryAfter(), around.random()));
        }
    }
}
