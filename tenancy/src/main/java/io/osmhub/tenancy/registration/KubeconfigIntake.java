package io.osmhub.tenancy.registration;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Message;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTest;
import io.osmhub.tenancy.connection.ConnectionTests;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.credential.CredentialLife;
import io.osmhub.tenancy.credential.ScopedToken;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.registration.RegistrationRefused.Kind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes a kubeconfig in: vets it, tries it, and exchanges it for a token of the hub's own account where that is asked for. */
final class KubeconfigIntake {
    /** Roles that were made just now count for an API server as soon as it has heard of them, which takes a moment. */
    private static final int TRIES = 25;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final ConnectionTests tests;
    private final EgressPolicy egress;
    private final Timers timers;

    KubeconfigIntake(ConnectionTests tests, EgressPolicy egress, Timers timers) {
        this.tests = tests;
        this.egress = egress;
        this.timers = timers;
    }

    /**
     * What is to be made of it.
     *
     * @param account whose token is wanted; null to store what is given
     * @param skipTest to take it although the worker cluster does not pass the test
     * @param dryRun to make nothing
     * @param clusterId UID of the worker's {@code kube-system} that is known; empty when any is right
     */
    record Wish(@Nullable WorkerAccount account, boolean skipTest, boolean dryRun, String clusterId) {}

    /**
     * A kubeconfig to be stored.
     *
     * @param minted with a token that was made just now
     */
    record Taken(Sensitive text, TestReport report, boolean minted) {}

    VettedKubeconfig vet(ConnectionSubject subject, Sensitive text) throws RegistrationRefused {
        return vetted(new KubeconfigFirewall(egress).vet(subject.tenant() + "/" + subject.secret(), text.reveal()));
    }

    Vetting vetStored(String secret, Map<String, String> data, String key) {
        return new KubeconfigFirewall(egress).vet(secret, data, key);
    }

    static VettedKubeconfig vetted(Vetting vetting) throws RegistrationRefused {
        return switch (vetting) {
            case Vetting.Vetted(VettedKubeconfig kubeconfig) -> kubeconfig;
            case Vetting.Refused refused -> throw RegistrationRefused.kubeconfig(refused.findings());
        };
    }

    ConnectionTest test(ConnectionSubject subject, VettedKubeconfig kubeconfig) {
        return tests.test(subject, kubeconfig, egress);
    }

    /** Vets and tries a kubeconfig, and makes of it what is wished. */
    Taken take(ConnectionSubject subject, Sensitive text, Wish wish) throws RegistrationRefused {
        VettedKubeconfig vetted = vet(subject, text);
        try (ConnectionTest test = test(subject, vetted)) {
            TestReport report = test.report();
            KubeApi worker = test.api();
            if (!report.passed() && (!wish.skipTest() || wish.account() != null)) {
                throw RegistrationRefused.test(report);
            }
            if (leadsElsewhere(report, wish)) {
                throw RegistrationRefused.of(
                        Kind.CONFLICT,
                        "the kubeconfig leads to another cluster than before (" + report.clusterId() + " instead of "
                                + wish.clusterId()
                                + "); nothing was stored; register that one in a namespace of its own");
            }
            WorkerAccount account = wish.account();
            if (account == null
                    || worker == null
                    || wish.dryRun()
                    || CredentialLife.of(vetted, report.user(), account) != null) {
                return new Taken(text, report, false);
            }
            return mint(subject, vetted, worker, account);
        }
    }

    private static boolean leadsElsewhere(TestReport report, Wish wish) {
        return !wish.clusterId().isEmpty()
                && !report.clusterId().isEmpty()
                && !wish.clusterId().equals(report.clusterId());
    }

    /** Makes account, roles and token with a stronger credential, and tries the token. */
    private Taken mint(ConnectionSubject subject, VettedKubeconfig given, KubeApi worker, WorkerAccount account)
            throws RegistrationRefused {
        try {
            WorkerRole.scoped(account).make(worker);
        } catch (ApiFailure e) {
            throw refused(e, "to make ServiceAccount " + account.path() + " with its Roles");
        }
        return renew(subject, given, worker, account);
    }

    /** Asks for a token over a connection that may do so, and tries it. */
    Taken renew(ConnectionSubject subject, VettedKubeconfig from, KubeApi worker, WorkerAccount account)
            throws RegistrationRefused {
        ScopedToken token;
        try {
            token = ScopedToken.request(worker, account);
        } catch (ApiFailure e) {
            throw refused(e, "a token of ServiceAccount " + account.path());
        }
        Sensitive text = token.kubeconfig(from);
        VettedKubeconfig vetted = vet(subject, text);
        TestReport report = tried(subject, vetted);
        for (int tries = 1; !report.passed() && tries < TRIES; tries++) {
            pause();
            report = tried(subject, vetted);
        }
        if (!report.passed()) {
            throw RegistrationRefused.test(report);
        }
        return new Taken(text, report, true);
    }

    private TestReport tried(ConnectionSubject subject, VettedKubeconfig vetted) {
        try (ConnectionTest test = test(subject, vetted)) {
            return test.report();
        }
    }

    /** Whether a stored kubeconfig is what would come of the given one: for the same server, scoped, and far from its end. */
    boolean isScopedAlready(
            ConnectionSubject subject, VettedKubeconfig given, VettedKubeconfig stored, WorkerAccount account) {
        boolean same = given.server().equals(stored.server())
                && Objects.equals(given.certificateAuthorityPem(), stored.certificateAuthorityPem());
        if (!same || stored.validFrom() == null) {
            return false;
        }
        TestReport report = tried(subject, stored);
        CredentialLife life = CredentialLife.of(stored, report.user(), account);
        return report.passed() && life != null && !life.isNearItsEnd(timers.now());
    }

    private static RegistrationRefused refused(ApiFailure failure, String what) {
        boolean answered = failure.why() == ApiFailure.Cause.ANSWERED;
        return RegistrationRefused.of(
                answered ? Kind.WORKER_REFUSED : Kind.WORKER_SILENT,
                "the worker cluster " + (answered ? "refuses " : "did not answer when asked ") + what + " ("
                        + Message.clean(failure.text()) + "); nothing was stored; "
                        + (answered
                                ? "give a kubeconfig that may do so, for example an administrator's"
                                : "try again"));
    }

    private static void pause() throws RegistrationRefused {
        try {
            Thread.sleep(BETWEEN_TRIES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RegistrationRefused.of(Kind.WORKER_SILENT, "given up by the hub; nothing was stored; try again");
        }
    }
}
