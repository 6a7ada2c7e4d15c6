package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectionState.Connected;
import io.osmhub.tenancy.connection.ConnectionState.Connecting;
import io.osmhub.tenancy.connection.ConnectionState.Degraded;
import io.osmhub.tenancy.connection.ConnectionState.IdentityChanged;
import io.osmhub.tenancy.connection.ConnectionState.Unauthorized;
import io.osmhub.tenancy.connection.ConnectionState.Unreachable;
import io.osmhub.tenancy.connection.Wording.Told;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what people are told of a connection, tells the listener when it changes, and logs each change of state once. */
final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerConnection.class);

    private static final Duration BETWEEN_SMALL_NEWS = Duration.ofMinutes(1);

    private final ConnectionSubject subject;
    private final Timers timers;
    private final ConnectionListener listener;
    private final Wording wording;
    private final Concerns concerns = new Concerns();
    private volatile ConnectionReport report;
    private @Nullable VettedKubeconfig inUse;
    private @Nullable Verdict unproven;
    private Instant told = Instant.EPOCH;

    Announcer(ConnectionSubject subject, Timers timers, ConnectionListener listener) {
        this.subject = subject;
        this.timers = timers;
        this.listener = listener;
        this.wording = new Wording(subject);
        Verdict unknown = wording.notChecked();
        this.report = new ConnectionReport(new ConnectionState.Idle(timers.now()), unknown, unknown, List.of());
    }

    ConnectionReport report() {
        return report;
    }

    Wording wording() {
        return wording;
    }

    /** The first attempts; a state that says more stays until one of them succeeds. */
    void connecting(VettedKubeconfig kubeconfig) {
        switch (report.state()) {
            case ConnectionState.Idle _, Connected _, Degraded _ ->
                become(new ConnectionReport(
                        new Connecting(timers.now(), Wording.endpoint(kubeconfig)),
                        report.state() instanceof ConnectionState.Idle
                                ? wording.notChecked()
                                : report.credentialsValid(),
                        wording.connecting(kubeconfig),
                        List.of()));
            case Connecting _, Unreachable _, Unauthorized _, IdentityChanged _, ConnectionState.Closed _ -> {
                // Still true.
            }
        }
    }

    void connected(ConnectionFacts facts, VettedKubeconfig kubeconfig, RequestHealth health) {
        inUse = kubeconfig;
        unproven = null;
        changed(facts, health);
    }

    /** Something about the cluster that is connected is different. */
    void changed(ConnectionFacts facts, RequestHealth health) {
        VettedKubeconfig kubeconfig = inUse;
        if (kubeconfig == null) {
            return;
        }
        boolean degraded = health.isDegraded();
        Instant since = report.state().isUsable() && report.state() instanceof Degraded == degraded
                ? report.state().since()
                : timers.now();
        Verdict failedProof = unproven;
        become(new ConnectionReport(
                degraded ? new Degraded(since, facts) : new Connected(since, facts),
                failedProof == null ? wording.credential(facts, kubeconfig, timers.now()) : failedProof,
                degraded ? wording.degraded(facts, health.lastMinute()) : wording.connected(facts),
                concerns.of(facts, wording)));
    }

    /** The old credential is in use and stays so. */
    void unproven(ConnectFailure failure, VettedKubeconfig old) {
        Verdict verdict = wording.unproven(failure, old.expiresAt(), timers.now());
        unproven = verdict;
        become(new ConnectionReport(report.state(), verdict, report.connected(), report.concerns()));
    }

    /** The newest kubeconfig is the one in use again. */
    void proven() {
        unproven = null;
        VettedKubeconfig kubeconfig = inUse;
        ConnectionFacts facts =
                switch (report.state()) {
                    case Connected(Instant _, ConnectionFacts known) -> known;
                    case Degraded(Instant _, ConnectionFacts known) -> known;
                    case ConnectionState.Idle _,
                            Connecting _,
                            Unreachable _,
                            Unauthorized _,
                            IdentityChanged _,
                            ConnectionState.Closed _ -> null;
                };
        if (facts != null && kubeconfig != null) {
            become(new ConnectionReport(
                    report.state(),
                    wording.credential(facts, kubeconfig, timers.now()),
                    report.connected(),
                    report.concerns()));
        }
    }

    void failed(Kind kind, Told told, VettedKubeconfig wanted, String knownId, String foundId, Instant nextTry) {
        String endpoint = Wording.endpoint(wanted);
        ConnectionState state =
                switch (kind) {
                    case UNAUTHORIZED, ENDPOINT_REFUSED, LESS_PERMISSIONS ->
                        new Unauthorized(since(Unauthorized.class), endpoint, nextTry);
                    case OTHER_CLUSTER ->
                        new IdentityChanged(since(IdentityChanged.class), endpoint, knownId, foundId, nextTry);
                    case NOT_RESOLVED, NO_CONNECTION, NOT_RESPONDING, TLS, THROTTLED, ANSWERS_ERRORS ->
                        new Unreachable(since(Unreachable.class), endpoint, nextTry);
                };
        Verdict notConnected = wording.connecting(wanted);
        Verdict credential = told.aboutCredential() ? told.verdict() : keptCredential();
        become(new ConnectionReport(
                state, credential, told.aboutCredential() ? notConnected : told.verdict(), List.of()));
    }

    private Instant since(Class<? extends ConnectionState> same) {
        return same.isInstance(report.state()) ? report.state().since() : timers.now();
    }

    /** What was said of the credential before the connection broke, unless that was a refusal which something else has replaced. */
    private Verdict keptCredential() {
        return report.state() instanceof Unauthorized ? wording.notChecked() : report.credentialsValid();
    }

    void closed() {
        become(new ConnectionReport(
                new ConnectionState.Closed(timers.now()), report.credentialsValid(), report.connected(), List.of()));
    }

    private void become(ConnectionReport next) {
        ConnectionReport before = report;
        if (next.equals(before)) {
            return;
        }
        report = next;
        Instant now = timers.now();
        boolean news = isNews(before, next);
        if (news) {
            log(next);
        }
        // A cluster that stays away is tried every few seconds; that the next try is at another time is no reason to
        // write a status.
        if (news || next.state().isUsable() || !now.isBefore(told.plus(BETWEEN_SMALL_NEWS))) {
            told = now;
            listener.stateChanged(next);
        }
    }

    /** A change of state or reason; a message that only tells another time is none. */
    private static boolean isNews(ConnectionReport before, ConnectionReport next) {
        return before.state().getClass() != next.state().getClass()
                || before.connected().reason() != next.connected().reason()
                || before.credentialsValid().reason() != next.credentialsValid().reason();
    }

    private void log(ConnectionReport news) {
        Verdict telling =
                news.credentialsValid().truth() == Verdict.Truth.NO ? news.credentialsValid() : news.connected();
        LOG.atInfo()
                .addKeyValue("tenant", subject.tenant())
                .addKeyValue("workerCluster", subject.workerCluster())
                .addKeyValue("reason", telling.reason().word())
                .addKeyValue("actor", telling.reason().actor().word())
                .log("{}: {}", news.state().getClass().getSimpleName(), telling.message());
    }
}
