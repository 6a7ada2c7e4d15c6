package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.Wording.Told;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one worker cluster: makes it, proves it, pings it, makes it anew when it breaks, and exchanges its credential
 * without a gap. May be called from any thread; nothing here waits. {@link ConnectionState} draws the states.
 *
 * <p>All that changes, changes in one mailbox. What waits runs on threads of its own and comes back as a letter; each carries the
 * number of the attempt that it belongs to, so that a late one is recognised.
 */
public final class WorkerConnection implements AutoCloseable {
    /** A cause that may pass is told after so many tries or so long, whichever comes first. */
    private static final int TRIES_UNTIL_TOLD = 3;

    private static final Duration TIME_UNTIL_TOLD = Duration.ofSeconds(10);
    private static final int MOST_UNANSWERED_PINGS = 3;
    private static final Duration LONGEST_PING = Duration.ofSeconds(5);

    private final ConnectionServices services;
    private final ConnectionSubject subject;
    private final ConnectionOptions options;
    private final ConnectionListener listener;
    private final Mailbox mailbox;
    private final Backoff backoff;
    private final Announcer announcer;

    // Everything below belongs to the mailbox.
    private @Nullable VettedKubeconfig newest;
    // The last one that was proven; it stays known when its link breaks. Read by others too.
    private volatile @Nullable VettedKubeconfig inUse;
    private @Nullable ConnectFailure newestFailure;
    private @Nullable Current current;
    private String clusterId;
    private int attempt;
    private int failures;
    private @Nullable Instant tryingSince;
    private Timers.@Nullable Timer retry;
    private boolean closed;

