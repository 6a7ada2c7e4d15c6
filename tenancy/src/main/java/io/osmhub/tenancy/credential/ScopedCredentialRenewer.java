package io.osmhub.tenancy.credential;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the scoped credential of one tenant: creates it with the registered, stronger one, and renews it after a third of its
 * lifetime or on request. A new token is tested before it is stored; the connection then switches to it as on any rotation. Two
 * thirds of the lifetime remain to fix problems.
 */
public final class ScopedCredentialRenewer {
    private static final int FAILURES_UNTIL_TOLD = 3;
    private static final ExponentialBackoff PAUSES =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(30));

    private final KubeApi managementApi;
    private final WriteFence writeFence;
    private final Function<String, EgressPolicy> egressPolicies;
    private final SyncObserver syncObserver;
    private final RuntimeContext runtimeContext;
    private final BiConsumer<WorkerClusterRecord, Problem> eventRecorder;
    private final Runnable changeListener;
    private final RenewalLoop renewalLoop;

    // All fields below are guarded by this.
    private @Nullable RenewalContext renewalContext;
    private @Nullable String handledRequest;
    /** Content of the kubeconfig that the timer is set for, or that was just replaced. */
    private String knownContent = "";

    private @Nullable Problem problem;

    private record RenewalContext(
            WorkerClusterRecord record,
            KubeconfigSecret secret,
            ValidatedKubeconfig kubeconfig,
            WorkerConnection connection,
            WorkerServiceAccount account) {
        @Nullable CredentialLifetime life() {
            return CredentialLifetime.of(kubeconfig, connection.status().facts().user(), account);
        }
    }

    /**
     * @param egressPolicies where kubeconfigs of a namespace may connect to
     * @param eventRecorder receives Events
     * @param changeListener requests reconciling the tenant; must not block
     */
    public ScopedCredentialRenewer(
            KubeApi managementApi,
            WriteFence writeFence,
            Function<String, EgressPolicy> egressPolicies,
            BiConsumer<WorkerClusterRecord, Problem> eventRecorder,
            Runnable changeListener,
            WorkerSync.SyncEnvironment environment) {
        this.managementApi = managementApi;
        this.writeFence = writeFence;
        this.egressPolicies = egressPolicies;
        this.syncObserver = environment.runDependencies().observer();
        this.eventRecorder = eventRecorder;
        this.changeListener = changeListener;
        this.runtimeContext = environment.runtimeContext();
        this.renewalLoop = new RenewalLoop(
                "Credential renewal",
                () -> PAUSES,
                () -> renewIfDue(),
                (cause, inARow) -> onRenewalFailed(cause, inARow),
                runtimeContext);
    }

    /** Updates the current state; null where something does not exist. */
    public synchronized void look(
            WorkerClusterRecord record,
            @Nullable KubeconfigSecret secret,
            @Nullable ValidatedKubeconfig kubeconfig,
            @Nullable WorkerConnection connection) {
        WorkerServiceAccount account = WorkerServiceAccount.scoped(record.spec());
        if (account == null) {
            forget();
            return;
        }
        String request = record.annotation(WorkerClusterRecord.RENEW_REQUESTED);
        boolean asked = handledRequest != null && !request.equals(handledRequest);
        if (secret == null
                || kubeconfig == null
                || connection == null
                || !connection.uses(kubeconfig)
                || connection.status().api() == null) {
            // The next reconcile with a connection continues.
            return;
        }
        handledRequest = request;
        RenewalContext now = new RenewalContext(record, secret, kubeconfig, connection, account);
        renewalContext = now;
        if (asked) {
            renewalLoop.wake();
        } else if (!knownContent.equals(kubeconfig.contentHash())) {
            knownContent = kubeconfig.contentHash();
            CredentialLifetime life = now.life();
            renewalLoop.wakeAfter(
                    life == null
                            ? Duration.ZERO
                            : Duration.between(
                                    runtimeContext.scheduler().now(), life.renewalTime(runtimeContext.random())));
        }
    }

    private void forget() {
        if (renewalContext != null) {
            renewalContext = null;
            // Ends the backoff.
            renewalLoop.wake();
        }
        knownContent = "";
        problem = null;
    }

    /** Stops. Work in progress fails or is stored; both are safe. */
    public synchronized void stop() {
        renewalLoop.stop();
        forget();
    }

    // Renewal

    private @Nullable Duration renewIfDue() throws ApiFailure {
        RenewalContext now = context();
        if (now != null) {
            onRenewed(now, renew(now));
        }
        return null;
    }

    private synchronized @Nullable RenewalContext context() {
        return renewalContext;
    }

    private ScopedToken renew(RenewalContext now) throws ApiFailure {
        String namespace = now.record().namespace();
        KubeApi connected = now.connection().status().api();
        if (connected == null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "not connected");
        }
        KubeApi worker = writeFence.ofTenant(connected, namespace);
        if (now.life() == null) {
            WorkerRole.scoped(now.account()).apply(worker);
        }
        ScopedToken token = ScopedToken.request(worker, now.account());
        Sensitive text = token.kubeconfig(now.kubeconfig());
        KubeconfigValidation vetting = new KubeconfigValidator(egressPolicies.apply(namespace))
                .validate(namespace + "/" + now.secret().name(), text.reveal());
        if (!(vetting instanceof KubeconfigValidation.Valid(ValidatedKubeconfig vetted))) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "rejected by kubeconfigPolicy");
        }
        String refused = now.connection().testKubeconfig(vetted);
        if (refused != null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, refused);
        }
        managementApi.send(now.secret().replacing(KubeconfigSecret.key(now.record(), now.secret()), text));
        return token;
    }

    private void onRenewed(RenewalContext now, ScopedToken token) {
        synchronized (this) {
            problem = null;
        }
        syncObserver.onCredentialRenewed(true);
        eventRecorder.accept(
                now.record(),
                Reason.CredentialsRenewed.with(
                        now.record().variables(), "sa", now.account().path(), "time", time(token.expiresAt())));
        changeListener.run();
    }

    private void onRenewalFailed(String cause, int inARow) {
        syncObserver.onCredentialRenewed(false);
        synchronized (this) {
            RenewalContext now = renewalContext;
            if (now != null && inARow >= FAILURES_UNTIL_TOLD) {
                Instant end = now.kubeconfig().expiresAt();
                problem = Reason.CredentialsRenewalFailed.with(
                        now.record().variables(),
                        "sa",
                        now.account().path(),
                        "cause",
                        cause,
                        "time",
                        end == null ? "at an unknown time" : time(end));
            }
        }
        changeListener.run();
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    // Status

    /** The connection's status, given that the hub renews its credential. */
    public synchronized ConnectionStatus withRenewalProblem(ConnectionStatus status) {
        CredentialLifetime life = renewalContext == null
                ? null
                : CredentialLifetime.of(
                        renewalContext.kubeconfig(), status.facts().user(), renewalContext.account());
        CredentialsKind kind = life == null ? status.credential().kind() : CredentialsKind.SCOPED_TOKEN;
        if (!isWell(status)) {
            return status.with(status.credentials(), kind);
        }
        if (problem != null) {
            return status.with(problem, kind);
        }
        // Short-lived tokens are not always near their end.
        boolean ends =
                life == null || life.isNearItsEnd(runtimeContext.scheduler().now());
        Problem credentials =
                status.credentials().reason() == Reason.CredentialsExpiring && renewalContext != null && !ends
                        ? Reason.CredentialsAccepted.with(
                                renewalContext.record().variables(),
                                "user",
                                status.facts().user())
                        : status.credentials();
        return status.with(credentials, kind);
    }

    private static boolean isWell(ConnectionStatus status) {
        Reason reason = status.credentials().reason();
        return reason == Reason.CredentialsAccepted || reason == Reason.CredentialsExpiring;
    }
}
