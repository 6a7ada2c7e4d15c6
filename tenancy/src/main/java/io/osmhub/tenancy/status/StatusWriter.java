package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses asynchronously: after a short delay, so that simultaneous changes are one write; only the latest for each
 * object, only if it differs, and at a limited rate. Kinds take turns, so that thousands of OperatingSystemConfigs do not delay
 * WorkerClusters; within a kind, minor changes wait for all others. Thread-safe; must not block.
 */
public final class StatusWriter {
    /** Default maximum writes per second for the whole hub. */
    public static final int USUAL_RATE = 80;

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

    /** Time after which all API servers of the management cluster serve a changed CustomResourceDefinition. */
    private static final Duration DEFINITION_SERVED = Duration.ofSeconds(10);

    /** A queued status, and since when; null stands for the status as stored when it is written. */
    private record PendingStatus(@Nullable JsonNode status, long since, boolean minor) {}

    private final KubeApi management;
    private final RuntimeContext around;
    private final BooleanSupplier mayWrite;
    private final Predicate<String> own;
    private final Consumer<Duration> waited;
    private final long nanosForOne;

    private final Object lock = new Object();
    /** Queued statuses of each kind, oldest first. */
    private final Map<Resource, SequencedMap<StatusTarget, PendingStatus>> waiting = new HashMap<>();

    /**
     * Whether the cache of a kind has been listed since its definition changed. Until then its watch may deliver objects without
     * the status field, so annotations must stay. Absent if unknown.
     */
    private final Map<Resource, AtomicBoolean> listedAgain = new HashMap<>();

