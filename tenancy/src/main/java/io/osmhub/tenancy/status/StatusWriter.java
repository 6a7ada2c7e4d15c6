package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
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
 * Writes statuses asynchronously: after a short delay, so that simultaneous changes are one write; only the latest for each
 * object, only if it differs, and at a limited rate. Kinds take turns, so that thousands of OperatingSystemConfigs do not delay
 * WorkerClusters. Thread-safe; must not block.
 */
public final class StatusWriter {
    /** Default maximum writes per second for the whole hub. */
    public static final int USUAL_RATE = 20;

    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final int MOST_AT_ONCE = 4;
    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration FENCED = Duration.ofSeconds(1);

    /** Delay before a status is written: longer than the interval between runs of a new object, too short to notice. */
    private static final Duration REST = Duration.ofMillis(300);

    private record StatusTarget(StatusStore keeper, String namespace, String name) {
        @Override
        public String toString() {
            return keeper.resource().plural() + " " + namespace + "/" + name;
        }
    }

    /** A queued status, and since when. */
    private record PendingStatus(JsonNode status, long since) {}

    private final KubeApi management;
    private final RuntimeContext around;
    private final BooleanSupplier mayWrite;
    private final Predicate<String> own;
    private final Consumer<Duration> waited;
    private final long nanosForOne;

    private final Object lock = new Object();
    /** Queued statuses of each kind, oldest first. */
    private final Map<Resource, SequencedMap<StatusTarget, PendingStatus>> waiting = new HashMap<>();

    private final Deque<Resource> turns = new ArrayDeque<>();
    private final Set<StatusTarget> writing = new HashSet<>();
    private Scheduler.@Nullable ScheduledTask alarm;
    private long notBefore;
    private int failures;
    private boolean closed;

    /**
     * @param perSecond maximum writes per second
     * @param mayWrite false while this replica must not write; checked every second
     * @param own whether this replica writes the objects of a namespace; others are dropped
     * @param waited receives the queueing time of each written status, excluding the delay
     */
    public StatusWriter(
            KubeApi management,
            int perSecond,
            BooleanSupplier mayWrite,
            Predicate<String> own,
            Consumer<Duration> waited,
            RuntimeContext around) {
        this.management = management;
        this.around = around;
        this.mayWrite = mayWrite;
        this.own = own;
        this.waited = waited;
        this.nanosForOne = Duration.ofSeconds(1).toNanos() / perSecond;
        this.notBefore = around.scheduler().nanoTime();
    }

    /** Queues a status, replacing a queued one for the same object. */
    public void enqueue(StatusStore keeper, String namespace, String name, JsonNode status) {
        synchronized (lock) {
            if (closed || !keeper.hasStatusSubresource()) {
                return;
            }
            long now = around.scheduler().nanoTime();
            queueOf(keeper.resource())
                    .merge(
                            new StatusTarget(keeper, namespace, name),
                            new PendingStatus(status, now),
                            (earlier, later) -> new PendingStatus(later.status(), earlier.since()));
            writeNext();
        }
    }

    /** Number of queued objects. */
    public int backlog() {
        synchronized (lock) {
            return waiting.values().stream().mapToInt(Map::size).sum() + writing.size();
        }
    }

    /** Drops the queue and writes nothing more. */
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

    private SequencedMap<StatusTarget, PendingStatus> queueOf(Resource kind) {
        return waiting.computeIfAbsent(kind, added -> {
            turns.add(added);
            return new LinkedHashMap<>();
        });
    }

    private void writeNext() {
        while (!closed && alarm == null && writing.size() < MOST_AT_ONCE) {
            Duration wait = untilNext();
            if (!wait.isZero()) {
                // Entries stay queued until they are written.
                if (waiting.values().stream().anyMatch(queue -> !queue.isEmpty())) {
                    sleep(wait);
                }
                return;
            }
            Map.Entry<StatusTarget, PendingStatus> next = next();
            if (next == null) {
                sleepUntilDue();
                return;
            }
            StatusTarget target = next.getKey();
            PendingStatus taken = next.getValue();
            ObjectNode patch = patch(target, taken.status());
            if (patch == null) {
                continue;
            }
            notBefore += nanosForOne;
            writing.add(target);
            waited.accept(Duration.ofNanos(
                    Math.max(0, -untilDue(taken, around.scheduler().nanoTime()))));
            around.blockingExecutor().execute(() -> write(target, taken, patch));
        }
    }

    private Duration untilNext() {
        if (!mayWrite.getAsBoolean()) {
            return FENCED;
        }
        long now = around.scheduler().nanoTime();
        // Allows a short burst after idle time, so that a single change is written at once.
        notBefore = Math.max(notBefore, now - MOST_AT_ONCE * nanosForOne);
        return notBefore > now ? Duration.ofNanos(notBefore - now) : Duration.ZERO;
    }

