package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.Connector.ConnectionEventObserver;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors a connection in use: pings it, probes it when in doubt, counts rejected requests, and reviews missing permissions
 * again. Its state is confined to the connection's serial executor.
 */
final class Heartbeat implements ConnectionEventObserver {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);
    /** A Lease of OSM lasts 15 s, so the hub serves at most 20 s after OSM has stopped. */
    private static final Duration REVIEW_WHILE_OSM_RUNS = Duration.ofSeconds(5);

    private static final Duration REVIEW_WHILE_INCOMPLETE = Duration.ofMinutes(5);
    private static final Duration BETWEEN_REVIEWS = Duration.ofSeconds(10);
    private static final Duration BETWEEN_EXPIRY_CHECKS = Duration.ofHours(1);
    private static final Duration SKEWED = Duration.ofMinutes(1);

    private final ConnectionServices services;
    private final SerialExecutor serialExecutor;
    private final ConnectionOptions options;
    private final ClusterConnection clusterConnection;
    private final RequestHealth health;

    // Also read by the pinging thread.
    private volatile @Nullable VerifiedConnection connection;
    private ConnectionFacts facts = ConnectionFacts.unknown("", "");
    private PingScheduler.@Nullable PingTask pingTask;
    private Scheduler.@Nullable ScheduledTask nextReview;
    private @Nullable Instant reviewed;
    private boolean reviewing;
    private volatile @Nullable Instant lastReported;
    // Set by all threads.
    private volatile Instant lastAnswer = Instant.MIN;
    private volatile @Nullable Instant noAnswerSince;
    private @Nullable Instant doubtedSince;
    private @Nullable Instant probed;
    private int failedProbes;

    Heartbeat(
            ConnectionServices services,
            SerialExecutor serialExecutor,
            ConnectionOptions options,
            ClusterConnection clusterConnection) {
        this.services = services;
        this.serialExecutor = serialExecutor;
        this.options = options;
        this.clusterConnection = clusterConnection;
        this.health = new RequestHealth(services.scheduler());
    }

    RequestHealth health() {
        return health;
    }

    /** Time of the last answer while pings or probes remain unanswered; null while they are answered. Fixed until then. */
    @Nullable Instant noAnswerSince() {
        return noAnswerSince;
    }

    /** Once started. */
    ConnectionFacts facts() {
        return facts;
    }

    void start(VerifiedConnection proven) {
        connection = proven;
        facts = proven.facts();
        lastAnswer = services.scheduler().now();
        pingTask = services.pingScheduler().schedule(options.pingInterval(), this::ping);
        lastReported = services.scheduler().now();
        planReview();
        if (!proven.isConnected()) {
            // Lost during verification.
            probeSoon("closed");
        }
    }

    void stop() {
        connection = null;
        if (pingTask != null) {
            pingTask.cancel();
        }
        if (nextReview != null) {
            nextReview.cancel();
        }
    }

    // From event loops and callers' threads.

    @Override
    public void onLost(boolean asked) {
        serialExecutor.execute(() -> probeSoon(asked ? "goaway" : "closed"));
    }

    @Override
    public void onRequestFinished(@Nullable ApiFailure failure) {
        if (failure == null || failure.kind() == ApiFailure.ApiFailureKind.ANSWERED) {
            lastAnswer = services.scheduler().now();
        }
        if (health.recordResult(failure)) {
            serialExecutor.execute(this::notifyChanged);
        }
    }

    /** On the timer's thread, without queueing a task while healthy, because an idle hub mostly pings. */
    private void ping() {
        VerifiedConnection pinged = connection;
        if (pinged == null) {
            return;
        }
        Instant reported = lastReported;
        // The credential's expiration approaches even if nothing happens.
        boolean longAgo = reported == null
                || reported.plus(BETWEEN_EXPIRY_CHECKS)
                        .isBefore(services.scheduler().now());
        if (health.refresh() || longAgo) {
            serialExecutor.execute(this::notifyChanged);
        }
        await(pinged);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is queued as a task
    private void await(VerifiedConnection pinged) {
        Instant sent = services.scheduler().now();
        Duration deadline = options.pingTimeout();
        if (!pinged.isConnected()) {
            serialExecutor.execute(() -> {
                Instant since = doubtedSince;
                if (since != null && !since.plus(deadline).isAfter(sent)) {
                    onUnanswered(pinged, sent);
                }
            });
            return;
        }
        pinged.ping(deadline).thenAccept(unanswered -> {
            if (unanswered > 0) {
                serialExecutor.execute(() -> onPingUnanswered(pinged, sent, unanswered));
            } else {
                lastAnswer = services.scheduler().now();
                if (noAnswerSince != null) {
                    serialExecutor.execute(() -> onAnswered(pinged));
                }
            }
        });
    }

    // In the serial executor.

    private void onPingUnanswered(VerifiedConnection pinged, Instant sent, int unanswered) {
        onUnanswered(pinged, sent);
        if (connection == pinged && options.isTooQuiet(unanswered)) {
            services.metrics().onReconnecting("ping");
            Duration silent = options.pingInterval().multipliedBy(unanswered);
            Instant since = noAnswerSince;
            clusterConnection.onBroken(
                    this,
                    ConnectFailure.of(Kind.NOT_RESPONDING, "pings get no response"),
                    since == null ? services.scheduler().now().minus(silent) : since);
        }
    }

    private void onUnanswered(VerifiedConnection pinged, Instant sent) {
        Instant last = lastAnswer;
        // A request may have been answered after the ping was sent.
        if (connection == pinged && noAnswerSince == null && !last.isAfter(sent)) {
            noAnswerSince = last;
            notifyChanged();
        }
    }

    private void onAnswered(VerifiedConnection answering) {
        lastAnswer = services.scheduler().now();
        if (connection == answering && noAnswerSince != null) {
            noAnswerSince = null;
            notifyChanged();
        }
    }

    private void notifyChanged() {
        if (connection != null) {
            lastReported = services.scheduler().now();
            clusterConnection.onHeartbeat(this);
        }
    }

    /** Probes a doubtful connection, and closes it after some attempts or some time. */
    void probeSoon(String cause) {
        Instant now = services.scheduler().now();
        if (connection == null || doubtedSince != null) {
            return;
        }
        services.metrics().onReconnecting(cause);
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
        services.scheduler().schedule(BETWEEN_PROBES, () -> serialExecutor.execute(this::probe));
    }

    private void probe() {
        VerifiedConnection doubtful = connection;
        if (doubtful == null) {
            return;
        }
        probed = services.scheduler().now();
        services.executor().execute(() -> {
            try {
                VerifiedConnection.ServerInfo greeting = doubtful.probe();
                serialExecutor.execute(() -> onProbeSucceeded(doubtful, greeting));
            } catch (ConnectFailure failure) {
                serialExecutor.execute(() -> onProbeFailed(doubtful, failure));
            } catch (RuntimeException e) {
                LOG.error("Cannot probe a connection", e);
                serialExecutor.execute(
                        () -> onProbeFailed(doubtful, ConnectFailure.of(Kind.NO_CONNECTION, "unexpected error")));
            }
        });
    }

    private void onProbeSucceeded(VerifiedConnection doubtful, VerifiedConnection.ServerInfo greeting) {
        if (connection == doubtful) {
            doubtedSince = null;
            onAnswered(doubtful);
            updateServerInfo(greeting);
        }
    }

    /** An upgraded server reports another version. */
    private void updateServerInfo(VerifiedConnection.ServerInfo greeting) {
        ConnectionFacts before = facts;
        facts = before.with(greeting);
        // The clock difference alone always varies a little.
        if (!facts.version().equals(before.version()) || isSkewed(facts) || isSkewed(before)) {
            notifyChanged();
        }
    }

    private static boolean isSkewed(ConnectionFacts facts) {
        return facts.clockAhead().abs().compareTo(SKEWED) >= 0;
    }

    private void onProbeFailed(VerifiedConnection doubtful, ConnectFailure failure) {
        Instant since = doubtedSince;
        if (connection != doubtful || since == null) {
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
                || ClusterConnection.isReportedAfter(
                        failedProbes, since, services.scheduler().now())) {
            Instant unanswered = noAnswerSince;
            clusterConnection.onBroken(this, failure, unanswered == null ? since : unanswered);
        } else {
            probeLater();
        }
    }

    /** Reviews permissions and OSM again, at a limited rate. */
    void review() {
        Instant last = reviewed;
        Instant now = services.scheduler().now();
        if (last == null || !last.plus(BETWEEN_REVIEWS).isAfter(now)) {
            reviewNow();
        }
    }

    private void reviewNow() {
        VerifiedConnection asked = connection;
        if (asked == null || reviewing) {
            return;
        }
        reviewing = true;
        reviewed = services.scheduler().now();
        services.executor().execute(() -> {
            UnaryOperator<ConnectionFacts> review = UnaryOperator.identity();
            try {
                VerifiedConnection.ServerInfo greeting = asked.probe();
                VerifiedConnection.AccessReview access = asked.review();
                review = known -> known.with(greeting).with(access);
            } catch (ConnectFailure | ApiFailure failure) {
                // Shows nothing about permissions; a broken connection is detected elsewhere.
            } catch (RuntimeException e) {
                LOG.error("Cannot review permissions", e);
            }
            UnaryOperator<ConnectionFacts> result = review;
            serialExecutor.execute(() -> onReviewed(asked, result));
        });
    }

    private void onReviewed(VerifiedConnection asked, UnaryOperator<ConnectionFacts> review) {
        reviewing = false;
        if (connection == asked) {
            ConnectionFacts before = facts;
            facts = review.apply(before);
            if (facts != before) {
                notifyChanged();
            }
            planReview();
        }
    }

    private void planReview() {
        if (nextReview != null) {
            nextReview.cancel();
            nextReview = null;
        }
        boolean incomplete = !facts.missing().isEmpty() || isSkewed(facts);
        Duration wait = facts.peer() != null ? REVIEW_WHILE_OSM_RUNS : incomplete ? REVIEW_WHILE_INCOMPLETE : null;
        if (wait != null) {
            nextReview = services.scheduler().schedule(wait, () -> serialExecutor.execute(this::reviewNow));
        }
    }
}