    private final Deque<Resource> turns = new ArrayDeque<>();
    private final Map<StatusTarget, PendingStatus> writing = new HashMap<>();
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
        enqueue(keeper, namespace, name, status, false);
    }

    /** @param minor whether it may wait until all other statuses of the kind are written */
    public void enqueue(StatusStore keeper, String namespace, String name, JsonNode status, boolean minor) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            long now = around.scheduler().nanoTime();
            queueOf(keeper.resource())
                    .merge(
                            new StatusTarget(keeper, namespace, name),
                            new PendingStatus(status, now, minor),
                            (earlier, later) -> new PendingStatus(
                                    later.status(), earlier.since(), earlier.minor() && later.minor()));
            writeNext();
        }
    }

    /** The latest status of an object that is not stored yet; null if there is none. */
    public @Nullable JsonNode findQueued(StatusStore keeper, String namespace, String name) {
        StatusTarget target = new StatusTarget(keeper, namespace, name);
        synchronized (lock) {
            PendingStatus latest = queueOf(keeper.resource()).get(target);
            if (latest == null || latest.status() == null) {
                latest = writing.get(target);
            }
            return latest == null ? null : latest.status();
        }
    }

    /** Moves all statuses of a kind to where they are stored now: its CustomResourceDefinition changed. */
    public void relocate(StatusStore keeper) {
        synchronized (lock) {
            scheduleRelist(keeper);
        }
        enqueueAll(keeper);
    }

    private AtomicBoolean scheduleRelist(StatusStore keeper) {
        AtomicBoolean listed = new AtomicBoolean();
        listedAgain.put(keeper.resource(), listed);
        around.scheduler().schedule(DEFINITION_SERVED, () -> {
            synchronized (lock) {
                if (listedAgain.get(keeper.resource()) != listed) {
                    return; // the definition has changed again
                }
            }
            keeper.relist(() -> {
                listed.set(true);
                enqueueAll(keeper);
            });
        });
        return listed;
    }

    private void enqueueAll(StatusStore keeper) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            long now = around.scheduler().nanoTime();
            for (ObjectKey key : keeper.keys()) {
                StoredStatus stored = keeper.findStored(key.namespace(), key.name());
                if (stored != null && !stored.status().isEmpty()) {
                    queueOf(keeper.resource())
                            .putIfAbsent(
                                    new StatusTarget(keeper, key.namespace(), key.name()),
                                    new PendingStatus(null, now, false));
                }
            }
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
            ApiRequest request = request(target, taken.status());
            if (request == null) {
                continue;
            }
            notBefore += nanosForOne;
            writing.put(target, taken);
            waited.accept(Duration.ofNanos(
                    Math.max(0, -untilDue(taken, around.scheduler().nanoTime()))));
            around.blockingExecutor().execute(() -> write(target, taken, request));
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

    /** Removes the next entry by turn, importance and age whose delay is over and whose object is not being written. */
    private Map.@Nullable Entry<StatusTarget, PendingStatus> next() {
        long now = around.scheduler().nanoTime();
        for (int i = turns.size(); i > 0; i--) {
            Resource kind = turns.removeFirst();
            turns.addLast(kind);
            Map.Entry<StatusTarget, PendingStatus> found = null;
            for (Map.Entry<StatusTarget, PendingStatus> entry : queueOf(kind).entrySet()) {
                if (untilDue(entry.getValue(), now) > 0
                        || found != null && !found.getValue().minor()) {
                    break; // later ones are newer
                }
                if (!writing.containsKey(entry.getKey())
                        && (found == null || !entry.getValue().minor())) {
                    found = Map.entry(entry.getKey(), entry.getValue());
                }
            }
            if (found != null) {
                queueOf(kind).remove(found.getKey());
                return found;
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
                        .filter(entry -> !writing.containsKey(entry.getKey()))
                        .limit(1))
                .mapToLong(entry -> untilDue(entry.getValue(), now))
                .filter(rest -> rest > 0)
                .min()
                .ifPresent(rest -> sleep(Duration.ofNanos(rest)));
    }

    /** Null if there is nothing to write. */
    private @Nullable ApiRequest request(StatusTarget target, @Nullable JsonNode queued) {
        StoredStatus stored = target.keeper().findStored(target.namespace(), target.name());
        if (stored == null || !own.test(target.namespace())) {
            return null;
        }
        JsonNode wanted = queued == null ? stored.status() : queued;
        StoredStatus.Place place = stored.place();
        if (!target.keeper().hasStatusSubresource()) {
            boolean current = place == StoredStatus.Place.ANNOTATION
                    && MergePatch.diff(stored.status(), wanted).isEmpty();
            return current ? null : annotate(target, TextNode.valueOf(WireJson.text(wanted)));
        }
        ObjectNode difference = MergePatch.diff(place.isField() ? stored.status() : WireJson.object(), wanted);
        if (!difference.isEmpty()) {
            ObjectNode patch = WireJson.object();
            patch.set("status", difference);
            return patch(target, patch).withSubresource("status");
        }
        // Written to the field before, so nothing is lost in between.
        return place.isAnnotation() && mayRemoveAnnotation(target.keeper())
                ? annotate(target, NullNode.getInstance())
                : null;
    }

    /** If not yet, the objects of the kind are queued again when it may. */
    private boolean mayRemoveAnnotation(StatusStore keeper) {
        AtomicBoolean listed = listedAgain.get(keeper.resource());
        return (listed == null ? scheduleRelist(keeper) : listed).get();
    }

    private static ApiRequest annotate(StatusTarget target, JsonNode value) {
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").putObject("annotations").set(StoredStatus.ANNOTATION, value);
        return patch(target, patch);
    }

    private static ApiRequest patch(StatusTarget target, ObjectNode patch) {
        return ApiRequest.patch(
                target.keeper().resource(),
                target.namespace(),
                target.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch));
    }

    private void putBack(StatusTarget target, PendingStatus earlier) {
        SequencedMap<StatusTarget, PendingStatus> queue =
                queueOf(target.keeper().resource());
        PendingStatus later = queue.remove(target);
        JsonNode status = later == null || later.status() == null ? earlier.status() : later.status();
        boolean minor = earlier.minor() && (later == null || later.minor());
        queue.putFirst(target, new PendingStatus(status, earlier.since(), minor));
    }

    private void sleep(Duration wait) {
        alarm = around.scheduler().schedule(wait, () -> {
            synchronized (lock) {
                alarm = null;
                writeNext();
            }
        });
    }

    private void write(StatusTarget target, PendingStatus taken, ApiRequest request) {
        StatusStore keeper = target.keeper();
        ApiFailure failure = null;
        boolean unusable = false;
        try {
            keeper.onWritten(management.send(request));
        } catch (ApiFailure e) {
            failure = e;
            unusable = !request.subresource().isEmpty() && isSubresourceUnusable(target, e);
        } catch (RuntimeException e) {
            // A bug must not keep later statuses of the object from being written.
            LOG.error("Cannot process the status of {}", target, e);
            failure = ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, e.getClass().getSimpleName());
        }
        synchronized (lock) {
            writing.remove(target);
            if (unusable) {
                keeper.onSubresourceUnusable();
                putBack(target, taken);
            } else if (failure == null || failure.isNotFound()) {
                failures = 0;
                StoredStatus stored = keeper.findStored(target.namespace(), target.name());
                if (failure == null
                        && stored != null
                        && stored.place() == StoredStatus.Place.BOTH
                        && keeper.hasStatusSubresource()
                        && mayRemoveAnnotation(keeper)) {
                    queueOf(keeper.resource()).putIfAbsent(target, new PendingStatus(null, taken.since(), false));
                }
            } else {
                onWriteFailed(target, taken, failure);
            }
            writeNext();
        }
        if (unusable) {
            LOG.info(
                    "Statuses of {} are stored in annotation {}: {}",
                    keeper.resource().plural(),
                    StoredStatus.ANNOTATION,
                    failure == null ? "" : failure.text());
            relocate(keeper);
        }
    }

    /**
     * Whether the API server rejects the subresource, not this object. It responds 404 both to a missing subresource and to a
     * missing object, and OSM's roles do not grant the subresource.
     */
    private boolean isSubresourceUnusable(StatusTarget target, ApiFailure failure) {
        if (failure.isForbidden()) {
            return target.keeper().isSubresourceOptional();
        }
        if (!failure.isNotFound() || !target.keeper().isSubresourceOptional()) {
            return false;
        }
        try {
            management.send(ApiRequest.get(target.keeper().resource(), target.namespace(), target.name()));
            return true;
        } catch (ApiFailure e) {
            // Deleted, or the next write decides.
            return false;
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

        /** Whether statuses are written to the status subresource; otherwise to {@link StoredStatus#ANNOTATION}. */
        boolean hasStatusSubresource();

        /** Whether another product may manage the CustomResourceDefinition. */
        boolean isSubresourceOptional();

        /** The API server does not serve the status subresource, or the hub may not write it. */
        void onSubresourceUnusable();

        /** The current status; null if the object does not exist. */
        @Nullable StoredStatus findStored(String namespace, String name);

        /** All objects. */
        Collection<ObjectKey> keys();

        /**
         * Lists all objects again and watches from there.
         *
         * @param onListed called after the list; must not block
         */
        void relist(Runnable onListed);

        /** Caches the response to a write. */
        void onWritten(byte[] answer);
    }
}
