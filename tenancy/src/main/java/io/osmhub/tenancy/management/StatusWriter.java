package io.osmhub.tenancy.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MergePatch;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses asynchronously: after a short delay, so that simultaneous changes are one write; only the latest for each
 * object, only if it differs, and at a limited rate. Kinds take turns, so that thousands of OperatingSystemConfigs do not delay
 * WorkerClusters; within a kind, minor changes yield to all others. All yield to runs that wait, because machines wait for those.
 * Thread-safe; must not block.
 */
public final class StatusWriter {
    /** Default maximum writes per second for the whole hub. */
    public static final int USUAL_RATE = 80;

    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final int CONCURRENT_WRITES = 4;
    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration FENCED_INTERVAL = Duration.ofSeconds(1);

    private static final Duration YIELD_INTERVAL = Duration.ofMillis(50);

    /** How long a status yields to runs, at most. */
    private static final Duration MAX_YIELD = Duration.ofSeconds(5);

    /** Delay before a status is written: longer than the interval between runs of a new object, too short to notice. */
    private static final Duration DELAY = Duration.ofMillis(300);

    /**
     * How fast statuses are written.
     *
     * @param perSecond maximum writes per second, on average
     * @param yields whether runs wait
     */
    public record StatusPace(int perSecond, BooleanSupplier yields) {}

    private record StatusTarget(StatusStore store, String namespace, String name) {
        @Override
        public String toString() {
            return store.resource().plural() + " " + namespace + "/" + name;
        }
    }

    /** A queued status, and since when. */
    private record PendingStatus(JsonNode status, long since, boolean minor) {
        PendingStatus replacedBy(PendingStatus later) {
            return new PendingStatus(later.status, since, minor && later.minor);
        }
    }

    private final KubeApi managementApi;
    private final RuntimeContext runtimeContext;
    private final StatusPace pace;
    private final BooleanSupplier mayWrite;
    private final Predicate<String> served;
    private final Consumer<Duration> waitObserver;
    private final long nanosPerWrite;
    private final WorkQueue workQueue;

    /** Uids of objects that exist although writing their status got 404. */
    private final Map<StatusTarget, String> foundDespite404 = new ConcurrentHashMap<>();

    private final Object lock = new Object();
    // All guarded by the lock.
    /** By kind; the first one that is resumed gets the next writes. */
    private final SequencedMap<Resource, TenantQueue<StatusTarget>> queues = new LinkedHashMap<>();

    private final Map<StatusTarget, PendingStatus> pending = new HashMap<>();
    private final Map<StatusTarget, PendingStatus> writing = new HashMap<>();
    /** When the next write is within the rate. */
    private long nextWriteNanos;
    /** The queues are paused until then. */
    private long pausedUntilNanos;

    private boolean resumeScheduled;
    private int failures;
    private boolean closed;

    /**
     * @param mayWrite false while this replica must not write; checked every second
     * @param served whether this replica writes the objects of a namespace; others are dropped
     * @param waitObserver receives the queueing time of each written status, excluding the delay
     */
    public StatusWriter(
            KubeApi managementApi,
            StatusPace pace,
            BooleanSupplier mayWrite,
            Predicate<String> served,
            Consumer<Duration> waitObserver,
            RuntimeContext runtimeContext) {
        this.managementApi = managementApi;
        this.runtimeContext = runtimeContext;
        this.pace = pace;
        this.mayWrite = mayWrite;
        this.served = served;
        this.waitObserver = waitObserver;
        this.nanosPerWrite = Duration.ofSeconds(1).toNanos() / pace.perSecond();
        this.workQueue = new WorkQueue(
                runtimeContext.blockingExecutor(),
                runtimeContext.scheduler(),
                runtimeContext.random(),
                CONCURRENT_WRITES);
        this.nextWriteNanos = now();
        this.pausedUntilNanos = nextWriteNanos;
    }

    private long now() {
        return runtimeContext.scheduler().nanoTime();
    }

    /** Queues a status, replacing a queued one for the same object. */
    public void enqueue(StatusStore store, String namespace, String name, JsonNode status) {
        enqueue(store, namespace, name, status, false);
    }

