package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectionStatus.Phase;
import io.osmhub.tenancy.connection.ConnectionStatus.UsedCredential;
import io.osmhub.tenancy.connection.WorkerConnectionFactory.ConnectionRequest;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Establishes and verifies a connection, reconnects when it breaks, and rotates its credential without a gap; its {@link Heartbeat}
 * finds out whether it works. See {@link Phase} for the states.
 *
 * <p>All changes run in one serial executor. Blocking work runs on other threads and queues its result, with the number of its
 * attempt to detect outdated ones.
 */
final class ClusterConnection implements WorkerConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnection.class);

    /** A transient cause is reported after this many attempts or this time, whichever comes first. */
    private static final int ATTEMPTS_UNTIL_REPORTED = 3;

    private static final Duration TIME_UNTIL_REPORTED = Duration.ofSeconds(10);
    /** An unreachable cluster is retried every few seconds, and each attempt may have another cause. */
    private static final Duration BETWEEN_MINOR_CHANGES = Duration.ofMinutes(1);

    private final ConnectionServices services;
    private final ConnectionSubject subject;
    private final Runnable changed;
    private final SerialExecutor serialExecutor;
    private final ConnectBackoff backoff;
    private final ConnectionMessages messages;
    private final ConnectionWarnings warnings = new ConnectionWarnings();
    private volatile ConnectionStatus status;

    // Changed in the serial executor only; the volatile ones are read by other threads.
    private volatile ConnectionOptions options;
    private @Nullable ValidatedKubeconfig newestKubeconfig;
    // The last verified one; kept when its connection breaks.
    private volatile @Nullable ValidatedKubeconfig usedKubeconfig;
    private @Nullable ConnectFailure newestFailure;
    private @Nullable CurrentConnection current;
    private String clusterId;
    private int attempt;
    private int failures;
    private @Nullable Instant tryingSince;
    // An answer that was a failure, later than the first attempt; null if there was none.
    private @Nullable Instant answered;
    private Scheduler.@Nullable ScheduledTask retry;
    /** The status as last told to the listener. */
    private ConnectionStatus reportedStatus;

    private Instant reportedAt = Instant.EPOCH;
    private boolean closed;

    private record CurrentConnection(VerifiedConnection connection, Heartbeat heartbeat, ConnectionOptions options) {}

    /** Call {@link #rotate} to begin. */
    ClusterConnection(ConnectionServices services, ConnectionRequest request, Runnable changed) {
        this.services = services;
        this.subject = request.subject();
        this.changed = changed;
        this.options = request.options();
        this.clusterId = request.clusterId();
        this.serialExecutor = new SerialExecutor(services.executor());
        this.backoff = new ConnectBackoff(services.runtimeContext().random());
        this.messages = new ConnectionMessages(subject);
        Problem unknown = messages.notChecked();
        this.status = new ConnectionStatus(
                Phase.IDLE,
                services.scheduler().now(),
                null,
                unknown,
                unknown,
                List.of(),
                ConnectionFacts.unknown(ConnectionMessages.endpoint(request.kubeconfig()), clusterId),
                credential(request.kubeconfig()),
                null);
        this.reportedStatus = status;
    }

    @Override
    public ConnectionStatus status() {
        return status;
    }

    @Override
    public void rotate(ValidatedKubeconfig kubeconfig) {
        serialExecutor.execute(() -> {
            if (closed || isSame(kubeconfig, newestKubeconfig)) {
                return;
            }
            newestKubeconfig = kubeconfig;
            newestFailure = null;
            failures = 0;
            if (current != null && isSame(kubeconfig, usedKubeconfig)) {
                // Changed back to the one in use.
                cancelRetry();
                attempt++;
                updateConnected();
                if (isOutdated()) {
                    connect(true);
                }
            } else {
                connect(true);
            }
        });
    }

    @Override
    public void configure(ConnectionOptions wanted) {
        serialExecutor.execute(() -> {
            if (closed || wanted.equals(options)) {
                return;
            }
            options = wanted;
            ValidatedKubeconfig used = usedKubeconfig;
            if (current == null || used == null) {
                tryNow();
            } else {
                connect(true, used);
            }
        });
    }

    /** Whether the connection in use has other timeouts than are set. */
    private boolean isOutdated() {
        return current != null && !current.options().equals(options);
    }

    @Override
    public boolean uses(ValidatedKubeconfig kubeconfig) {
        ConnectionStatus now = status;
        return now.api() != null && now.credential().contentHash().equals(kubeconfig.contentHash());
    }

    @Override
    public @Nullable String testKubeconfig(ValidatedKubeconfig kubeconfig) {
        try {
            VerifiedConnection tested =
                    services.connector().connect(subject, kubeconfig, options, Connector.ConnectionEventObserver.NONE);
            ConnectionFacts facts = tested.facts();
            tested.close();
            return facts.missing().isEmpty()
                    ? null
                    : facts.user() + " may not " + facts.missing().getFirst();
        } catch (ConnectFailure failure) {
            return failure.message();
        }
    }

    @Override
    public void onRequestFailed(ApiFailure failure) {
        withHeartbeat(heartbeat -> {
            switch (failure.kind()) {
                case NO_CONNECTION, TIMED_OUT, TLS, NOT_RESOLVED -> heartbeat.probeSoon("closed");
                case ANSWERED -> {
                    if (failure.isUnauthorized()) {
                        heartbeat.probeSoon("credentials");
                    } else if (failure.isForbidden()) {
                        heartbeat.review();
                    }
                }
                case UNREADABLE, CLOSED -> {
                    // Irrelevant for the connection.
                }
            }
        });
    }

    @Override
    public void onRecovered() {
        // The heartbeat finds that out by itself.
    }

    @Override
    public void reviewPermissions() {
        withHeartbeat(Heartbeat::review);
    }

    private void withHeartbeat(Consumer<Heartbeat> task) {
        serialExecutor.execute(() -> {
            CurrentConnection used = current;
            if (used != null) {
                task.accept(used.heartbeat());
            }
        });
    }

    @Override
    public void acceptClusterId(String id) {
        serialExecutor.execute(() -> {
            clusterId = id;
            tryNow();
        });
    }

    @Override
    public void reconnect() {
        serialExecutor.execute(this::tryNow);
    }

    private void tryNow() {
        if (!closed && newestKubeconfig != null && retry != null) {
            failures = 0;
            connect(false);
        }
    }

    @Override
    public void close() {
        serialExecutor.execute(() -> {
            if (!closed) {
                closed = true;
                attempt++;
                cancelRetry();
                closeCurrent();
                set(Phase.CLOSED, status.credentials(), status.connection(), List.of(), null);
            }
        });
    }

    private void connect(boolean first) {
        connect(first, Objects.requireNonNull(newestKubeconfig, "a kubeconfig to connect with"));
    }

    /** A kubeconfig that cannot be verified must not keep other timeouts from the one in use, nor the reverse. */
    private void connectAfter(ValidatedKubeconfig failed) {
        ValidatedKubeconfig used = usedKubeconfig;
        if (isOutdated() && used != null && !isSame(used, failed)) {
            connect(false, used);
        } else {
            connect(false);
        }
    }

    private void connect(boolean first, ValidatedKubeconfig wanted) {
        cancelRetry();
        int number = ++attempt;
        if (current == null) {
            if (tryingSince == null) {
                tryingSince = services.scheduler().now();
            }
            // A more specific phase remains until an attempt succeeds.
            if (status.phase() == Phase.IDLE || status.isUsable()) {
                set(Phase.CONNECTING, status.credentials(), messages.connecting(wanted), List.of(), null);
            }
        }
        services.limiter().run(first, () -> attempt(number, wanted));
    }

    /** On a separate thread. */
    private void attempt(int number, ValidatedKubeconfig wanted) {
        long begun = services.scheduler().nanoTime();
        ConnectionOptions used = options;
        Heartbeat heartbeat = new Heartbeat(services, serialExecutor, used, this);
        ConnectFailure failure;
        try {
            VerifiedConnection opened = services.connector().connect(subject, wanted, used, heartbeat);
            services.metrics().onAttempted(true, since(begun));
            serialExecutor.execute(() -> onOpened(number, wanted, new CurrentConnection(opened, heartbeat, used)));
            return;
        } catch (ConnectFailure e) {
            services.metrics().onAttempted(false, since(begun));
            failure = e;
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("tenant", subject.tenant())
                    .addKeyValue("workerCluster", subject.workerCluster())
                    .setCause(e)
                    .log("Cannot connect to a worker cluster");
            failure = ConnectFailure.of(
                    Kind.ANSWERS_ERRORS, "unexpected error: " + e.getClass().getSimpleName());
        }
        ConnectFailure failed = failure;
        serialExecutor.execute(() -> onConnectFailed(number, wanted, failed, ""));
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(services.scheduler().nanoTime() - begunNanos);
    }

    private void onOpened(int number, ValidatedKubeconfig wanted, CurrentConnection opened) {
        if (number != attempt) {
            opened.connection().close();
            return;
        }
        ConnectionFacts facts = opened.connection().facts();
        String found = facts.clusterId();
        CurrentConnection old = current;
        ConnectFailure failure = null;
        if (!clusterId.isEmpty() && !found.isEmpty() && !clusterId.equals(found)) {
            failure = ConnectFailure.of(
                    Kind.OTHER_CLUSTER, "it leads to another cluster (" + found + " instead of " + clusterId + ")");
        } else if (old != null
                && !isSame(wanted, usedKubeconfig)
                && !old.heartbeat().facts().missing().containsAll(facts.missing())) {
            failure = ConnectFailure.of(
                    Kind.LESS_PERMISSIONS,
                    facts.user() + " may not " + facts.missing().getFirst());
        }
        if (failure == null) {
            use(wanted, opened);
        } else {
            opened.connection().close();
            onConnectFailed(number, wanted, failure, failure.kind() == Kind.OTHER_CLUSTER ? found : "");
        }
    }

    private void use(ValidatedKubeconfig wanted, CurrentConnection opened) {
        CurrentConnection old = current;
        if (!opened.connection().facts().clusterId().isEmpty()) {
            clusterId = opened.connection().facts().clusterId();
        }
        if (old != null && !isSame(wanted, usedKubeconfig)) {
            services.metrics().onReconnecting("credentials");
        }
        current = opened;
        usedKubeconfig = wanted;
        failures = 0;
        tryingSince = null;
        answered = null;
        ConnectFailure unproven = newestFailure;
        newestFailure = null;
        opened.heartbeat().start(opened.connection());
        updateConnected();
        if (old != null) {
            // Running requests can finish.
            old.heartbeat().stop();
            services.scheduler().schedule(old.options().requestTimeout(), () -> services.executor()
                    .execute(old.connection()::close));
        }
        if (isOutdated()) {
            // The timeouts changed during the attempt.
            newestFailure = unproven;
            connect(true, wanted);
            return;
        }
        ValidatedKubeconfig newer = newestKubeconfig;
        if (newer == null || isSame(newer, wanted)) {
            return;
        }
        if (unproven == null) {
            connect(true);
        } else {
            // It failed before; retry it later.
            onConnectFailed(attempt, newer, unproven, "");
        }
    }

    private static boolean isSame(ValidatedKubeconfig one, @Nullable ValidatedKubeconfig other) {
        return other != null && one.contentHash().equals(other.contentHash());
    }

    private void onConnectFailed(int number, ValidatedKubeconfig wanted, ConnectFailure failure, String foundId) {
        if (number != attempt) {
            return;
        }
        ValidatedKubeconfig older = usedKubeconfig;
        boolean olderExists = older != null && !isSame(older, wanted);
        if (current == null && failure.kind().isDefinite() && olderExists) {
            newestFailure = failure;
            connect(true, Objects.requireNonNull(older));
            return;
        }
        failures++;
        Duration wait = backoff.delayAfter(failure, failures);
        retry = services.scheduler()
                .schedule(
                        wait,
                        () -> serialExecutor.execute(() -> {
                            if (number == attempt && !closed) {
                                connectAfter(wanted);
                            }
                        }));
        if (current == null) {
            reportFailure(wanted, failure, foundId);
        } else if (olderExists) {
            newestFailure = failure;
            updateConnected();
        }
    }

    private void reportFailure(ValidatedKubeconfig wanted, ConnectFailure failure, String foundId) {
        Kind kind = failure.kind();
        Instant now = services.scheduler().now();
        Instant since = tryingSince == null ? now : tryingSince;
        if (!kind.isUnanswered()) {
            answered = now;
        }
        if (!kind.isDefinite() && status.phase() == Phase.CONNECTING && !isReportedAfter(failures, since, now)) {
            return;
        }
        Instant start = kind.isUnanswered() && answered != null ? answered : since;
        Problem problem = messages.failed(failure, wanted, clusterId, foundId, start, now);
        Problem credentials = kind.isAboutCredential()
                ? problem
                // That of before, unless another failure replaces a rejection.
                : status.phase() == Phase.UNAUTHORIZED ? messages.notChecked() : status.credentials();
        set(
                kind.phase(),
                credentials,
                kind.isAboutCredential() ? messages.connecting(wanted) : problem,
                List.of(),
                kind.isUnanswered() ? start : null);
    }

    /** The connection in use is unusable. Called by its heartbeat, in the serial executor. */
    void onBroken(Heartbeat heartbeat, ConnectFailure failure, Instant since) {
        if (isCurrent(heartbeat)) {
            ValidatedKubeconfig kubeconfig = Objects.requireNonNull(usedKubeconfig, "the kubeconfig in use");
            closeCurrent();
            cancelRetry();
            tryingSince = since;
            answered = null;
            failures = 0;
            onConnectFailed(++attempt, kubeconfig, failure, "");
        }
    }

    /** Facts or health changed. Called by the heartbeat, in the serial executor. */
    void onHeartbeat(Heartbeat heartbeat) {
        if (isCurrent(heartbeat)) {
            updateConnected();
        }
    }

    private boolean isCurrent(Heartbeat heartbeat) {
        return !closed && current != null && current.heartbeat() == heartbeat;
    }

    private void closeCurrent() {
        CurrentConnection gone = current;
        if (gone != null) {
            current = null;
            gone.heartbeat().stop();
            gone.connection().close();
            set(status.phase(), status.credentials(), status.connection(), status.warnings(), status.noAnswerSince());
        }
    }

    private void cancelRetry() {
        Scheduler.ScheduledTask waiting = retry;
        if (waiting != null) {
            waiting.cancel();
            retry = null;
        }
    }

    static boolean isReportedAfter(int attempts, Instant since, Instant now) {
        return attempts >= ATTEMPTS_UNTIL_REPORTED
                || !since.plus(TIME_UNTIL_REPORTED).isAfter(now);
    }

    // Status

    /** The status of the connection in use. */
    private void updateConnected() {
        CurrentConnection used = current;
        ValidatedKubeconfig kubeconfig = usedKubeconfig;
        if (used == null || kubeconfig == null) {
            return;
        }
        ConnectionFacts facts = used.heartbeat().facts();
        RequestHealth health = used.heartbeat().health();
        boolean degraded = health.isDegraded();
        Instant now = services.scheduler().now();
        ConnectFailure unproven = newestFailure;
        set(
                degraded ? Phase.DEGRADED : Phase.CONNECTED,
                unproven == null
                        ? messages.credential(facts, kubeconfig, now)
                        : messages.newCredentialRejected(unproven, kubeconfig.expiresAt(), now),
                degraded ? messages.degraded(facts, health.lastMinute()) : messages.connected(facts),
                warnings.findWarnings(facts, messages),
                used.heartbeat().noAnswerSince());
    }

    private void set(
            Phase phase,
            Problem credentials,
            Problem connection,
            List<Problem> found,
            @Nullable Instant noAnswerSince) {
        CurrentConnection used = current;
        ValidatedKubeconfig kubeconfig = usedKubeconfig;
        ConnectionStatus before = status;
        Instant now = services.scheduler().now();
        KubeApi api = used == null ? null : used.connection().api();
        ConnectionStatus next = new ConnectionStatus(
                phase,
                phase == before.phase() ? before.since() : now,
                api,
                credentials,
                connection,
                found,
                used == null ? before.facts() : used.heartbeat().facts(),
                kubeconfig == null ? before.credential() : credential(kubeconfig),
                noAnswerSince);
        status = next;
        // A message with another time does not count.
        boolean major = phase != before.phase()
                || connection.reason() != before.connection().reason()
                || credentials.reason() != before.credentials().reason();
        if (major) {
            log(next);
        }
        boolean due = major
                || api != before.api()
                || next.isUsable()
                || (noAnswerSince == null) != (before.noAnswerSince() == null)
                || !now.isBefore(reportedAt.plus(BETWEEN_MINOR_CHANGES));
        if (due && !next.equals(reportedStatus)) {
            reportedStatus = next;
            reportedAt = now;
            changed.run();
        }
    }

    private static UsedCredential credential(ValidatedKubeconfig kubeconfig) {
        return new UsedCredential(
                switch (kubeconfig.credential()) {
                    case WorkerCredential.Token _ -> CredentialsKind.TOKEN;
                    case WorkerCredential.ClientCertificate _ -> CredentialsKind.CLIENT_CERTIFICATE;
                },
                kubeconfig.expiresAt(),
                Objects.requireNonNullElse(kubeconfig.certificateAuthorityPem(), ""),
                kubeconfig.contentHash());
    }

    private void log(ConnectionStatus now) {
        boolean aboutCredential = now.credentials().reason().severity() == Severity.ERROR;
        Problem problem = aboutCredential ? now.credentials() : now.connection();
        LOG.atInfo()
                .addKeyValue("tenant", subject.tenant())
                .addKeyValue("workerCluster", subject.workerCluster())
                .addKeyValue("reason", problem.reason().wireName())
                .addKeyValue("actor", problem.actor().wireName())
                .log("{}: {}", now.phase().logName(), problem.message());
    }
}
