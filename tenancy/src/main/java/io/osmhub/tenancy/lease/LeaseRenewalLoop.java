package io.osmhub.tenancy.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and renews one Lease like Kubernetes leader election: a Lease is free when its holder released it, was an earlier process of
 * the same pod, or has not changed it for its duration. Clocks of machines are not compared. Thread-safe.
 *
 * <pre>
 *  waiting --free--> holding --renewed in time--> holding
 *     ^                 |
 *     +-- not renewed --+        stop: release at once
 * </pre>
 */
public final class LeaseRenewalLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewalLoop.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofSeconds(2), Duration.ofSeconds(2));
    private static final String RENEWED_TOO_LATE = "the response came too late";

    private final KubeApi api;
    private final RuntimeContext around;
    private final LeaseListener changes;
    private final RenewalLoop loop;

    private final Object lock = new Object();
    private volatile LeaseConfig terms;
    private boolean running;
    private boolean holding;
    private long renewedAt;
    private @Nullable LeaseRecord known;
    private String observed = "";
    private long observedAt;
    private String lastFailure = "";

    /** Renewals of unknown outcome since the last successful one. Confined to the renewing thread. */
    private final Set<Instant> unanswered = new HashSet<>();

    /** Last logged holder. Written by the renewing thread only. */
    private volatile String awaited = "";

    private volatile boolean suspended;

    /** Must not block. */
    public interface LeaseListener {
        /** This process holds the Lease. */
        void onAcquired();

        /** This process lost the Lease or could not renew it: {@link #canWrite} already returns false. */
        void onLost(String cause);

        /** Another process holds the Lease: {@link #awaitedHolder}. */
        default void onHeldByOther() {}
    }

    public LeaseRenewalLoop(KubeApi api, LeaseConfig terms, LeaseListener changes, RuntimeContext around) {
        this.api = api;
        this.terms = terms;
        this.changes = changes;
        this.around = around;
        this.loop = new RenewalLoop(
                "Renewal of Lease " + terms.name(),
                () -> RETRY,
                this::renewOnce,
                (cause, inARow) -> recordAttempt(cause),
                around);
    }

    public void start() {
        synchronized (lock) {
            running = true;
            renewedAt = around.scheduler().nanoTime();
        }
        loop.wake();
    }

    /** Whether this process holds the Lease and may write: false well before another may acquire it. */
    public boolean canWrite() {
        synchronized (lock) {
            return running && !suspended && holding && sinceRenewal().compareTo(terms.writeDeadline()) < 0;
        }
    }

    /** From now on {@link #canWrite} returns false. The Lease is held until {@link #stop}. Must not block. */
    public void suspend() {
        suspended = true;
    }

    /** The other process that holds the Lease; empty if none is known. */
    public String awaitedHolder() {
        return awaited;
    }

    /** Time since the last renewal; before the first one, since the start. */
    public Duration sinceRenewal() {
        synchronized (lock) {
            return Duration.ofNanos(around.scheduler().nanoTime() - renewedAt);
        }
    }

    /** Sets other annotations at the next renewal. */
    public void annotate(LeaseConfig with) {
        terms = with;
    }

    /** Renews without waiting for the interval. Must not block. */
    public void renewNow() {
        loop.wake();
    }

    /** Stops and releases the Lease; blocks until that succeeded or failed. Call it on a virtual thread. */
    public void stop() {
        loop.stop();
        LeaseRecord last;
        synchronized (lock) {
            running = false;
            last = holding ? known : null;
            holding = false;
        }
        if (last == null) {
            return;
        }
        try {
            release(last);
        } catch (ApiFailure e) {
            LOG.atDebug()
                    .addKeyValue("cause", e.getMessage())
                    .log("Could not release Lease {}, it will expire", terms.name());
        }
    }

    private void release(LeaseRecord last) throws ApiFailure {
        try {
            sendRelease(last);
        } catch (ApiFailure e) {
            // A renewal was under way.
            LeaseRecord found = e.isConflict() ? find() : null;
            if (found == null || !found.holder().equals(terms.holder())) {
                throw e;
            }
            sendRelease(found);
        }
    }

    private void sendRelease(LeaseRecord last) throws ApiFailure {
        api.send(ApiRequest.update(
                Resource.LEASES,
                terms.namespace(),
                terms.name(),
                last.released(around.scheduler().now())));
    }

    private Duration renewOnce() {
        // Counted from before the request, because the response may have been delayed.
        long begun = around.scheduler().nanoTime();
        String failure = "";
        loseIfLapsed("not renewed in time");
        try {
            step(begun);
        } catch (ApiFailure e) {
            failure = e.text();
        }
        recordAttempt(failure);
        synchronized (lock) {
            // Another process may take the Lease soon, so failures are retried at a constant rate.
            return failure.isEmpty() && holding ? terms.renewInterval() : RETRY.maxDelay();
        }
    }

    private void step(long begun) throws ApiFailure {
        LeaseRecord lease;
        synchronized (lock) {
            lease = holding ? known : null;
        }
        if (lease == null) {
            lease = find();
            unanswered.clear();
        }
        if (lease == null) {
            onTaken(LeaseRecord.of(WireJson.response(create(), "a Lease")), begun);
            return;
        }
        if (!lease.holder().equals(terms.holder()) && !isFree(lease)) {
            waitFor(lease);
            return;
        }
        try {
            renew(lease, begun);
        } catch (ApiFailure e) {
            LeaseRecord found = e.isConflict() && !unanswered.isEmpty() ? find() : null;
            if (found != null && unanswered.stream().anyMatch(at -> found.wasTaken(terms.holder(), at))) {
                // The conflict is an earlier renewal whose response was lost; the Lease is still held.
                renew(found, begun);
                return;
            }
            if (e.isConflict() || e.isNotFound()) {
                // Another writer changed it: read it again next time.
                synchronized (lock) {
                    known = null;
                }
                onTakenByOther();
            }
            throw e;
        }
    }

    private void waitFor(LeaseRecord lease) {
        if (!lease.holder().equals(awaited)) {
            awaited = lease.holder();
            LOG.atInfo()
                    .addKeyValue("holder", awaited)
                    .addKeyValue("leaseDuration", lease.duration())
                    .log("Waiting for Lease {} held by another process", terms.name());
            changes.onHeldByOther();
        }
    }

    private byte[] create() throws ApiFailure {
        ApiRequest request = ApiRequest.create(
                Resource.LEASES,
                terms.namespace(),
                LeaseRecord.created(terms, around.scheduler().now()));
        try {
            return api.send(request);
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
            createNamespace();
            return api.send(request);
        }
    }

    /** A Lease can be created unless its namespace is missing. */
    private void createNamespace() throws ApiFailure {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", "v1").put("kind", "Namespace");
        object.putObject("metadata").put("name", terms.namespace());
        try {
            api.send(ApiRequest.create(Resource.NAMESPACES, "", WireJson.text(object)));
            LOG.info("Namespace {} created", terms.namespace());
        } catch (ApiFailure e) {
            if (e.isAlreadyExists()) {
                return;
            }
            throw new ApiFailure(
                    e.kind(),
                    e.code(),
                    e.reason(),
                    "namespace " + terms.namespace() + " is missing and could not be created (" + e.text()
                            + "); run: kubectl create namespace " + terms.namespace(),
                    e.retryAfter());
        }
    }

    private void renew(LeaseRecord lease, long begun) throws ApiFailure {
        Instant now = around.scheduler().now();
        LeaseRecord renewed;
        try {
            renewed = LeaseRecord.of(WireJson.response(
                    api.send(ApiRequest.update(
                            Resource.LEASES, terms.namespace(), terms.name(), lease.taken(terms, now))),
                    "a Lease"));
        } catch (ApiFailure e) {
            if (!e.isRejection()) {
                unanswered.add(now);
            }
            throw e;
        }
        unanswered.clear();
        onTaken(renewed, begun);
    }

    private @Nullable LeaseRecord find() throws ApiFailure {
        JsonNode found = WireJson.find(api, Resource.LEASES, terms.namespace(), terms.name());
        return found == null ? null : LeaseRecord.of(found);
    }

    /** Released, held by an earlier process of this pod, or unchanged for its duration. */
    private boolean isFree(LeaseRecord lease) {
        if (lease.holder().isEmpty() || terms.isSuccessor(lease.object())) {
            return true;
        }
        String now = lease.holder() + " " + lease.renewTime() + " " + lease.resourceVersion();
        synchronized (lock) {
            if (!now.equals(observed)) {
                observed = now;
                observedAt = around.scheduler().nanoTime();
                return false;
            }
            Duration unchanged = Duration.ofNanos(around.scheduler().nanoTime() - observedAt);
            return unchanged.compareTo(lease.duration()) >= 0;
        }
    }

    private void onTaken(LeaseRecord lease, long begun) {
        boolean first;
        // The response may be so late that another process has acquired and released what the Lease stands for.
        loseIfLapsed(RENEWED_TOO_LATE);
        synchronized (lock) {
            if (!running) {
                known = lease;
                return;
            }
            first = !holding;
            holding = true;
            known = lease;
            renewedAt = begun;
        }
        if (first) {
            awaited = "";
            LOG.atInfo().addKeyValue("lease", terms.name()).log("Lease acquired");
            changes.onAcquired();
        }
    }

    private void onTakenByOther() {
        boolean was;
        synchronized (lock) {
            was = holding;
            holding = false;
        }
        if (was) {
            LOG.atWarn()
                    .addKeyValue("lease", terms.name())
                    .addKeyValue("reason", Reason.LeaseLost.wireName())
                    .log("Lease lost to another process, writes suspended until reacquired");
            changes.onLost("another process changed it");
        }
    }

    /** @param failure empty after a success */
    private void recordAttempt(String failure) {
        boolean news;
        synchronized (lock) {
            news = !failure.isEmpty() && !failure.equals(lastFailure);
            lastFailure = failure;
            if (!running) {
                return;
            }
        }
        if (!loseIfLapsed(failure.isEmpty() ? RENEWED_TOO_LATE : failure) && news) {
            LOG.atWarn()
                    .addKeyValue("lease", terms.name())
                    .addKeyValue("cause", failure)
                    .log("Could not acquire or renew Lease");
        }
    }

    /** Once {@link #canWrite} has returned false for lack of a renewal, it returns true only after the listener was notified. */
    private boolean loseIfLapsed(String cause) {
        synchronized (lock) {
            if (!running || !holding || sinceRenewal().compareTo(terms.writeDeadline()) < 0) {
                return false;
            }
            holding = false;
            known = null;
        }
        LOG.atWarn()
                .addKeyValue("lease", terms.name())
                .addKeyValue("reason", Reason.LeaseLost.wireName())
                .addKeyValue("cause", cause)
                .log("Could not renew Lease, writes suspended until renewed");
        changes.onLost(cause);
        return true;
    }

    /** Error of the last attempt; empty if it succeeded. */
    public String lastFailure() {
        synchronized (lock) {
            return lastFailure;
        }
    }

    /**
     * A Lease as read.
     *
     * @param holder empty if released
     * @param renewTime kept as text: because clocks differ, only its changes matter
     */
    record LeaseRecord(
            String resourceVersion,
            String holder,
            Duration duration,
            String renewTime,
            int transitions,
            JsonNode object) {
        private static final DateTimeFormatter MICROS =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

        static LeaseRecord of(JsonNode object) {
            JsonNode spec = object.path("spec");
            return new LeaseRecord(
                    object.path("metadata").path("resourceVersion").asText(),
                    spec.path("holderIdentity").asText(),
                    Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
                    spec.path("renewTime").asText(),
                    spec.path("leaseTransitions").asInt(),
                    object);
        }

        /** The renewal time; the epoch if there is none that can be read. */
        Instant renewedAt() {
            try {
                return Instant.parse(renewTime);
            } catch (DateTimeException e) {
                return Instant.EPOCH;
            }
        }

        /** A new Lease, held from now on. */
        static String created(LeaseConfig terms, Instant now) {
            ObjectNode object = WireJson.object();
            object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
            ObjectNode metadata = object.putObject("metadata");
            metadata.put("namespace", terms.namespace()).put("name", terms.name());
            put(metadata, "labels", terms.labels());
            put(metadata, "annotations", terms.annotations());
            own(metadata, terms);
            ObjectNode spec = object.putObject("spec");
            hold(spec, terms, now);
            spec.put("acquireTime", MICROS.format(now)).put("leaseTransitions", 0);
            return WireJson.text(object);
        }

        /** This Lease, acquired or renewed. Its version causes a conflict with other writers. */
        String taken(LeaseConfig terms, Instant now) {
            ObjectNode changed = object.deepCopy();
            ObjectNode metadata = changed.withObject("/metadata");
            metadata.remove("managedFields");
            put(metadata, "annotations", terms.annotations());
            own(metadata, terms);
            ObjectNode spec = changed.withObject("/spec");
            if (!holder.equals(terms.holder())) {
                spec.put("acquireTime", MICROS.format(now)).put("leaseTransitions", transitions + 1);
            }
            hold(spec, terms, now);
            return WireJson.text(changed);
        }

        /** This Lease, released, so that the next holder need not wait. */
        String released(Instant now) {
            ObjectNode changed = object.deepCopy();
            changed.withObject("/metadata").remove("managedFields");
            changed.withObject("/spec")
                    .put("holderIdentity", "")
                    .put("leaseDurationSeconds", 1)
                    .put("renewTime", MICROS.format(now));
            return WireJson.text(changed);
        }

        /** Whether that holder wrote it at that time. */
        boolean wasTaken(String by, Instant at) {
            return holder.equals(by) && renewTime.equals(MICROS.format(at));
        }

        private static void hold(ObjectNode spec, LeaseConfig terms, Instant now) {
            spec.put("holderIdentity", terms.holder())
                    .put("leaseDurationSeconds", terms.duration().toSeconds())
                    .put("renewTime", MICROS.format(now));
        }

        /** A pod takes the Lease from an earlier one of its name. */
        private static void own(ObjectNode metadata, LeaseConfig terms) {
            LeaseConfig.OwnerPod pod = terms.pod();
            if (pod != null) {
                metadata.putArray("ownerReferences")
                        .addObject()
                        .put("apiVersion", "v1")
                        .put("kind", "Pod")
                        .put("name", pod.name())
                        .put("uid", pod.uid());
            }
        }

        private static void put(ObjectNode metadata, String field, Map<String, String> values) {
            if (!values.isEmpty()) {
                ObjectNode object = metadata.withObject("/" + field);
                values.forEach(object::put);
            }
        }
    }
}
