package io.osmhub.tenancy.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one Lease and keeps it, the way that Kubernetes' own controllers elect a leader: a Lease is free when its holder let it
 * go, or when it was not seen to change for as long as it lasts. Clocks of machines are not compared. Safe for use by many
 * threads.
 *
 * <pre>
 *  waiting --free--> holding --renewed in time--> holding
 *     ^                 |
 *     +-- not renewed --+        stop: let go at once
 * </pre>
 */
public final class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KubeApi api;
    private final Surroundings around;
    private final Changes changes;

    private final Object lock = new Object();
    private volatile LeaseTerms terms;
    private boolean running;
    private boolean busy;
    private boolean again;
    private boolean holding;
    private long renewedAt;
    private @Nullable LeaseSpec known;
    private String observed = "";
    private long observedAt;
    private Timers.@Nullable Timer alarm;
    private String lastFailure = "";

    /** Renewals since the last one that succeeded of which nobody knows whether they arrived. Only for the thread that asks. */
    private final Set<Instant> unanswered = new HashSet<>();

    /** The holder that was last logged. Only for the thread that asks. */
    private String awaited = "";

    /** Hears who holds the Lease; hands over and returns. */
    public interface Changes {
        /** This process holds it now. */
        void taken();

        /** This process does not hold it any more, or could not renew it: {@link #mayWrite} says no by now. */
        void lost(String cause);
    }

    public LeaseKeeper(KubeApi api, LeaseTerms terms, Changes changes, Surroundings around) {
        this.api = api;
        this.terms = terms;
        this.changes = changes;
        this.around = around;
    }

    /** Begins to ask for it. */
    public void start() {
        synchronized (lock) {
            running = true;
            renewedAt = around.timers().nanoTime();
        }
        askNow();
    }

    /** Whether this process holds it and may write as its holder: false well before another may take it. */
    public boolean mayWrite() {
        synchronized (lock) {
            return running && holding && sinceRenewal().compareTo(terms.writesFor()) < 0;
        }
    }

    /** How long ago it was renewed; how long it has been asked for while it never was. */
    public Duration sinceRenewal() {
        synchronized (lock) {
            return Duration.ofNanos(around.timers().nanoTime() - renewedAt);
        }
    }

    /** Writes other annotations with the next renewal, which is at once. */
    public void annotate(LeaseTerms with) {
        annotateLater(with);
        askNow();
    }

    /** Writes other annotations with the next renewal, which is when it would be anyway. */
    public void annotateLater(LeaseTerms with) {
        terms = with;
    }

    /**
     * Lets it go and waits until that is done or failed; nothing is asked for any more. For a virtual thread.
     */
    public void stop() {
        LeaseSpec last;
        synchronized (lock) {
            running = false;
            cancel();
            last = holding ? known : null;
            holding = false;
        }
        if (last == null) {
            return;
        }
        try {
            api.send(ApiRequest.update(
                    Resource.LEASES,
                    terms.namespace(),
                    terms.name(),
                    last.released(around.timers().now())));
        } catch (ApiFailure e) {
            LOG.atDebug()
                    .addKeyValue("cause", e.text())
                    .log("Lease {} was not let go; it ends by itself", terms.name());
        }
    }

    private void askNow() {
        synchronized (lock) {
            if (!running) {
                return;
            }
            if (busy) {
                again = true;
                return;
            }
            busy = true;
            cancel();
        }
        around.waiting().execute(this::ask);
    }

    private void cancel() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    private void ask() {
        // Counted from before the request: the answer may have been on its way for long.
        long begun = around.timers().nanoTime();
        String failure = "";
        try {
            step(begun);
        } catch (ApiFailure e) {
            failure = e.text();
        } catch (IOException e) {
            failure = "unexpected response: not a Lease";
        } catch (RuntimeException e) {
            // Whatever it is, it must not be the last time that the Lease is asked for.
            LOG.error("Lease {} could not be asked for", terms.name(), e);
            failure = "an internal error";
        }
        next(failure);
    }

    private void step(long begun) throws ApiFailure, IOException {
        LeaseSpec lease;
        synchronized (lock) {
            lease = holding ? known : null;
        }
        if (lease == null) {
            lease = find();
            unanswered.clear();
        }
        if (lease == null) {
            took(LeaseSpec.of(WireJson.read(create())), begun);
            return;
        }
        if (!lease.holder().equals(terms.holder()) && !isFree(lease)) {
            waitFor(lease);
            return;
        }
        try {
            renew(lease, begun);
        } catch (ApiFailure e) {
            LeaseSpec found = e.isConflict() && !unanswered.isEmpty() ? find() : null;
            if (found != null && unanswered.stream().anyMatch(at -> found.wasTaken(terms.holder(), at))) {
                // It was an earlier renewal that came in between: its answer was lost, and the Lease was not.
                renew(found, begun);
                return;
            }
            if (e.isConflict() || e.isNotFound()) {
                // Somebody else touched it: looked at anew the next time.
                synchronized (lock) {
                    known = null;
                }
                lostToAnother();
            }
            throw e;
        }
    }

    private void waitFor(LeaseSpec lease) {
        if (!lease.holder().equals(awaited)) {
            awaited = lease.holder();
            LOG.atInfo()
                    .addKeyValue("holder", awaited)
                    .addKeyValue("leaseDuration", lease.duration())
                    .log("Waiting for Lease {}, which another process holds", terms.name());
        }
    }

    private byte[] create() throws ApiFailure {
        ApiRequest request = ApiRequest.create(
                Resource.LEASES,
                terms.namespace(),
                LeaseSpec.created(terms, around.timers().now()));
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

    /** A Lease can be created in any namespace but one that is missing. */
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
                    e.why(),
                    e.code(),
                    e.reason(),
                    "namespace " + terms.namespace() + " is missing and was not created (" + e.text()
                            + "); run: kubectl create namespace " + terms.namespace(),
                    e.retryAfter());
        }
    }

    private void renew(LeaseSpec lease, long begun) throws ApiFailure, IOException {
        Instant now = around.timers().now();
        LeaseSpec renewed;
        try {
            renewed = LeaseSpec.of(WireJson.read(api.send(
                    ApiRequest.update(Resource.LEASES, terms.namespace(), terms.name(), lease.taken(terms, now)))));
        } catch (ApiFailure e) {
            if (!e.isRefusal()) {
                unanswered.add(now);
            }
            throw e;
        }
        unanswered.clear();
        took(renewed, begun);
    }

    private @Nullable LeaseSpec find() throws ApiFailure, IOException {
        try {
            return LeaseSpec.of(
                    WireJson.read(api.send(ApiRequest.get(Resource.LEASES, terms.namespace(), terms.name()))));
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /** Let go, or not seen to change for as long as it lasts. */
    private boolean isFree(LeaseSpec lease) {
        if (lease.holder().isEmpty()) {
            return true;
        }
        String now = lease.holder() + " " + lease.renewTime() + " " + lease.resourceVersion();
        synchronized (lock) {
            if (!now.equals(observed)) {
                observed = now;
                observedAt = around.timers().nanoTime();
                return false;
            }
            Duration unchanged = Duration.ofNanos(around.timers().nanoTime() - observedAt);
            return unchanged.compareTo(lease.duration()) >= 0;
        }
    }

    private void took(LeaseSpec lease, long begun) {
        boolean first;
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
            LOG.atInfo().addKeyValue("lease", terms.name()).log("Lease taken");
            changes.taken();
        }
    }

    private void lostToAnother() {
        boolean was;
        synchronized (lock) {
            was = holding;
            holding = false;
        }
        if (was) {
            LOG.atWarn()
                    .addKeyValue("lease", terms.name())
                    .addKeyValue("reason", Reason.LeaseLost.word())
                    .log("The Lease was taken by somebody else, nothing is written until it is held again");
            changes.lost("somebody else changed it");
        }
    }

    private void next(String failure) {
        String lost = null;
        boolean now;
        boolean news;
        synchronized (lock) {
            busy = false;
            news = !failure.isEmpty() && !failure.equals(lastFailure);
            lastFailure = failure;
            if (!running) {
                return;
            }
            if (holding && sinceRenewal().compareTo(terms.writesFor()) >= 0) {
                holding = false;
                known = null;
                lost = failure;
            }
            now = again && failure.isEmpty();
            again = false;
            if (!now) {
                Duration wait = failure.isEmpty() && holding ? terms.renewInterval() : RETRY;
                alarm = around.timers().after(wait, this::askNow);
            }
        }
        if (lost != null) {
            LOG.atWarn()
                    .addKeyValue("lease", terms.name())
                    .addKeyValue("reason", Reason.LeaseLost.word())
                    .addKeyValue("cause", lost)
                    .log("The Lease could not be renewed, nothing is written until it is");
            changes.lost(lost);
        } else if (news) {
            LOG.atWarn()
                    .addKeyValue("lease", terms.name())
                    .addKeyValue("cause", failure)
                    .log("The Lease cannot be taken or renewed now");
        }
        if (now) {
            askNow();
        }
    }

    /** Why the last try did not succeed; empty when it did. */
    public String lastFailure() {
        synchronized (lock) {
            return lastFailure;
        }
    }
}