    /** The link in use, with what belongs to it. */
    private record Current(Link link, LinkWatch watch) {}

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
        this.mailbox = new Mailbox(services.threads());
        this.backoff = new Backoff(services.random());
        this.announcer = new Announcer(subject, services.timers(), listener);
    }

    /** What people are told now. */
    public ConnectionReport report() {
        return announcer.report();
    }

    public ConnectionState state() {
        return report().state();
    }

    /** Begins to connect. */
    public void start(VettedKubeconfig kubeconfig) {
        rotate(kubeconfig);
    }

    /**
     * Takes a new kubeconfig. While a connection is in use, the new one is proven first, and the old one stays if that fails. Does
     * nothing when nothing in it is new.
     */
    public void rotate(VettedKubeconfig kubeconfig) {
        mailbox.post(() -> {
            if (closed || isSame(kubeconfig, newest)) {
                return;
            }
            newest = kubeconfig;
            newestFailure = null;
            failures = 0;
            if (current != null && isSame(kubeconfig, inUse)) {
                // Back to what is in use.
                cancelRetry();
                attempt++;
                announcer.proven();
            } else {
                connect(true);
            }
        });
    }

    /** The last kubeconfig that was proven, which may be an older one than the newest; empty before. */
    public Optional<VettedKubeconfig> kubeconfigInUse() {
        return Optional.ofNullable(inUse);
    }

    /**
     * Tries a kubeconfig on a connection of its own, which is closed again; waits.
     *
     * @return why it is of no use, or not of the same; empty when it is
     */
    public Optional<String> prove(VettedKubeconfig kubeconfig) {
        try {
            Link link = services.connector().open(kubeconfig, subject, options, Connector.LinkObserver.NOBODY);
            ConnectionFacts facts = link.facts();
            link.close();
            return facts.missing().isEmpty()
                    ? Optional.empty()
                    : Optional.of(facts.user() + " may not " + facts.missing().getFirst());
        } catch (ConnectFailure failure) {
            return Optional.of(failure.words());
        }
    }

    /** Tells of a request that failed: what it says about the connection is looked into. */
    public void requestFailed(ApiFailure failure) {
        mailbox.post(() -> {
            Current now = current;
            if (now == null) {
                return;
            }
            switch (failure.why()) {
                case NO_CONNECTION, TIMED_OUT, TLS, NOT_RESOLVED -> now.watch().doubt("closed");
                case ANSWERED -> {
                    if (failure.isUnauthorized()) {
                        now.watch().doubt("credentials");
                    } else if (failure.isForbidden()) {
                        now.watch().review();
                    }
                }
                case UNREADABLE, CLOSED -> {
                    // Says nothing about the connection.
                }
            }
        });
    }

    /** Looks again at what the hub may do, though not too often. */
    public void lookAtRights() {
        mailbox.post(() -> {
            Current now = current;
            if (now != null) {
                now.watch().review();
            }
        });
    }

    /** Takes another cluster as the right one, after it was rebuilt for example. */
    public void acceptClusterId(String id) {
        mailbox.post(() -> {
            clusterId = id;
            tryNow();
        });
    }

    /** Tries at once instead of at the next time, for something changed. */
    public void retryNow() {
        mailbox.post(this::tryNow);
    }

    private void tryNow() {
        if (!closed && newest != null && retry != null) {
            failures = 0;
            connect(false);
        }
    }

    /** Ends everything; the listener hears {@code disconnected} if it was connected. */
    @Override
    public void close() {
        mailbox.post(() -> {
            if (closed) {
                return;
            }
            closed = true;
            attempt++;
            cancelRetry();
            giveUpCurrent();
            announcer.closed();
        });
    }

    private void connect(boolean first) {
        connect(first, Objects.requireNonNull(newest, "a kubeconfig to connect with"));
    }

    private void connect(boolean first, VettedKubeconfig wanted) {
        cancelRetry();
        int number = ++attempt;
        if (current == null) {
            if (tryingSince == null) {
                tryingSince = services.timers().now();
            }
            announcer.connecting(wanted);
        }
        services.ramp().run(first, () -> attempt(number, wanted));
    }

    /** On a thread of its own. */
    private void attempt(int number, VettedKubeconfig wanted) {
        long begun = services.timers().nanoTime();
        LinkWatch watch = new LinkWatch(services, mailbox, options, new Watched());
        try {
            Link link = services.connector().open(wanted, subject, options, watch);
            services.meter().attempted(true, since(begun));
            mailbox.post(() -> opened(number, wanted, new Current(link, watch)));
        } catch (ConnectFailure failure) {
            services.meter().attempted(false, since(begun));
            mailbox.post(() -> failed(number, wanted, failure, ""));
        } catch (RuntimeException e) {
            mailbox.post(() -> failed(
                    number,
                    wanted,
                    ConnectFailure.of(
                            Kind.ANSWERS_ERRORS,
                            "an unexpected failure in the hub: " + e.getClass().getSimpleName()),
                    ""));
            throw e;
        }
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(services.timers().nanoTime() - begunNanos);
    }

    private void opened(int number, VettedKubeconfig wanted, Current opened) {
        if (number != attempt) {
            opened.link().close();
            return;
        }
        ConnectionFacts facts = opened.link().facts();
        String found = facts.clusterId();
        Current old = current;
        if (!clusterId.isEmpty() && !found.isEmpty() && !clusterId.equals(found)) {
            opened.link().close();
            failed(
                    number,
                    wanted,
                    ConnectFailure.of(
                            Kind.OTHER_CLUSTER,
                            "it leads to another cluster (" + found + " instead of " + clusterId + ")"),
                    found);
            return;
        }
        if (old != null && !old.watch().missing().containsAll(facts.missing())) {
            opened.link().close();
            failed(
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

    private void use(VettedKubeconfig wanted, Current opened) {
        Current old = current;
        ConnectionFacts facts = opened.link().facts();
        if (!facts.clusterId().isEmpty()) {
            clusterId = facts.clusterId();
        }
        current = opened;
        inUse = wanted;
        failures = 0;
        tryingSince = null;
        opened.watch().start(opened.link());
        if (old == null) {
            listener.connected(opened.link().api(), facts);
        } else {
            services.meter().reconnecting("credentials");
            listener.rotated(opened.link().api(), facts);
            old.watch().stop();
            services.timers()
                    .after(options.requestTimeout(), () -> services.threads().execute(old.link()::close));
        }
        announcer.connected(facts, wanted, opened.watch().health());
        ConnectFailure unproven = newestFailure;
        newestFailure = null;
        VettedKubeconfig newer = newest;
        if (unproven != null && newer != null && !isSame(newer, wanted)) {
            // The older one helped out; the newest is tried again later.
            failed(attempt, newer, unproven, "");
        }
    }

    private static boolean isSame(VettedKubeconfig one, @Nullable VettedKubeconfig other) {
        return other != null && one.contentHash().equals(other.contentHash());
    }

    private void failed(int number, VettedKubeconfig wanted, ConnectFailure failure, String foundId) {
        if (number != attempt) {
            return;
        }
        VettedKubeconfig older = inUse;
        if (current == null && failure.kind().isDefinite() && older != null && !isSame(older, wanted)) {
            newestFailure = failure;
            connect(true, older);
            return;
        }
        failures++;
        Instant now = services.timers().now();
        Duration wait = backoff.after(failure, failures);
        retry = services.timers()
                .after(
                        wait,
                        () -> mailbox.post(() -> {
                            if (number == attempt && !closed) {
                                connect(false);
                            }
                        }));
        if (current != null) {
            announcer.unproven(failure, Objects.requireNonNull(inUse, "the kubeconfig in use"));
            return;
        }
        Instant since = tryingSince == null ? now : tryingSince;
        boolean told = failure.kind().isDefinite()
                || isToldAfter(failures, since, now)
                || !(announcer.report().state() instanceof ConnectionState.Connecting);
        if (told) {
            Told words = announcer.wording().failed(failure, wanted, clusterId, foundId, since, now, wait);
            announcer.failed(failure.kind(), words, wanted, clusterId, foundId, now.plus(wait));
        }
    }

    /** The link in use is of no use any more. */
    private void broken(ConnectFailure failure, Instant since) {
        VettedKubeconfig kubeconfig = Objects.requireNonNull(inUse, "the kubeconfig in use");
        giveUpCurrent();
        cancelRetry();
        tryingSince = since;
        failures = 0;
        failed(++attempt, kubeconfig, failure, "");
    }

    private void giveUpCurrent() {
        Current gone = current;
        if (gone != null) {
            current = null;
            gone.watch().stop();
            gone.link().close();
            listener.disconnected();
        }
    }

    private void cancelRetry() {
        Timers.Timer waiting = retry;
        if (waiting != null) {
            waiting.cancel();
            retry = null;
        }
    }

    /** What the watch over a link has to say, in the mailbox. */
    private final class Watched implements LinkWatch.Owner {
        private boolean isCurrent(LinkWatch watch) {
            Current now = current;
            return !closed && now != null && now.watch() == watch;
        }

        @Override
        public void broken(LinkWatch watch, ConnectFailure failure, Instant since) {
            if (isCurrent(watch)) {
                WorkerConnection.this.broken(failure, since);
            }
        }

        @Override
        public void changed(LinkWatch watch, ConnectionFacts facts) {
            if (isCurrent(watch)) {
                announcer.changed(facts, watch.health());
            }
        }
    }

    /** Time that a ping has, for an interval between pings. */
    static Duration pingDeadline(Duration interval) {
        return interval.compareTo(LONGEST_PING) < 0 ? interval : LONGEST_PING;
    }

    static boolean isTooQuiet(int unansweredPings) {
        return unansweredPings >= MOST_UNANSWERED_PINGS;
    }

    static boolean isToldAfter(int tries, Instant since, Instant now) {
        return tries >= TRIES_UNTIL_TOLD || !since.plus(TIME_UNTIL_TOLD).isAfter(now);
    }
}