    /** @param minor whether it may wait until all other statuses of the kind are written */
    public void enqueue(StatusStore store, String namespace, String name, JsonNode status, boolean minor) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            StatusTarget target = new StatusTarget(store, namespace, name);
            PendingStatus before = pending.get(target);
            PendingStatus added = new PendingStatus(status, now(), minor);
            PendingStatus latest = before == null ? added : before.replacedBy(added);
            pending.put(target, latest);
            if (before == null || before.minor() != latest.minor()) {
                Duration rest = Duration.ofNanos(Math.max(0, latest.since() + DELAY.toNanos() - now()));
                TenantQueue<StatusTarget> queue = queueOf(store.resource());
                runtimeContext
                        .scheduler()
                        .schedule(rest, () -> queue.add(target, latest.minor() ? Urgency.RESYNC : Urgency.FRESH));
            }
        }
    }

    private TenantQueue<StatusTarget> queueOf(Resource kind) {
        return queues.computeIfAbsent(kind, added -> {
            TenantQueue<StatusTarget> queue =
                    workQueue.createTenantQueue(CONCURRENT_WRITES, (target, failed) -> write(target));
            if (pausedUntilNanos - now() > 0) {
                queue.pause();
            }
            return queue;
        });
    }

    /** The latest status of an object that is not stored yet; null if there is none. */
    public @Nullable JsonNode findQueued(StatusStore store, String namespace, String name) {
        StatusTarget target = new StatusTarget(store, namespace, name);
        synchronized (lock) {
            PendingStatus latest = pending.getOrDefault(target, writing.get(target));
            return latest == null ? null : latest.status();
        }
    }

    /**
     * Queues the statuses of a kind that are not stored where they are written now, unless a newer one is on its way there. For when
     * this replica begins to serve.
     */
    public void moveToPlace(StatusStore store) {
        for (ObjectKey key : store.keysIn(StoredStatus.Place.otherThan(store.hasStatusSubresource()))) {
            synchronized (lock) {
                StoredStatus stored = store.findStored(key.namespace(), key.name());
                if (stored != null && findQueued(store, key.namespace(), key.name()) == null) {
                    enqueue(store, key.namespace(), key.name(), stored.status(), true);
                }
            }
        }
    }

    /** Number of queued objects. */
    public int backlog() {
        synchronized (lock) {
            return pending.size() + writing.size();
        }
    }

    /** Drops the queue and writes nothing more. */
    public void close() {
        synchronized (lock) {
            closed = true;
            pending.clear();
            queues.values().forEach(TenantQueue::close);
        }
    }

    private RequeueDecision write(StatusTarget target) {
        PendingStatus status;
        ApiRequest request;
        synchronized (lock) {
            if (!mayWrite.getAsBoolean()) {
                return pause(FENCED_INTERVAL);
            }
            PendingStatus latest = pending.get(target);
            if (latest != null
                    && now() - latest.since() < MAX_YIELD.toNanos()
                    && pace.yields().getAsBoolean()) {
                return pause(YIELD_INTERVAL);
            }
            status = pending.remove(target);
            request = status == null ? null : request(target, status.status());
            if (status == null || request == null) {
                return new RequeueDecision.Done();
            }
            writing.put(target, status);
            waitObserver.accept(Duration.ofNanos(Math.max(0, now() - status.since() - DELAY.toNanos())));
            // Allows a short burst after idle time, so that a single change is written at once.
            nextWriteNanos = Math.max(nextWriteNanos, now() - CONCURRENT_WRITES * nanosPerWrite) + nanosPerWrite;
            if (nextWriteNanos > now()) {
                pause(Duration.ofNanos(nextWriteNanos - now()));
            }
        }
        return write(target, status, request);
    }

    /** Starts no write for some time; the queues keep their keys. */
    private RequeueDecision pause(Duration duration) {
        pausedUntilNanos = Math.max(pausedUntilNanos, now() + duration.toNanos());
        queues.values().forEach(TenantQueue::pause);
        if (!resumeScheduled) {
            scheduleResume();
        }
        return new RequeueDecision.RequeueAfter(Duration.ZERO);
    }

    private void scheduleResume() {
        resumeScheduled = true;
        runtimeContext.scheduler().schedule(Duration.ofNanos(pausedUntilNanos - now()), this::resume);
    }

    private void resume() {
        synchronized (lock) {
            resumeScheduled = false;
            if (closed) {
                return;
            }
            if (pausedUntilNanos - now() > 0) {
                // Paused for longer since, or the timer rang early.
                scheduleResume();
                return;
            }
            if (!mayWrite.getAsBoolean()) {
                pause(FENCED_INTERVAL);
                return;
            }
            Map.Entry<Resource, TenantQueue<StatusTarget>> first = queues.firstEntry();
            if (first != null) {
                queues.putLast(first.getKey(), first.getValue());
            }
            queues.values().forEach(TenantQueue::resume);
        }
    }

    /** Null if there is nothing to write. */
    private @Nullable ApiRequest request(StatusTarget target, JsonNode wanted) {
        StoredStatus stored = target.store().findStored(target.namespace(), target.name());
        if (stored == null || !served.test(target.namespace())) {
            return null;
        }
        boolean inField = target.store().hasStatusSubresource();
        boolean moves = stored.place() == StoredStatus.Place.otherThan(inField);
        ObjectNode difference = MergePatch.diff(moves ? WireJson.object() : stored.status(), wanted);
        if (difference.isEmpty()) {
            return null;
        }
        ObjectNode patch = WireJson.object();
        if (inField) {
            patch.set("status", difference);
            return patch(target, patch).withSubresource("status");
        }
        patch.putObject("metadata").putObject("annotations").put(StoredStatus.ANNOTATION, WireJson.text(wanted));
        if (moves) {
            // An old field would be read instead. An API server with the subresource ignores it here.
            patch.putNull("status");
        }
        return patch(target, patch);
    }

    private static ApiRequest patch(StatusTarget target, ObjectNode patch) {
        return ApiRequest.patch(
                target.store().resource(),
                target.namespace(),
                target.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch));
    }

    private RequeueDecision write(StatusTarget target, PendingStatus status, ApiRequest request) {
        ApiFailure failure = null;
        try {
            target.store().onWritten(managementApi.send(request));
        } catch (ApiFailure e) {
            failure = e;
        } catch (RuntimeException e) {
            // A bug must not keep later statuses of the object from being written.
            LOG.error("Cannot process the status of {}", target, e);
            failure = ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, e.getClass().getSimpleName());
        }
        SubresourceState state =
                request.subresource().isEmpty() ? SubresourceState.USABLE : subresourceState(target, failure);
        boolean unusable = state == SubresourceState.UNUSABLE;
        if (unusable) {
            target.store().onSubresourceUnusable();
            LOG.info(
                    "Statuses of {} are stored in annotation {}: {}",
                    target.store().resource().plural(),
                    StoredStatus.ANNOTATION,
                    failure == null ? "" : failure.text());
        }
        // If fenced at the last moment, it is written once the replica may write, and dropped if the namespace moved.
        boolean passes =
                failure != null && (failure.kind() == ApiFailure.ApiFailureKind.CLOSED || failure.isTransient());
        synchronized (lock) {
            writing.remove(target);
            boolean again = state != SubresourceState.USABLE;
            if ((again || passes) && !closed) {
                pending.merge(target, status, (later, earlier) -> earlier.replacedBy(later));
            }
            if (again) {
                return new RequeueDecision.RequeueAfter(Duration.ZERO);
            }
            if (failure != null && passes) {
                failures++;
                return pause(BACKOFF.delayAfter(failures, failure.retryAfter(), runtimeContext.random()));
            }
            if (failure == null || failure.isNotFound()) {
                failures = 0;
                return new RequeueDecision.Done();
            }
        }
        LOG.atWarn()
                .addKeyValue("tenant", target.namespace())
                .addKeyValue("resource", target.store().resource().plural())
                .addKeyValue("object", target.name())
                .addKeyValue("code", failure.code())
                .addKeyValue("cause", failure.text())
                .log("Status not written");
        return new RequeueDecision.Done();
    }

    private enum SubresourceState {
        USABLE,
        /** The next write decides. */
        DOUBTFUL,
        UNUSABLE
    }

    /**
     * Whether the API server rejects the subresource, not this object. It responds 404 both to a missing subresource and to a
     * missing object, and OSM's roles do not grant the subresource. An object may be deleted before the write and exist again after
     * it, as one that is replaced; it exists throughout if it is found after two writes.
     */
    private SubresourceState subresourceState(StatusTarget target, @Nullable ApiFailure failure) {
        if (failure != null && failure.isForbidden() && target.store().isSubresourceOptional()) {
            return SubresourceState.UNUSABLE;
        }
        String before = foundDespite404.remove(target);
        if (failure == null || !failure.isNotFound() || !target.store().isSubresourceOptional()) {
            return SubresourceState.USABLE;
        }
        try {
            String uid = ObjectMetadata.of(WireJson.read(managementApi.send(
                            ApiRequest.get(target.store().resource(), target.namespace(), target.name()))))
                    .uid();
            if (uid.equals(before)) {
                return SubresourceState.UNUSABLE;
            }
            foundDespite404.put(target, uid);
            return SubresourceState.DOUBTFUL;
        } catch (ApiFailure | IOException e) {
            // Deleted, or the next write decides.
            return SubresourceState.USABLE;
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

        /** Objects whose status is stored there. */
        Collection<ObjectKey> keysIn(StoredStatus.Place place);

        /** Caches the response to a write. */
        void onWritten(byte[] answer);
    }
}
