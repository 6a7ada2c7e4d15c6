package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.Connector.LinkObserver;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a link that is in use: pings it, looks into what makes it doubtful, counts what the server refuses, and looks again
 * at permissions that are missing. Its state belongs to the connection's mailbox.
 */
final class LinkWatch implements LinkObserver {
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);
    private static final Duration WHILE_PEER_RUNS = Duration.ofSeconds(30);
    private static final Duration WHILE_SOMETHING_IS_ODD = Duration.ofMinutes(5);
    private static final Duration BETWEEN_REVIEWS = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS_AT_THE_END = Duration.ofHours(1);
    private static final Duration SKEWED = Duration.ofMinutes(1);

    private final ConnectionServices services;
    private final Mailbox mailbox;
    private final ConnectionOptions options;
    private final Owner owner;
    private final RequestHealth health;

    // Both are also read where pings are sent.
    private volatile @Nullable Link link;
    private @Nullable ConnectionFacts facts;
    private PingScheduler.@Nullable Entry pings;
    private Timers.@Nullable Timer nextReview;
    private @Nullable Instant reviewed;
    private boolean reviewing;
    private volatile @Nullable Instant lastTold;
    private @Nullable Instant doubtedSince;
    private @Nullable Instant probed;
    private int failedProbes;

    /** Who decides. Called in the mailbox. */
    interface Owner {
        /** The link is of no use any more. */
        void broken(LinkWatch watch, ConnectFailure failure, Instant since);

        /** Facts or health are different. */
        void changed(LinkWatch watch, ConnectionFacts facts);
    }

    LinkWatch(ConnectionServices services, Mailbox mailbox, ConnectionOptions options, Owner owner) {
        this.services = services;
        this.mailbox = mailbox;
        this.options = options;
        this.owner = owner;
        this.health = new RequestHealth(services.timers());
    }

    RequestHealth health() {
        return health;
    }

    /** What the credential in use may not do. */
    List<Permission> missing() {
        ConnectionFacts known = facts;
        return known == null ? List.of() : known.missing();
    }

    void start(Link proven) {
        link = proven;
        facts = proven.facts();
        pings = services.pings().every(options.pingInterval(), this::ping);
        lastTold = services.timers().now();
        planReview(proven.facts());
        if (!proven.isConnected()) {
            // Lost while it was being proven.
            doubt("closed");
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
    public void lost(boolean asked) {
        mailbox.post(() -> doubt(asked ? "goaway" : "closed"));
    }

    @Override
    public void requested(@Nullable ApiFailure failure) {
        if (health.record(failure)) {
            mailbox.post(this::tell);
        }
    }

    /** On the timer's thread, without a letter while all is well: it is what an idle hub does most. */
    private void ping() {
        Link pinged = link;
        if (pinged == null) {
            return;
        }
        Instant told = lastTold;
        // The end of the credential comes nearer, though nothing happens.
        boolean longAgo = told == null
                || told.plus(BETWEEN_LOOKS_AT_THE_END)
                        .isBefore(services.timers().now());
        if (health.look() || longAgo) {
            mailbox.post(this::tell);
        }
        await(pinged);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a bad answer comes as a letter
    private void await(Link pinged) {
        pinged.ping(WorkerConnection.pingDeadline(options.pingInterval())).thenAccept(unanswered -> {
            if (WorkerConnection.isTooQuiet(unanswered)) {
                mailbox.post(() -> pinged(pinged, unanswered));
            }
        });
    }

    private void pinged(Link pinged, int unanswered) {
        if (link == pinged) {
            services.meter().reconnecting("ping");
            Duration silent = options.pingInterval().multipliedBy(unanswered);
            owner.broken(
                    this,
                    ConnectFailure.of(Kind.NOT_RESPONDING, "pings are not answered"),
                    services.timers().now().minus(silent));
        }
    }

    private void tell() {
        ConnectionFacts known = facts;
        if (link != null && known != null) {
            lastTold = services.timers().now();
            owner.changed(this, known);
        }
    }

    // In the mailbox.

    /** Something makes the link doubtful: asks for a sign of life, and gives it up after some tries or some time. */
    void doubt(String cause) {
        Instant now = services.timers().now();
        if (link == null || doubtedSince != null) {
            return;
        }
        services.meter().reconnecting(cause);
        doubtedSince = now;
        failedProbes = 0;
        Instant last = probed;
        // A link that breaks again and again, and each time comes back, is not probed without pause.
        if (last != null && last.plus(BETWEEN_PROBES).isAfter(now)) {
            probeLater();
        } else {
            probe();
        }
    }

    private void probeLater() {
        services.timers().after(BETWEEN_PROBES, () -> mailbox.post(this::probe));
    }

    private void probe() {
        Link doubtful = link;
        if (doubtful == null) {
            return;
        }
        probed = services.timers().now();
        services.threads().execute(() -> {
            try {
                Link.Greeting greeting = doubtful.probe();
                mailbox.post(() -> lives(doubtful, greeting));
            } catch (ConnectFailure failure) {
                mailbox.post(() -> probeFailed(doubtful, failure));
            }
        });
    }

    private void lives(Link doubtful, Link.Greeting greeting) {
        if (link == doubtful) {
            doubtedSince = null;
            learn(greeting);
        }
    }

    /** A server that was upgraded meanwhile tells another version. */
    private void learn(Link.Greeting greeting) {
        ConnectionFacts known = facts;
        if (known != null) {
            ConnectionFacts now = known.with(greeting);
            facts = now;
            // The clock's difference alone is a little different each time.
            if (!now.version().equals(known.version()) || isSkewed(now) || isSkewed(known)) {
                tell();
            }
        }
    }

    private static boolean isSkewed(ConnectionFacts facts) {
        return facts.clockAhead().abs().compareTo(SKEWED) >= 0;
    }

    private void probeFailed(Link doubtful, ConnectFailure failure) {
        Instant since = doubtedSince;
        if (link != doubtful || since == null) {
            return;
        }
        if (failure.kind() == Kind.ANSWERS_ERRORS || failure.kind() == Kind.THROTTLED) {
            // An answer, whatever it says, is a sign of life.
            doubtedSince = null;
            return;
        }
        failedProbes++;
        if (failure.kind().isDefinite()
                || WorkerConnection.isToldAfter(
                        failedProbes, since, services.timers().now())) {
            owner.broken(this, failure, since);
        } else {
            probeLater();
        }
    }

    /** Looks again at permissions and peer, though not too often. */
    void review() {
        Instant last = reviewed;
        Instant now = services.timers().now();
        if (last == null || !last.plus(BETWEEN_REVIEWS).isAfter(now)) {
            reviewNow();
        }
    }

    private void reviewNow() {
        Link asked = link;
        if (asked == null || reviewing) {
            return;
        }
        reviewing = true;
        reviewed = services.timers().now();
        services.threads().execute(() -> {
            try {
                Link.Greeting greeting = asked.probe();
                Link.Review review = asked.review();
                mailbox.post(() -> reviewed(asked, greeting, review));
            } catch (ConnectFailure | ApiFailure failure) {
                mailbox.post(() -> reviewFailed(asked));
            }
        });
    }

    private void reviewed(Link asked, Link.Greeting greeting, Link.Review review) {
        reviewing = false;
        ConnectionFacts known = facts;
        if (link != asked || known == null) {
            return;
        }
        ConnectionFacts now = known.with(greeting).with(review);
        facts = now;
        tell();
        planReview(now);
    }

    /** Says nothing about permissions; a broken link shows by itself. */
    private void reviewFailed(Link asked) {
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
            nextReview = services.timers().after(wait, () -> mailbox.post(this::reviewNow));
        }
    }
}
