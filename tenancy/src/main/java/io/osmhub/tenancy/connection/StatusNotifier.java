package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectionMessages.FailureCondition;
import io.osmhub.tenancy.connection.ConnectionState.Connected;
import io.osmhub.tenancy.connection.ConnectionState.Connecting;
import io.osmhub.tenancy.connection.ConnectionState.Degraded;
import io.osmhub.tenancy.connection.ConnectionState.IdentityChanged;
import io.osmhub.tenancy.connection.ConnectionState.Unauthorized;
import io.osmhub.tenancy.connection.ConnectionState.Unreachable;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains a connection's report, notifies the listener of changes, and logs each change of state once. */
final class StatusNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerConnection.class);

    private static final Duration BETWEEN_SMALL_NEWS = Duration.ofMinutes(1);

    private final ConnectionSubject subject;
    private final Scheduler timers;
    private final ConnectionListener listener;
    private final ConnectionMessages wording;
    private final ConnectionWarnings concerns = new ConnectionWarnings();
    private volatile ConnectionReport report;
    private @Nullable ValidatedKubeconfig inUse;
    private @Nullable ReportedCondition unproven;
    private Instant told = Instant.EPOCH;

    StatusNotifier(ConnectionSubject subject, Scheduler timers, ConnectionListener listener) {
        this.subject = subject;
        this.timers = timers;
        this.listener = listener;
        this.wording = new ConnectionMessages(subject);
        ReportedCondition unknown = wording.notChecked();
        this.report = new ConnectionReport(new ConnectionState.Idle(timers.now()), unknown, unknown, List.of(), null);
    }

    ConnectionReport report() {
        return report;
    }

    ConnectionMessages wording() {
        return wording;
    }

    /** Initial attempts; a more specific state remains until one succeeds. */
    void onConnecting(ValidatedKubeconfig kubeconfig) {
        switch (report.state()) {
            case ConnectionState.Idle _, Connected _, Degraded _ ->
                setReport(new ConnectionReport(
                        new Connecting(timers.now(), ConnectionMessages.endpoint(kubeconfig)),
                        report.state() instanceof ConnectionState.Idle
                                ? wording.notChecked()
                                : report.credentialsValid(),
                        wording.connecting(kubeconfig),
                        List.of(),
                        null));
            case Connecting _, Unreachable _, Unauthorized _, IdentityChanged _, ConnectionState.Closed _ -> {
                // Still true.
            }
        }
    }

    void onConnected(ConnectionFacts facts, ValidatedKubeconfig kubeconfig, RequestHealth health) {
        inUse = kubeconfig;
        unproven = null;
        onChanged(facts, health, null);
    }

    /** Facts about the connected cluster changed, or whether it answers. */
    void onChanged(ConnectionFacts facts, RequestHealth health, @Nullable Instant noAnswerSince) {
        ValidatedKubeconfig kubeconfig = inUse;
        if (kubeconfig == null) {
            return;
        }
        boolean degraded = health.isDegraded();
        Instant since = report.state().isUsable() && report.state() instanceof Degraded == degraded
                ? report.state().since()
                : timers.now();
        ReportedCondition failedProof = unproven;
        setReport(new ConnectionReport(
                degraded ? new Degraded(since, facts) : new Connected(since, facts),
                failedProof == null ? wording.credential(facts, kubeconfig, timers.now()) : failedProof,
                degraded ? wording.degraded(facts, health.lastMinute()) : wording.connected(facts),
                concerns.findWarnings(facts, wording),
                noAnswerSince));
    }

    /** The old credential remains in use. */
    void unproven(ConnectFailure failure, ValidatedKubeconfig old) {
        ReportedCondition verdict = wording.newCredentialRejected(failure, old.expiresAt(), timers.now());
        unproven = verdict;
        setReport(new ConnectionReport(
                report.state(), verdict, report.connected(), report.concerns(), report.noAnswerSince()));
    }

    /** The newest kubeconfig is in use again. */
    void proven() {
        unproven = null;
        ValidatedKubeconfig kubeconfig = inUse;
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
            setReport(new ConnectionReport(
                    report.state(),
                    wording.credential(facts, kubeconfig, timers.now()),
                    report.connected(),
                    report.concerns(),
                    report.noAnswerSince()));
        }
    }

    void onFailed(
            Kind kind,
            FailureCondition told,
            ValidatedKubeconfig wanted,
            String knownId,
            String foundId,
            Instant nextTry,
            @Nullable Instant noAnswerSince) {
        String endpoint = ConnectionMessages.endpoint(wanted);
        ConnectionState state =
                switch (kind) {
                    case UNAUTHORIZED, ENDPOINT_REFUSED, LESS_PERMISSIONS ->
                        new Unauthorized(since(Unauthorized.class), endpoint, nextTry);
                    case OTHER_CLUSTER ->
                        new IdentityChanged(since(IdentityChanged.class), endpoint, knownId, foundId, nextTry);
                    case NOT_RESOLVED, NO_CONNECTION, NOT_RESPONDING, TLS, THROTTLED, ANSWERS_ERRORS ->
                        new Unreachable(since(Unreachable.class), endpoint, nextTry);
                };
        ReportedCondition notConnected = wording.connecting(wanted);
        ReportedCondition credential = told.aboutCredential() ? told.verdict() : keptCredential();
        setReport(new ConnectionReport(
                state, credential, told.aboutCredential() ? notConnected : told.verdict(), List.of(), noAnswerSince));
    }

    private Instant since(Class<? extends ConnectionState> same) {
        return same.isInstance(report.state()) ? report.state().since() : timers.now();
    }

    /** The credential's condition before the connection broke, except for a rejection that another failure has replaced. */
    private ReportedCondition keptCredential() {
        return report.state() instanceof Unauthorized ? wording.notChecked() : report.credentialsValid();
    }

    void onClosed() {
        setReport(new ConnectionReport(
                new ConnectionState.Closed(timers.now()),
                report.credentialsValid(),
                report.connected(),
                List.of(),
                null));
    }

    private void setReport(ConnectionReport next) {
        ConnectionReport before = report;
        if (next.equals(before)) {
            return;
        }
        report = next;
        Instant now = timers.now();
        boolean news = isLogged(before, next);
        if (news) {
            log(next);
        }
        // An unreachable cluster is retried every few seconds; a new retry time alone must not cause a status write.
        if (news || next.state().isUsable() || !now.isBefore(told.plus(BETWEEN_SMALL_NEWS))) {
            told = now;
            listener.onStateChanged(next);
        }
    }

    /** A change of state or reason; a message with another time does not count. */
    private static boolean isLogged(ConnectionReport before, ConnectionReport next) {
        return before.state().getClass() != next.state().getClass()
                || before.connected().reason() != next.connected().reason()
                || before.credentialsValid().reason() != next.credentialsValid().reason();
    }

    private void log(ConnectionReport news) {
        ReportedCondition telling = news.credentialsValid().truth() == ReportedCondition.ConditionStatus.NO
                ? news.credentialsValid()
                : news.connected();
        LOG.atInfo()
                .addKeyValue("tenant", subject.tenant())
                .addKeyValue("workerCluster", subject.workerCluster())
                .addKeyValue("reason", telling.reason().wireName())
                .addKeyValue("actor", telling.reason().actor().wireName())
                .log("{}: {}", news.state().getClass().getSimpleName(), telling.message());
    }
}
