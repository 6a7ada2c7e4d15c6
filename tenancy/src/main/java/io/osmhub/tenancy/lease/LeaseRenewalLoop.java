package io.osmhub.tenancy.lease;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.management.ObservedRenewals;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
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

    private final Supplier<KubeApi> api;
    private final RuntimeContext runtimeContext;
    private final Runnable changed;
    private final RenewalLoop loop;

    private final Object lock = new Object();
    private volatile LeaseConfig leaseConfig;
    private boolean running;
    private boolean holding;
    private long renewedAt;
    private @Nullable Lease lease;
    private final ObservedRenewals observedRenewals = new ObservedRenewals();
    private String lastFailure = "";

    /** Renewals of unknown outcome since the last successful one. Confined to the renewing thread. */
    private final Set<Instant> unanswered = new HashSet<>();

    /** Last logged holder. Written by the renewing thread only. */
    private volatile String awaited = "";

    private volatile boolean suspended;

    /**
     * A loop that does nothing yet.
     *
     * @param api read before each request
     * @param changed called when this process has acquired or lost the Lease, and when another one holds it: {@link #canWrite}, {@link
     *     #awaitedHolder}; must not block
     */
    public LeaseRenewalLoop(
            Supplier<KubeApi> api, LeaseConfig leaseConfig, Runnable changed, RuntimeContext runtimeContext) {
        this.api = api;
        this.leaseConfig = leaseConfig;
        this.changed = changed;
        this.runtimeContext = runtimeContext;
        this.loop = new RenewalLoop(
                "Renewal of Lease " + leaseConfig.name(),
                () -> RETRY,
                this::renewOnce,
                (cause, inARow) -> recordAttempt(cause),
                runtimeContext);
    }

    public void start() {
        synchronized (lock) {
            running = true;
            renewedAt = runtimeContext.scheduler().nanoTime();
        }
        loop.wake();
    }

    /** Whether this process holds the Lease and may write: false well before another may acquire it. */
    public boolean canWrite() {
        synchronized (lock) {
            return running && !suspended && holding && sinceRenewal().compareTo(leaseConfig.writeDeadline()) < 0;
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
            return Duration.ofNanos(runtimeContext.scheduler().nanoTime() - renewedAt);
        }
    }

    /** Sets other annotations at the next renewal. */
    public void annotate(LeaseConfig other) {
        leaseConfig = other;
    }

    /** Renews without waiting for the interval. Must not block. */
    public void renewNow() {
        loop.wake();
    }

    /** Stops and releases the Lease; blocks until that succeeded or failed. Call it on a virtual thread. */
    public void stop() {
        loop.stop();
        Lease last;
        synchronized (lock) {
            running = false;
            last = holding ? lease : null;
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
                    .log("Could not release Lease {}, it will expire", leaseConfig.name());
        }
    }

    private void release(Lease last) throws ApiFailure {
        try {
            update(released(last));
        } catch (ApiFailure e) {
            // A renewal was under way.
            Lease found = e.isConflict() ? find() : null;
            if (found == null || !isHeldBy(leaseConfig.holder(), found)) {
                throw e;
            }
            update(released(found));
        }
    }

    private Duration renewOnce() {
        // Counted from before the request, because the response may have been delayed.
        long begun = runtimeContext.scheduler().nanoTime();
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
            return failure.isEmpty() && holding ? leaseConfig.renewInterval() : RETRY.maxDelay();
        }
    }

    private void step(long begun) throws ApiFailure {
        Lease found;
        synchronized (lock) {
            found = holding ? lease : null;
        }
        if (found == null) {
            found = find();
            unanswered.clear();
        }
        if (found == null) {
            onTaken(create(), begun);
            return;
        }
        if (!isHeldBy(leaseConfig.holder(), found) && !isFree(found)) {
            waitFor(found);
            return;
        }
        try {
            renew(found, begun);
        } catch (ApiFailure e) {
            Lease changed = e.isConflict() && !unanswered.isEmpty() ? find() : null;
            if (changed != null
                    && isHeldBy(leaseConfig.holder(), changed)
                    && unanswered.contains(Leases.renewTime(changed))) {
                // The conflict is an earlier renewal whose response was lost; the Lease is still held.
                renew(changed, begun);
                return;
            }
            if (e.isConflict() || e.isNotFound()) {
                // Another writer changed it: read it again next time.
                synchronized (lock) {
                    lease = null;
                }
                onTakenByOther();
            }
            throw e;
        }
    }

    private void waitFor(Lease held) {
        String holder = Leases.holder(held);
        if (!holder.equals(awaited)) {
            awaited = holder;
            LOG.atInfo()
                    .addKeyValue("holder", awaited)
                    .addKeyValue("leaseDuration", duration(held))
                    .log("Waiting for Lease {} held by another process", leaseConfig.name());
            changed.run();
        }
    }

    private Lease create() throws ApiFailure {
        Lease created = taken(null, leaseConfig, now());
        try {
            return api.get().call(client -> client.leases().resource(created).create());
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
            createNamespace();
            return api.get().call(client -> client.leases().resource(created).create());
        }
    }

    /** A Lease can be created unless its namespace is missing. */
    private void createNamespace() throws ApiFailure {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName(leaseConfig.namespace())
                .endMetadata()
                .build();
        try {
            api.get().call(client -> client.namespaces().resource(namespace).create());
            LOG.info("Namespace {} created", leaseConfig.namespace());
        } catch (ApiFailure e) {
            if (e.isAlreadyExists()) {
                return;
            }
            throw new ApiFailure(
                    e.kind(),
                    e.code(),
                    e.reason(),
                    "namespace " + leaseConfig.namespace() + " is missing and could not be created (" + e.text()
                            + "); run: kubectl create namespace " + leaseConfig.namespace(),
                    e.retryAfter());
        }
    }

    private void renew(Lease found, long begun) throws ApiFailure {
        Instant now = now();
        Lease renewed;
        try {
            renewed = update(taken(found, leaseConfig, now));
        } catch (ApiFailure e) {
            if (!e.isRejection()) {
                unanswered.add(now);
            }
            throw e;
        }
        unanswered.clear();
        onTaken(renewed, begun);
    }

    /** The version of the Lease causes a conflict with other writers. */
    private Lease update(Lease changed) throws ApiFailure {
        return api.get().call(client -> client.leases().resource(changed).update());
    }

    private @Nullable Lease find() throws ApiFailure {
        return Leases.find(api.get(), leaseConfig.namespace(), leaseConfig.name());
    }

    /** With the precision of a stored Lease. */
    private Instant now() {
        return runtimeContext.scheduler().now().truncatedTo(ChronoUnit.MICROS);
    }

    /** Released, held by an earlier process of this pod, or unchanged for its duration. */
    private boolean isFree(Lease found) {
        if (isHeldBy("", found) || leaseConfig.isSuccessor(found)) {
            return true;
        }
        Duration unchanged = observedRenewals.unchangedFor(
                leaseConfig.name(),
                found.getMetadata().getResourceVersion(),
                runtimeContext.scheduler().nanoTime());
        return unchanged.isPositive() && unchanged.compareTo(duration(found)) >= 0;
    }

    private static boolean isHeldBy(String holder, Lease found) {
        return Leases.holder(found).equals(holder);
    }

    private static Duration duration(Lease found) {
        return Leases.duration(found, Duration.ZERO);
    }

    /**
     * The Lease, acquired or renewed.
     *
     * @param found null to create it
     */
    static Lease taken(@Nullable Lease found, LeaseConfig config, Instant now) {
        ZonedDateTime time = now.atZone(ZoneOffset.UTC);
        LeaseBuilder changed = (found == null ? new LeaseBuilder() : new LeaseBuilder(found))
                .editOrNewMetadata()
                .withNamespace(config.namespace())
                .withName(config.name())
                .withManagedFields()
                .addToLabels(config.labels())
                .addToAnnotations(config.annotations())
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(config.holder())
                .withLeaseDurationSeconds((int) config.duration().toSeconds())
                .withRenewTime(time)
                .endSpec();
        if (found == null || !isHeldBy(config.holder(), found)) {
            Integer transitions = found == null || found.getSpec() == null
                    ? null
                    : found.getSpec().getLeaseTransitions();
            int next = found == null ? 0 : Objects.requireNonNullElse(transitions, 0) + 1;
            changed.editSpec().withAcquireTime(time).withLeaseTransitions(next).endSpec();
        }
        LeaseConfig.OwnerPod pod = config.pod();
        if (pod != null) {
            // A pod takes the Lease from an earlier one of its name.
            changed.editMetadata()
                    .withOwnerReferences(new OwnerReferenceBuilder()
                            .withApiVersion("v1")
                            .withKind("Pod")
                            .withName(pod.name())
                            .withUid(pod.uid())
                            .build())
                    .endMetadata();
        }
        return changed.build();
    }

    /** The Lease, released, so that the next holder need not wait. */
    private Lease released(Lease held) {
        return new LeaseBuilder(held)
                .editMetadata()
                .withManagedFields()
                .endMetadata()
                .editSpec()
                .withHolderIdentity("")
                .withLeaseDurationSeconds(1)
                .withRenewTime(now().atZone(ZoneOffset.UTC))
                .endSpec()
                .build();
    }

    private void onTaken(Lease taken, long begun) {
        boolean first;
        // The response may be so late that another process has acquired and released what the Lease stands for.
        loseIfLapsed(RENEWED_TOO_LATE);
        synchronized (lock) {
            if (!running) {
                lease = taken;
                return;
            }
            first = !holding;
            holding = true;
            lease = taken;
            renewedAt = begun;
        }
        if (first) {
            awaited = "";
            LOG.atInfo().addKeyValue("lease", leaseConfig.name()).log("Lease acquired");
            changed.run();
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
                    .addKeyValue("lease", leaseConfig.name())
                    .addKeyValue("reason", Reason.LeaseLost.wireName())
                    .log("Lease lost to another process, writes suspended until reacquired");
            changed.run();
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
                    .addKeyValue("lease", leaseConfig.name())
                    .addKeyValue("cause", failure)
                    .log("Could not acquire or renew Lease");
        }
    }

    /** Once {@link #canWrite} has returned false for lack of a renewal, it returns true only after the listener was notified. */
    private boolean loseIfLapsed(String cause) {
        synchronized (lock) {
            if (!running || !holding || sinceRenewal().compareTo(leaseConfig.writeDeadline()) < 0) {
                return false;
            }
            holding = false;
            lease = null;
        }
        LOG.atWarn()
                .addKeyValue("lease", leaseConfig.name())
                .addKeyValue("reason", Reason.LeaseLost.wireName())
                .addKeyValue("cause", cause)
                .log("Could not renew Lease, writes suspended until renewed");
        changed.run();
        return true;
    }

    /** Error of the last attempt; empty if it succeeded. */
    public String lastFailure() {
        synchronized (lock) {
            return lastFailure;
        }
    }
}
