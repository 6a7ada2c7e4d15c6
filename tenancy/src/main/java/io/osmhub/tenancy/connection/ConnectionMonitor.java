package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.Connector.ConnectionEventObserver;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors a connection in use: pings it, probes it when in doubt, counts rejected requests, and reviews missing permissions
 * again. Its state is confined to the connection's serial executor.
 */
final class ConnectionMonitor implements ConnectionEventObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionMonitor.class);
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);
    /** A Lease of OSM lasts 15 s, so the hub serves at most 20 s after OSM has stopped. */
    private static final Duration WHILE_PEER_RUNS = Duration.ofSeconds(5);

    private static final Duration WHILE_SOMETHING_IS_ODD = Duration.ofMinutes(5);
    private static final Duration BETWEEN_REVIEWS = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS_AT_THE_END = Duration.ofHours(1);
    private static final Duration SKEWED = Duration.ofMinutes(1);

    private final ConnectionServices services;
    private final SerialExecutor mailbox;
    private final ConnectionOptions options;
    private final MonitorListener owner;
    private final RequestHealth health;

    // Also read by the pinging thread.
    private volatile @Nullable VerifiedConnection link;
    private @Nullable ConnectionFacts facts;
    private PingScheduler.@Nullable PingTask pings;
    private Scheduler.@Nullable ScheduledTask nextReview;
    private @Nullable Instant reviewed;
    private boolean reviewing;
    private volatile @Nullable Instant lastTold;
    // Set by all threads.
    private volatile Instant lastAnswer = Instant.MIN;
    private volatile @Nullable Instant noAnswerSince;
    private @Nullable Instant doubtedSince;
    private @Nullable Instant probed;
    private int failedProbes;

    /** Called in the serial executor. */
    interface MonitorListener {
        /** The connection is unusable. */
        void onBroken(ConnectionMonitor watch, ConnectFailure failure, Instant since);

        /** Facts or health changed. */
        void onFactsChanged(ConnectionMonitor watch, ConnectionFacts facts);
    }

    ConnectionMonitor(
            ConnectionServices services, SerialExecutor mailbox, ConnectionOptions options, MonitorListener owner) {
        this.services = services;
        this.mailbox = mailbox;
        this.options = options;
        this.owner = owner;
        this.health = new RequestHealth(services.timers());
    }

    RequestHealth health() {
        return health;
    }

    /** Time of the last answer while pings or probes remain unanswered; null while they are answered. Fixed until then. */
    @Nullable Instant noAnswerSince() {
        return noAnswerSince;
    }

    /** Missing permissions of the credential in use. */
    List<Permission> missing() {
        ConnectionFacts known = facts;
        return known == null ? List.of() : known.missing();
    }

    void start(VerifiedConnection proven) {
        link = proven;
        facts = proven.facts();
        lastAnswer = services.timers().now();
        pings = services.pings().schedule(options.pingInterval(), this::ping);
        lastTold = services.timers().now();
        planReview(proven.facts());
        if (!proven.isConnected()) {
            // Lost during verification.
            probeSoon("closed");
        }
    }

    void stop() {
        link = null;
        if (pings != null) {
            pings.cancel();
        }
        if (nextReview != null) {
            nextReview.cancel();
        }
    }

    // From event loops and callers' threads.

    @Override
    public void onLost(boolean asked) {
        mailbox.execute(() -> probeSoon(asked ? "goaway" : "closed"));
    }

    @Override
    public void onRequestFinished(@Nullable ApiFailure failure) {
        if (failure == null || failure.kind() == ApiFailure.ApiFailureKind.ANSWERED) {
            lastAnswer = services.timers().now();
        }
        if (health.recordResult(failure)) {
            mailbox.execute(this::notifyChanged);
        }
    }

    /** On the timer's thread, without queueing a task while healthy, because an idle hub mostly pings. */
    private void ping() {
        VerifiedConnection pinged = link;
        if (pinged == null) {
            return;
        }
        Instant told = lastTold;
        // The credential's expiration approaches even if nothing happens.
        boolean longAgo = told == null
                || told.plus(BETWEEN_LOOKS_AT_THE_END)
                        .isBefore(services.timers().now());
        if (health.refresh() || longAgo) {
            mailbox.execute(this::notifyChanged);
        }
        await(pinged);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is queued as a task
    private void await(VerifiedConnection pinged) {
        Instant sent = services.timers().now();
        Duration deadline = WorkerConnection.pingDeadline(options.pingInterval());
        if (!pinged.isConnected()) {
            mailbox.execute(() -> {
                Instant since = doubtedSince;
                if (since != null && !since.plus(deadline).isAfter(sent)) {
                    onUnanswered(pinged, sent);
                }
            });
            return;
        }
        pinged.ping(deadline).thenAccept(unanswered -> {
            if (unanswered > 0) {
                mailbox.execute(() -> onPingUnanswered(pinged, sent, unanswered));
            } else {
                lastAnswer = services.timers().now();
                if (noAnswerSince != null) {
                    mailbox.execute(() -> onAnswered(pinged));
                }
            }
        });
    }

    // In the serial executor.

    private void onPingUnanswered(VerifiedConnection pinged, Instant sent, int unanswered) {
        onUnanswered(pinged, sent);
        if (link == pinged && WorkerConnection.isTooQuiet(unanswered, options.pingInterval())) {
            services.meter().onReconnecting("ping");
            Duration silent = options.pingInterval().multipliedBy(unanswered);
            Instant since = noAnswerSince;
            owner.onBroken(
                    this,
                    ConnectFailure.of(Kind.NOT_RESPONDING, "pings get no response"),
                    since == null ? services.timers().now().minus(silent) : since);
        }
    }

    private void onUnanswered(VerifiedConnection pinged, Instant sent) {
        Instant last = lastAnswer;
        // A request may have been answered after the ping was sent.
        if (link == pinged && noAnswerSince == null && !last.isAfter(sent)) {
            noAnswerSince = last;
            notifyChanged();
        }
    }

    private void onAnswered(VerifiedConnection answering) {
        lastAnswer = services.timers().now();
        if (link == answering && noAnswerSince != null) {
            noAnswerSince = null;
            notifyChanged();
        }
    }

    private void notifyChanged() {
        ConnectionFacts known = facts;
        if (link != null && known != null) {
            lastTold = services.timers().now();
            owner.onFactsChanged(this, known);
        }
    }

    /** Probes a doubtful connection, and closes it after some attempts or some time. */
    void probeSoon(String cause) {
        Instant now = services.timers().now();
        if (link == null || doubtedSince != null) {
            return;
        }
        services.meter().onReconnecting(cause);
        doubtedSince = now;
        failedProbes = 0;
        Instant last = probed;
        // Limits probes of a connection that repeatedly breaks and recovers.
        if (last != null && last.plus(BETWEEN_PROBES).isAfter(now)) {
            probeLater();
        } else {
            probe();
        }
    }

    private void probeLater() {
        services.timers().schedule(BETWEEN_PROBES, () -> mailbox.execute(this::probe));
    }

    private void probe() {
        VerifiedConnection doubtful = link;
        if (doubtful == null) {
            return;
        }
        probed = services.timers().now();
        services.threads().execute(() -> {
            try {
                VerifiedConnection.ServerInfo greeting = doubtful.probe();
                mailbox.execute(() -> onProbeSucceeded(doubtful, greeting));
            } catch (ConnectFailure failure) {
                mailbox.execute(() -> onProbeFailed(doubtful, failure));
            } catch (RuntimeException e) {
                LOG.error("Cannot probe a connection", e);
                mailbox.execute(
                        () -> onProbeFailed(doubtful, ConnectFailure.of(Kind.NO_CONNECTION, "unexpected error")));
            }
        });
    }

    private void onProbeSucceeded(VerifiedConnection doubtful, VerifiedConnection.ServerInfo greeting) {
        if (link == doubtful) {
            doubtedSince = null;
            onAnswered(doubtful);
            updateServerInfo(greeting);
        }
    }

    /** An upgraded server reports another version. */
    private void updateServerInfo(VerifiedConnection.ServerInfo greeting) {
        ConnectionFacts known = facts;
        if (known != null) {
            ConnectionFacts now = known.with(greeting);
            facts = now;
            // The clock difference alone always varies a little.
            if (!now.version().equals(known.version()) || isSkewed(now) || isSkewed(known)) {
                notifyChanged();
            }
        }
    }

    private static boolean isSkewed(ConnectionFacts facts) {
        return facts.clockAhead().abs().compareTo(SKEWED) >= 0;
    }

    private void onProbeFailed(VerifiedConnection doubtful, ConnectFailure failure) {
        Instant since = doubtedSince;
        if (link != doubtful || since == null) {
            return;
        }
        if (failure.kind() == Kind.ANSWERS_ERRORS || failure.kind() == Kind.THROTTLED) {
            // Any response shows that the server is alive.
            doubtedSince = null;
            onAnswered(doubtful);
            return;
        }
        failedProbes++;
        if (failure.kind().isDefinite()
                || WorkerConnection.isReportedAfter(
                        failedProbes, since, services.timers().now())) {
            Instant unanswered = noAnswerSince;
            owner.onBroken(this, failure, unanswered == null ? since : unanswered);
        } else {
            probeLater();
        }
    }

    /** Reviews permissions and OSM again, at a limited rate. */
    void review() {
        Instant last = reviewed;
        Instant now = services.timers().now();
        if (last == null || !last.plus(BETWEEN_REVIEWS).isAfter(now)) {
            reviewNow();
        }
    }

    private void reviewNow() {
        VerifiedConnection asked = link;
        if (asked == null || reviewing) {
            return;
        }
        reviewing = true;
        reviewed = services.timers().now();
        services.threads().execute(() -> {
            try {
                VerifiedConnection.ServerInfo greeting = asked.probe();
                VerifiedConnection.AccessReview review = asked.review();
                mailbox.execute(() -> reviewed(asked, greeting, review));
            } catch (ConnectFailure | ApiFailure failure) {
                mailbox.execute(() -> onReviewFailed(asked));
            } catch (RuntimeException e) {
                LOG.error("Cannot review permissions", e);
                mailbox.execute(() -> onReviewFailed(asked));
            }
        });
    }

    private void reviewed(
            VerifiedConnection asked, VerifiedConnection.ServerInfo greeting, VerifiedConnection.AccessReview review) {
        reviewing = false;
        ConnectionFacts known = facts;
        if (link != asked || known == null) {
            return;
        }
        ConnectionFacts now = known.with(greeting).with(review);
        facts = now;
        notifyChanged();
        planReview(now);
    }

    /** Shows nothing about permissions; a broken connection is detected elsewhere. */
    private void onReviewFailed(VerifiedConnection asked) {
        reviewing = false;
        ConnectionFacts known = facts;
        if (link == asked && known != null) {
            planReview(known);
        }
    }

    private void planReview(ConnectionFacts latest) {
        if (nextReview != null) {
            nextReview.cancel();
            nextReview = null;
        }
        boolean odd = !latest.missing().isEmpty() || isSkewed(latest);
        Duration wait = latest.peer() != null ? WHILE_PEER_RUNS : odd ? WHILE_SOMETHING_IS_ODD : null;
        if (wait != null) {
            nextReview = services.timers().schedule(wait, () -> mailbox.execute(this::reviewNow));
        }
    }
}
