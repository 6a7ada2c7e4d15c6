package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectionMessages.FailureCondition;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one worker cluster: establishes, verifies and pings it, reconnects when it breaks, and rotates its credential
 * without a gap. Thread-safe; must not block. See {@link ConnectionState} for the states.
 *
 * <p>All changes run in one serial executor. Blocking work runs on other threads and queues its result, with the number of its
 * attempt to detect outdated ones.
 */
public final class WorkerConnection implements AutoCloseable {
    /** A transient cause is reported after this many attempts or this time, whichever comes first. */
    private static final int TRIES_UNTIL_TOLD = 3;

    private static final Duration TIME_UNTIL_TOLD = Duration.ofSeconds(10);
    private static final int MIN_UNANSWERED_PINGS = 3;
    /** A cluster counts as not responding no earlier than this. */
    private static final Duration MIN_SILENCE = Duration.ofSeconds(30);
    /** With the default interval, at most 9 s pass until a cluster without answers is reported as such. */
    private static final Duration LONGEST_PING = Duration.ofSeconds(3);

    private final ConnectionServices services;
    private final ConnectionSubject subject;
    private final ConnectionListener listener;
    private final SerialExecutor mailbox;
    private final ConnectBackoff backoff;
    private final StatusNotifier announcer;

    // All fields below are confined to the serial executor.
    // Also read by other threads.
    private volatile ConnectionOptions options;
    private @Nullable ValidatedKubeconfig newest;
    // The last verified one; kept when its connection breaks. Also read by other threads.
    private volatile @Nullable ValidatedKubeconfig inUse;
    private @Nullable ConnectFailure newestFailure;
    private @Nullable CurrentConnection current;
    private String clusterId;
    private int attempt;
    private int failures;
    private @Nullable Instant tryingSince;
    // An answer that was a failure, later than the first attempt; null if there was none.
    private @Nullable Instant answered;
    private Scheduler.@Nullable ScheduledTask retry;
    private boolean closed;

    private record CurrentConnection(VerifiedConnection link, ConnectionMonitor watch, ConnectionOptions options) {}

    WorkerConnection(
            ConnectionServices services,
            ConnectionSubject subject,
            ConnectionOptions options,
            ConnectionListener listener) {
        this.services = services;
        this.subject = subject;
        this.options = options;
        this.listener = listener;
        this.clusterId = options.clusterId();
        this.mailbox = new SerialExecutor(services.threads());
        this.backoff = new ConnectBackoff(services.random());
        this.announcer = new StatusNotifier(subject, services.timers(), listener);
    }

    /** The current report. */
    public ConnectionReport report() {
        return announcer.report();
    }

    public ConnectionState state() {
        return report().state();
    }

    public void start(ValidatedKubeconfig kubeconfig) {
        rotate(kubeconfig);
    }

    /**
     * Sets a new kubeconfig. While a connection is in use, the new one is verified first, and the old one remains if that fails.
     * Does nothing if the kubeconfig is unchanged.
     */
    public void rotate(ValidatedKubeconfig kubeconfig) {
        mailbox.execute(() -> {
            if (closed || isSame(kubeconfig, newest)) {
                return;
            }
            newest = kubeconfig;
            newestFailure = null;
            failures = 0;
            if (current != null && isSame(kubeconfig, inUse)) {
                // Changed back to the one in use.
                cancelRetry();
                attempt++;
                announcer.proven();
                if (isOutdated()) {
                    connect(true);
                }
            } else {
                connect(true);
            }
        });
    }