    /** Removes the next entry by turn and age whose delay is over and whose object is not being written. */
    private Map.@Nullable Entry<StatusTarget, PendingStatus> next() {
        long now = around.scheduler().nanoTime();
        for (int i = turns.size(); i > 0; i--) {
            Resource kind = turns.removeFirst();
            turns.addLast(kind);
            Iterator<Map.Entry<StatusTarget, PendingStatus>> queue =
                    queueOf(kind).entrySet().iterator();
            while (queue.hasNext()) {
                Map.Entry<StatusTarget, PendingStatus> entry = queue.next();
                if (untilDue(entry.getValue(), now) > 0) {
                    break; // later ones are newer
                }
                if (!writing.contains(entry.getKey())) {
                    queue.remove();
                    return Map.entry(entry.getKey(), entry.getValue());
                }
            }
        }
        return null;
    }

    private static long untilDue(PendingStatus waiting, long now) {
        return waiting.since() + REST.toNanos() - now;
    }

    private void sleepUntilDue() {
        long now = around.scheduler().nanoTime();
        waiting.values().stream()
                .flatMap(queue -> queue.entrySet().stream()
                        .filter(entry -> !writing.contains(entry.getKey()))
                        .limit(1))
                .mapToLong(entry -> untilDue(entry.getValue(), now))
                .filter(rest -> rest > 0)
                .min()
                .ifPresent(rest -> sleep(Duration.ofNanos(rest)));
    }

    /** Null if there is nothing to write. */
    private @Nullable ObjectNode patch(StatusTarget target, JsonNode wanted) {
        JsonNode stored = target.keeper().findStored(target.namespace(), target.name());
        if (stored == null || !own.test(target.namespace())) {
            return null;
        }
        ObjectNode difference = MergePatch.diff(stored, wanted);
        if (difference.isEmpty()) {
            return null;
        }
        ObjectNode patch = WireJson.object();
        patch.set("status", difference);
        return patch;
    }

    private void putBack(StatusTarget target, PendingStatus earlier) {
        SequencedMap<StatusTarget, PendingStatus> queue =
                queueOf(target.keeper().resource());
        PendingStatus later = queue.remove(target);
        queue.putFirst(target, new PendingStatus(later == null ? earlier.status() : later.status(), earlier.since()));
    }

    private void sleep(Duration wait) {
        alarm = around.scheduler().schedule(wait, () -> {
            synchronized (lock) {
                alarm = null;
                writeNext();
            }
        });
    }

    private void write(StatusTarget target, PendingStatus taken, ObjectNode patch) {
        ApiFailure failure = null;
        try {
            byte[] answer = management.send(ApiRequest.patch(
                            target.keeper().resource(),
                            target.namespace(),
                            target.name(),
                            ApiRequest.MERGE_PATCH,
                            WireJson.text(patch))
                    .withSubresource("status"));
            target.keeper().onWritten(answer);
        } catch (ApiFailure e) {
            failure = e;
        }
        synchronized (lock) {
            writing.remove(target);
            if (failure == null || failure.isNotFound()) {
                failures = 0;
            } else {
                onWriteFailed(target, taken, failure);
            }
            writeNext();
        }
    }

    private void onWriteFailed(StatusTarget target, PendingStatus taken, ApiFailure failure) {
        // If fenced at the last moment, it is written once the replica may write, and dropped if the namespace moved.
        boolean heldBack = failure.kind() == ApiFailure.ApiFailureKind.CLOSED;
        if (!heldBack && !failure.isTransient()) {
            LOG.atWarn()
                    .addKeyValue("tenant", target.namespace())
                    .addKeyValue("resource", target.keeper().resource().plural())
                    .addKeyValue("object", target.name())
                    .addKeyValue("code", failure.code())
                    .addKeyValue("cause", failure.text())
                    .log("Status not written");
            return;
        }
        failures++;
        putBack(target, taken);
        if (alarm == null && !closed) {
            sleep(BACKOFF.delayAfter(failures, failure.retryAfter(), around.random()));
        }
    }

    /** A cache of the objects of one kind with their statuses. */
    public interface StatusStore {
        Resource resource();

        /** Whether the management cluster stores statuses of this kind: another CustomResourceDefinition may not. */
        boolean hasStatusSubresource();

        /** The current status, an empty object if there is none; null if the object does not exist. */
        @Nullable JsonNode findStored(String namespace, String name);

        /** Caches the response to a write. */
        void onWritten(byte[] answer);
    }
}
