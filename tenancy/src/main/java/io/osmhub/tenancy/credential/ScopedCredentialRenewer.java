package io.osmhub.tenancy.credential;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
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

    private final KubeApi management;
    private final WriteFence fence;
    private final Function<String, EgressPolicy> egress;
    private final SyncObserver observer;
    private final RuntimeContext runtime;
    private final Consumer<ReasonMessage> told;
    private final Runnable changed;
    private final RenewalLoop loop;

    // All fields below are guarded by this.
    private @Nullable RenewalContext latest;
    private @Nullable String handledRequest;
    /** Content of the kubeconfig that the timer is set for, or that was just replaced. */
    private String cared = "";

    private @Nullable ReasonMessage trouble;

    private record RenewalContext(
            WorkerClusterRecord record,
            KubeconfigSecret secret,
            String key,
            ValidatedKubeconfig kubeconfig,
            WorkerLink link,
            WorkerServiceAccount account) {
        @Nullable CredentialLifetime life() {
            return CredentialLifetime.of(kubeconfig, link.state().user(), account);
        }
    }

    /**
     * @param egress where kubeconfigs of a namespace may connect to
     * @param told receives Events
     * @param changed requests reconciling the tenant; must not block
     */
    public ScopedCredentialRenewer(
            KubeApi management,
            WriteFence fence,
            Function<String, EgressPolicy> egress,
            SyncObserver observer,
            Consumer<ReasonMessage> told,
            Runnable changed,
            RuntimeContext runtime) {
        this.management = management;
        this.fence = fence;
        this.egress = egress;
        this.observer = observer;
        this.told = told;
        this.changed = changed;
        this.runtime = runtime;
        this.loop =
                new RenewalLoop("Credential renewal", () -> PAUSES, this::renewIfDue, this::onRenewalFailed, runtime);
    }

    /** Updates the current state; null where something does not exist. */
    public synchronized void look(
            WorkerClusterRecord record,
            @Nullable KubeconfigSecret secret,
            @Nullable ValidatedKubeconfig kubeconfig,
            @Nullable WorkerLink link) {
        WorkerServiceAccount account = account(record);
        if (account == null) {
            forget();
            return;
        }
        String request = record.annotation(WorkerClusterRecord.RENEW_REQUESTED);
        boolean asked = handledRequest != null && !request.equals(handledRequest);
        if (secret == null
                || kubeconfig == null
                || link == null
                || !link.uses(kubeconfig)
                || link.state().api() == null) {
            // The next reconcile with a connection continues.
            return;
        }
        handledRequest = request;
        RenewalContext now =
                new RenewalContext(record, secret, secret.key(reference(record)), kubeconfig, link, account);
        latest = now;
        if (asked) {
            loop.wake();
        } else if (!cared.equals(kubeconfig.contentHash())) {
            cared = kubeconfig.contentHash();
            CredentialLifetime life = now.life();
            loop.wakeAfter(
                    life == null
                            ? Duration.ZERO
                            : Duration.between(runtime.scheduler().now(), life.renewalTime(runtime.random())));
        }
    }

    private static @Nullable WorkerServiceAccount account(WorkerClusterRecord record) {
        WorkerClusterSpec spec = record.spec();
        return spec == null || spec.credentials().mode() != WorkerClusterSpec.Credentials.CredentialsMode.SCOPED
                ? null
                : WorkerServiceAccount.of(spec.credentials());
    }

    private static @Nullable String reference(WorkerClusterRecord record) {
        WorkerClusterSpec spec = record.spec();
        return spec == null || spec.kubeconfigSecretRef() == null
                ? null
                : spec.kubeconfigSecretRef().key();
    }

    private void forget() {
        if (latest != null) {
            latest = null;
            // Ends the backoff.
            loop.wake();
        }
        cared = "";
        trouble = null;
    }

    /** Stops. Work in progress fails or is stored; both are safe. */
    public synchronized void stop() {
        loop.stop();
        forget();
    }

    // Renewal

    private @Nullable Duration renewIfDue() throws ApiFailure {
        RenewalContext now = latest();
        if (now != null) {
            onRenewed(now, renew(now));
        }
        return null;
    }

    private synchronized @Nullable RenewalContext latest() {
        return latest;
    }

    private ScopedToken renew(RenewalContext now) throws ApiFailure {
        String namespace = now.record().namespace();
        KubeApi connected = now.link().state().api();
        if (connected == null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "not connected");
        }
        KubeApi worker = fence.ofTenant(connected, namespace);
        if (now.life() == null) {
            WorkerRole.scoped(now.account()).apply(worker);
        }
        ScopedToken token = ScopedToken.request(worker, now.account());
        Sensitive text = token.kubeconfig(now.kubeconfig());
        KubeconfigValidation vetting = new KubeconfigValidator(egress.apply(namespace))
                .validate(namespace + "/" + now.secret().name(), text.reveal());
        if (!(vetting instanceof KubeconfigValidation.Valid(ValidatedKubeconfig vetted))) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "rejected by kubeconfigPolicy");
        }
        String refused = now.link().testKubeconfig(vetted);
        if (refused != null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, refused);
        }
        management.send(now.secret().replacing(now.key(), text));
        return token;
    }

    private void onRenewed(RenewalContext now, ScopedToken token) {
        synchronized (this) {
            trouble = null;
        }
        observer.onCredentialRenewed(true);
        told.accept(Reason.CredentialsRenewed.with(
                now.record().variables(), "sa", now.account().path(), "time", time(token.expiresAt())));
        changed.run();
    }

    private void onRenewalFailed(String cause, int inARow) {
        observer.onCredentialRenewed(false);
        synchronized (this) {
            RenewalContext now = latest;
            if (now != null && inARow >= FAILURES_UNTIL_TOLD) {
                Instant end = now.kubeconfig().expiresAt();
                trouble = Reason.CredentialsRenewalFailed.with(
                        now.record().variables(),
                        "sa",
                        now.account().path(),
                        "cause",
                        cause,
                        "time",
                        end == null ? "at an unknown time" : time(end));
            }
        }
        changed.run();
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    // Status

    /** The link's state, given that the hub renews its credential. */
    public synchronized LinkState withRenewalProblem(LinkState state) {
        RenewalContext now = latest;
        CredentialLifetime life =
                now == null ? null : CredentialLifetime.of(now.kubeconfig(), state.user(), now.account());
        if (now == null || life == null) {
            return trouble == null || !isWell(state) ? state : state.with(trouble, state.credentialsKind());
        }
        if (!isWell(state)) {
            return state.with(state.credentials(), CredentialsKind.SCOPED_TOKEN);
        }
        if (trouble != null) {
            return state.with(trouble, CredentialsKind.SCOPED_TOKEN);
        }
        // Short-lived tokens are not always near their end.
        boolean ends = life.isNearItsEnd(runtime.scheduler().now());
        ReasonMessage credentials = state.credentials().reason() == Reason.CredentialsExpiring && !ends
                ? Reason.CredentialsAccepted.with(now.record().variables(), "user", state.user())
                : state.credentials();
        return state.with(credentials, CredentialsKind.SCOPED_TOKEN);
    }

    private static boolean isWell(LinkState state) {
        Reason reason = state.credentials().reason();
        return reason == Reason.CredentialsAccepted || reason == Reason.CredentialsExpiring;
    }
}
