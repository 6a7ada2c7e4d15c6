package io.osmhub.tenancy;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.credential.CredentialLife;
import io.osmhub.tenancy.credential.ScopedToken;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scoped credential of one tenant: makes it of the stronger one that was given, and renews it when a third of its life
 * has passed, or when somebody asks. A new token is proven before it is stored; once it is, the tenant's kubeconfig is another, and
 * the connection changes to it as to any other. Two thirds of the life are left to mend what is in the way.
 */
final class ScopedCare {
    private static final int FAILURES_UNTIL_TOLD = 3;
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(30));

    private final Services services;
    private final Consumer<Diagnosis> told;
    private final Runnable changed;

    // Everything below is guarded by this.
    private @Nullable Case latest;
    private @Nullable String handledRequest;
    /** Content of the kubeconfig that the alarm is set for, or that was just replaced. */
    private String cared = "";

    private Timers.@Nullable Timer alarm;
    private boolean working;
    private int failures;
    private @Nullable Diagnosis trouble;

    /** What there is to work with at one moment. */
    private record Case(
            WorkerClusterRecord record,
            KubeconfigSecret secret,
            String key,
            VettedKubeconfig kubeconfig,
            WorkerLink link,
            WorkerAccount account) {
        @Nullable CredentialLife life() {
            return CredentialLife.of(kubeconfig, link.state().user(), account);
        }
    }

    /** Why it could not be done. */
    private static final class NotRenewed extends Exception {
        private static final long serialVersionUID = 1L;

        NotRenewed(String cause) {
            super(cause, null, false, false);
        }
    }

    /**
     * Care that has nothing to do yet.
     *
     * @param told gets what people are told by an Event
     * @param changed called when the tenant is to be looked at again; hands over and returns
     */
    ScopedCare(Services services, Consumer<Diagnosis> told, Runnable changed) {
        this.services = services;
        this.told = told;
        this.changed = changed;
    }

    /** The tenant as it is now; whatever is null is not there. */
    synchronized void look(
            WorkerClusterRecord record,
            @Nullable KubeconfigSecret secret,
            @Nullable VettedKubeconfig kubeconfig,
            @Nullable WorkerLink link) {
        WorkerAccount account = account(record);
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
            // A look that finds a connection comes.
            return;
        }
        handledRequest = request;
        Case now = new Case(record, secret, secret.key(reference(record)), kubeconfig, link, account);
        latest = now;
        if (asked) {
            set(Duration.ZERO);
        } else if (!cared.equals(kubeconfig.contentHash())) {
            cared = kubeconfig.contentHash();
            CredentialLife life = now.life();
            set(
                    life == null
                            ? Duration.ZERO
                            : until(life.renewal(services.around().random())));
        }
    }

    private static @Nullable WorkerAccount account(WorkerClusterRecord record) {
        WorkerClusterSpec spec = record.spec();
        return spec == null || spec.credentials().mode() != WorkerClusterSpec.Credentials.Mode.SCOPED
                ? null
                : WorkerAccount.of(spec.credentials());
    }

    private static @Nullable String reference(WorkerClusterRecord record) {
        WorkerClusterSpec spec = record.spec();
        return spec == null || spec.kubeconfigSecretRef() == null
                ? null
                : spec.kubeconfigSecretRef().key();
    }

    private Duration until(Instant time) {
        Duration left = Duration.between(services.around().timers().now(), time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void set(Duration wait) {
        cancel();
        alarm = services.around()
                .timers()
                .after(wait, () -> services.around().waiting().execute(this::work));
    }

    private void cancel() {
        Timers.Timer set = alarm;
        if (set != null) {
            set.cancel();
            alarm = null;
        }
    }

    private void forget() {
        cancel();
        latest = null;
        cared = "";
        failures = 0;
        trouble = null;
    }

    /** Ends the care; what is under way fails or is stored, either is right. */
    synchronized void stop() {
        forget();
    }

    // Renewing

    private void work() {
        Case now;
        synchronized (this) {
            now = latest;
            if (now == null || working) {
                return;
            }
            working = true;
            alarm = null;
        }
        try {
            ScopedToken token = renew(now);
            succeeded(now, token);
        } catch (NotRenewed e) {
            failed(now, String.valueOf(e.getMessage()));
        } catch (ApiFailure e) {
            failed(now, e.text());
        } finally {
            synchronized (this) {
                working = false;
            }
            changed.run();
        }
    }

    private ScopedToken renew(Case now) throws ApiFailure, NotRenewed {
        String namespace = now.record().namespace();
        KubeApi connected = now.link().state().api();
        if (connected == null) {
            throw new NotRenewed("not connected");
        }
        KubeApi worker = services.fencing().fenced(connected, namespace);
        if (now.life() == null) {
            WorkerRole.scoped(now.account()).make(worker);
        }
        ScopedToken token = ScopedToken.request(worker, now.account());
        Sensitive text = token.kubeconfig(now.kubeconfig());
        Vetting vetting = new KubeconfigFirewall(services.egress(namespace))
                .vet(namespace + "/" + now.secret().name(), text.reveal());
        if (!(vetting instanceof Vetting.Vetted(VettedKubeconfig vetted))) {
            throw new NotRenewed("the policy for kubeconfigs refuses it");
        }
        String refused = now.link().prove(vetted);
        if (refused != null) {
            throw new NotRenewed(refused);
        }
        services.fencing()
                .fenced(services.management(), namespace)
                .send(now.secret().replacing(now.key(), text));
        return token;
    }

    private void succeeded(Case now, ScopedToken token) {
        synchronized (this) {
            failures = 0;
            trouble = null;
        }
        services.environment().tools().observer().credentialRenewed(true);
        told.accept(diagnosis(
                now, Reason.CredentialsRenewed, Map.of("sa", now.account().path(), "time", time(token.expiresAt()))));
    }

    private void failed(Case now, String cause) {
        services.environment().tools().observer().credentialRenewed(false);
        synchronized (this) {
            failures++;
            set(PAUSES.after(failures, services.around().random()));
            if (failures >= FAILURES_UNTIL_TOLD) {
                Instant end = now.kubeconfig().expiresAt();
                trouble = diagnosis(
                        now,
                        Reason.CredentialsRenewalFailed,
                        Map.of(
                                "sa",
                                now.account().path(),
                                "cause",
                                cause,
                                "time",
                                end == null ? "at a time that it does not tell" : time(end)));
            }
        }
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Diagnosis diagnosis(Case now, Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", now.record().namespace());
        all.put("wc", now.record().name());
        return new Diagnosis(reason, Message.of(reason, all));
    }

    // Telling

    /** How the way stands when it is known that the hub renews its credential by itself. */
    synchronized LinkState judged(LinkState state) {
        Case now = latest;
        CredentialLife life = now == null ? null : CredentialLife.of(now.kubeconfig(), state.user(), now.account());
        if (now == null || life == null) {
            return trouble == null || !isWell(state) ? state : state.with(trouble, state.credentialsKind());
        }
        if (!isWell(state)) {
            return state.with(state.credentials(), CredentialsKind.SCOPED_TOKEN);
        }
        if (trouble != null) {
            return state.with(trouble, CredentialsKind.SCOPED_TOKEN);
        }
        // A token of a week is not near its end because it is one.
        boolean ends = life.isNearItsEnd(services.around().timers().now());
        Diagnosis credentials = state.credentials().reason() == Reason.CredentialsExpiring && !ends
                ? diagnosis(now, Reason.CredentialsAccepted, Map.of("user", state.user()))
                : state.credentials();
        return state.with(credentials, CredentialsKind.SCOPED_TOKEN);
    }

    private static boolean isWell(LinkState state) {
        Reason reason = state.credentials().reason();
        return reason == Reason.CredentialsAccepted || reason == Reason.CredentialsExpiring;
    }
}