    /**
     * Changes the timeouts, which are fixed for the lifetime of a verified connection: while one is in use, another with the same
     * kubeconfig is verified first, and the old one remains if that fails. Does nothing if they are unchanged.
     */
    public void configure(Duration requestTimeout, Duration pingInterval) {
        mailbox.execute(() -> {
            ConnectionOptions wanted = new ConnectionOptions(requestTimeout, pingInterval, options.clusterId());
            if (closed || wanted.equals(options)) {
                return;
            }
            options = wanted;
            ValidatedKubeconfig used = inUse;
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

    /** The last verified kubeconfig, which may be older than the newest; empty before. */
    public Optional<ValidatedKubeconfig> kubeconfigInUse() {
        return Optional.ofNullable(inUse);
    }

    /**
     * Tests a kubeconfig on a separate, temporary connection; blocks.
     *
     * @return why it is unusable or worse; empty if it is usable
     */
    public Optional<String> testKubeconfig(ValidatedKubeconfig kubeconfig) {
        try {
            VerifiedConnection link =
                    services.connector().open(kubeconfig, subject, options, Connector.ConnectionEventObserver.NONE);
            ConnectionFacts facts = link.facts();
            link.close();
            return facts.missing().isEmpty()
                    ? Optional.empty()
                    : Optional.of(facts.user() + " may not " + facts.missing().getFirst());
        } catch (ConnectFailure failure) {
            return Optional.of(failure.message());
        }
    }

    /** Checks the connection after a failed request. */
    public void onRequestFailed(ApiFailure failure) {
        mailbox.execute(() -> {
            CurrentConnection now = current;
            if (now == null) {
                return;
            }
            switch (failure.kind()) {
                case NO_CONNECTION, TIMED_OUT, TLS, NOT_RESOLVED -> now.watch().probeSoon("closed");
                case ANSWERED -> {
                    if (failure.isUnauthorized()) {
                        now.watch().probeSoon("credentials");
                    } else if (failure.isForbidden()) {
                        now.watch().review();
                    }
                }
                case UNREADABLE, CLOSED -> {
                    // Irrelevant for the connection.
                }
            }
        });
    }

    /** Reviews permissions again, at a limited rate. */
    public void reviewPermissions() {
        mailbox.execute(() -> {
            CurrentConnection now = current;
            if (now != null) {
                now.watch().review();
            }
        });
    }

    /** Accepts another cluster, for example after it was rebuilt. */
    public void acceptClusterId(String id) {
        mailbox.execute(() -> {
            clusterId = id;
            tryNow();
        });
    }

    /** Retries immediately because something changed. */
    public void retryNow() {
        mailbox.execute(this::tryNow);
    }

    private void tryNow() {
        if (!closed && newest != null && retry != null) {
            failures = 0;
            connect(false);
        }
    }

    /** Closes permanently; calls {@code onDisconnected} if it was connected. */
    @Override
    public void close() {
        mailbox.execute(() -> {
            if (closed) {
                return;
            }
            closed = true;
            attempt++;
            cancelRetry();
            closeCurrent();
            announcer.onClosed();
        });
    }

    private void connect(boolean first) {
        connect(first, Objects.requireNonNull(newest, "a kubeconfig to connect with"));
    }

    /** A kubeconfig that cannot be verified must not keep other timeouts from the one in use, nor the reverse. */
    private void connectAfter(ValidatedKubeconfig failed) {
        ValidatedKubeconfig used = inUse;
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
                tryingSince = services.timers().now();
            }
            announcer.onConnecting(wanted);
        }
        services.ramp().run(first, () -> attempt(number, wanted));
    }

    /** On a separate thread. */
    private void attempt(int number, ValidatedKubeconfig wanted) {
        long begun = services.timers().nanoTime();
        ConnectionOptions used = options;
        ConnectionMonitor watch = new ConnectionMonitor(services, mailbox, used, new CurrentConnectionListener());
        try {
            VerifiedConnection link = services.connector().open(wanted, subject, used, watch);
            services.meter().onAttempted(true, since(begun));
            mailbox.execute(() -> onOpened(number, wanted, new CurrentConnection(link, watch, used)));
        } catch (ConnectFailure failure) {
            services.meter().onAttempted(false, since(begun));
            mailbox.execute(() -> onConnectFailed(number, wanted, failure, ""));
        } catch (RuntimeException e) {
            mailbox.execute(() -> onConnectFailed(
                    number,
                    wanted,
                    ConnectFailure.of(
                            Kind.ANSWERS_ERRORS,
                            "unexpected error: " + e.getClass().getSimpleName()),
                    ""));
            throw e;
        }
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(services.timers().nanoTime() - begunNanos);
    }

    private void onOpened(int number, ValidatedKubeconfig wanted, CurrentConnection opened) {
        if (number != attempt) {
            opened.link().close();
            return;
        }
        ConnectionFacts facts = opened.link().facts();
        String found = facts.clusterId();
        CurrentConnection old = current;
        if (!clusterId.isEmpty() && !found.isEmpty() && !clusterId.equals(found)) {
            opened.link().close();
            onConnectFailed(
                    number,
                    wanted,
                    ConnectFailure.of(
                            Kind.OTHER_CLUSTER,
                            "it leads to another cluster (" + found + " instead of " + clusterId + ")"),
                    found);
            return;
        }
        if (old != null && !isSame(wanted, inUse) && !old.watch().missing().containsAll(facts.missing())) {
            opened.link().close();
            onConnectFailed(
                    number,
                    wanted,
                    ConnectFailure.of(
                            Kind.LESS_PERMISSIONS,
                            facts.user() + " may not " + facts.missing().getFirst()),
                    "");
            return;
        }
        use(wanted, opened);
    }

    private void use(ValidatedKubeconfig wanted, CurrentConnection opened) {
        CurrentConnection old = current;
        ConnectionFacts facts = opened.link().facts();
        if (!facts.clusterId().isEmpty()) {
            clusterId = facts.clusterId();
        }
        boolean rotated = !isSame(wanted, inUse);
        current = opened;
        inUse = wanted;
        failures = 0;
        tryingSince = null;
        answered = null;
        opened.watch().start(opened.link());
        if (old == null) {
            listener.onConnected(opened.link().api(), facts);
        } else {
            if (rotated) {
                services.meter().onReconnecting("credentials");
            }
            listener.onRotated(opened.link().api(), facts);
            old.watch().stop();
            services.timers().schedule(old.options().requestTimeout(), () -> services.threads()
                    .execute(old.link()::close));
        }
        announcer.onConnected(facts, wanted, opened.watch().health());
        if (isOutdated()) {
            // The timeouts changed during the attempt.
            connect(true, wanted);
            return;
        }
        ConnectFailure unproven = newestFailure;
        newestFailure = null;
        ValidatedKubeconfig newer = newest;
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
        ValidatedKubeconfig older = inUse;
        if (current == null && failure.kind().isDefinite() && older != null && !isSame(older, wanted)) {
            newestFailure = failure;
            connect(true, older);
            return;
        }
        failures++;
        Instant now = services.timers().now();
        Duration wait = backoff.delayAfter(failure, failures);
        retry = services.timers()
                .schedule(
                        wait,
                        () -> mailbox.execute(() -> {
                            if (number == attempt && !closed) {
                                connectAfter(wanted);
                            }
                        }));
        if (current != null) {
            if (older != null && !isSame(older, wanted)) {
                newestFailure = failure;
                announcer.unproven(failure, older);
            }
            return;
        }
        Instant since = tryingSince == null ? now : tryingSince;
        if (!failure.kind().isUnanswered()) {
            answered = now;
        }
        boolean told = failure.kind().isDefinite()
                || isReportedAfter(failures, since, now)
                || !(announcer.report().state() instanceof ConnectionState.Connecting);
        if (told) {
            boolean unanswered = failure.kind().isUnanswered();
            Instant start = unanswered && answered != null ? answered : since;
            FailureCondition words = announcer.wording().failed(failure, wanted, clusterId, foundId, start, now);
            announcer.onFailed(
                    failure.kind(), words, wanted, clusterId, foundId, now.plus(wait), unanswered ? start : null);
        }
    }

    /** The connection in use is unusable. */
    private void onBroken(ConnectFailure failure, Instant since) {
        ValidatedKubeconfig kubeconfig = Objects.requireNonNull(inUse, "the kubeconfig in use");
        closeCurrent();
        cancelRetry();
        tryingSince = since;
        answered = null;
        failures = 0;
        onConnectFailed(++attempt, kubeconfig, failure, "");
    }

    private void closeCurrent() {
        CurrentConnection gone = current;
        if (gone != null) {
            current = null;
            gone.watch().stop();
            gone.link().close();
            listener.onDisconnected();
        }
    }

    private void cancelRetry() {
        Scheduler.ScheduledTask waiting = retry;
        if (waiting != null) {
            waiting.cancel();
            retry = null;
        }
    }

    /** Called by the monitor, in the serial executor. */
    private final class CurrentConnectionListener implements ConnectionMonitor.MonitorListener {
        private boolean isCurrent(ConnectionMonitor watch) {
            CurrentConnection now = current;
            return !closed && now != null && now.watch() == watch;
        }

        @Override
        public void onBroken(ConnectionMonitor watch, ConnectFailure failure, Instant since) {
            if (isCurrent(watch)) {
                WorkerConnection.this.onBroken(failure, since);
            }
        }

        @Override
        public void onFactsChanged(ConnectionMonitor watch, ConnectionFacts facts) {
            if (isCurrent(watch)) {
                announcer.onChanged(facts, watch.health(), watch.noAnswerSince());
            }
        }
    }

    /** Response timeout of a ping, given the ping interval. */
    static Duration pingDeadline(Duration interval) {
        return interval.compareTo(LONGEST_PING) < 0 ? interval : LONGEST_PING;
    }

    static boolean isTooQuiet(int unansweredPings, Duration interval) {
        return unansweredPings >= MIN_UNANSWERED_PINGS
                && interval.multipliedBy(unansweredPings).compareTo(MIN_SILENCE) >= 0;
    }

    static boolean isReportedAfter(int tries, Instant since, Instant now) {
        return tries >= TRIES_UNTIL_TOLD || !since.plus(TIME_UNTIL_TOLD).isAfter(now);
    }
}
