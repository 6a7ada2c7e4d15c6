package io.osmhub.tenancy.registration;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.credential.CredentialLifetime;
import io.osmhub.tenancy.credential.ScopedToken;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Imports a kubeconfig: validates and tests it, and optionally exchanges it for a token of the hub's own account. */
final class KubeconfigImporter {
    /** API servers apply new roles after a short delay. */
    private static final int TRIES = 25;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final ConnectionTester tests;
    private final EgressPolicy egress;
    private final Scheduler timers;
    private final DuplicateCheck duplicates;

    KubeconfigImporter(ConnectionTester tests, EgressPolicy egress, Scheduler timers, DuplicateCheck duplicates) {
        this.tests = tests;
        this.egress = egress;
        this.timers = timers;
        this.duplicates = duplicates;
    }

    /**
     * @param account whose token is wanted; null to store what was provided
     * @param skipTest import it even if the test fails
     * @param dryRun change nothing
     * @param clusterId known UID of the worker's {@code kube-system}; empty to accept any
     */
    record ImportOptions(@Nullable WorkerServiceAccount account, boolean skipTest, boolean dryRun, String clusterId) {}

    /**
     * A kubeconfig to store.
     *
     * @param minted whether it contains a new token
     */
    record ImportedKubeconfig(Sensitive text, ConnectionTestReport report, boolean minted) {}

    ValidatedKubeconfig validate(ConnectionSubject subject, Sensitive text) throws RegistrationException {
        return requireValid(
                new KubeconfigValidator(egress).validate(subject.tenant() + "/" + subject.secret(), text.reveal()));
    }

    KubeconfigValidation validateStored(String secret, Map<String, String> data, String key) {
        return new KubeconfigValidator(egress).validate(secret, data, key);
    }

    static ValidatedKubeconfig requireValid(KubeconfigValidation vetting) throws RegistrationException {
        return switch (vetting) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> kubeconfig;
            case KubeconfigValidation.Invalid refused -> throw RegistrationException.kubeconfig(refused.findings());
        };
    }

    TestedConnection test(ConnectionSubject subject, ValidatedKubeconfig kubeconfig) {
        return tests.test(subject, kubeconfig, egress);
    }

    /** The report with the check for another registration of the cluster. */
    ConnectionTestReport checkDuplicate(ConnectionSubject subject, ConnectionTestReport report) throws ApiFailure {
        return duplicates.addTo(report, subject);
    }

    /** Validates and tests a kubeconfig, and applies the options. */
    ImportedKubeconfig importKubeconfig(ConnectionSubject subject, Sensitive text, ImportOptions wish)
            throws RegistrationException, ApiFailure {
        ValidatedKubeconfig vetted = validate(subject, text);
        try (TestedConnection test = test(subject, vetted)) {
            ConnectionTestReport report = checkDuplicate(subject, test.report());
            KubeApi worker = test.api();
            boolean mustPass = !wish.skipTest() || wish.account() != null || report.failed(CheckStep.REGISTRATION);
            if (!report.passed() && mustPass) {
                throw RegistrationException.test(report);
            }
            if (isOtherCluster(report, wish)) {
                throw RegistrationException.of(
                        Kind.CONFLICT,
                        "the kubeconfig leads to another cluster than before (" + report.clusterId() + " instead of "
                                + wish.clusterId()
                                + "); nothing was stored; register that one in a separate namespace");
            }
            WorkerServiceAccount account = wish.account();
            if (account == null
                    || worker == null
                    || wish.dryRun()
                    || CredentialLifetime.of(vetted, report.user(), account) != null) {
                return new ImportedKubeconfig(text, report, false);
            }
            return mint(subject, vetted, worker, account);
        }
    }

    private static boolean isOtherCluster(ConnectionTestReport report, ImportOptions wish) {
        return !wish.clusterId().isEmpty()
                && !report.clusterId().isEmpty()
                && !wish.clusterId().equals(report.clusterId());
    }

    /** Creates account, roles and token with a stronger credential, and tests the token. */
    private ImportedKubeconfig mint(
            ConnectionSubject subject, ValidatedKubeconfig given, KubeApi worker, WorkerServiceAccount account)
            throws RegistrationException, ApiFailure {
        try {
            WorkerRole.scoped(account).apply(worker);
        } catch (ApiFailure e) {
            throw refused(e, "ServiceAccount " + account.path() + " with its Roles");
        }
        return renew(subject, given, worker, account);
    }

    /** Requests a token over a connection that may do so, and tests it. */
    ImportedKubeconfig renew(
            ConnectionSubject subject, ValidatedKubeconfig from, KubeApi worker, WorkerServiceAccount account)
            throws RegistrationException, ApiFailure {
        ScopedToken token;
        try {
            token = ScopedToken.request(worker, account);
        } catch (ApiFailure e) {
            throw refused(e, "a token of ServiceAccount " + account.path());
        }
        Sensitive text = token.kubeconfig(from);
        ValidatedKubeconfig vetted = validate(subject, text);
        ConnectionTestReport report = testImported(subject, vetted);
        for (int tries = 1; !report.passed() && tries < TRIES; tries++) {
            pause();
            report = testImported(subject, vetted);
        }
        if (!report.passed()) {
            throw RegistrationException.test(report);
        }
        return new ImportedKubeconfig(text, checkDuplicate(subject, report), true);
    }

    private ConnectionTestReport testImported(ConnectionSubject subject, ValidatedKubeconfig vetted) {
        try (TestedConnection test = test(subject, vetted)) {
            return test.report();
        }
    }

    /** Whether the stored kubeconfig already satisfies the request: same server, scoped, and far from its end. */
    boolean isScopedAlready(
            ConnectionSubject subject,
            ValidatedKubeconfig given,
            ValidatedKubeconfig stored,
            WorkerServiceAccount account) {
        boolean same = given.server().equals(stored.server())
                && Objects.equals(given.certificateAuthorityPem(), stored.certificateAuthorityPem());
        if (!same || stored.validFrom() == null) {
            return false;
        }
        ConnectionTestReport report = testImported(subject, stored);
        CredentialLifetime life = CredentialLifetime.of(stored, report.user(), account);
        return report.passed() && life != null && !life.isNearItsEnd(timers.now());
    }

    private static RegistrationException refused(ApiFailure failure, String what) {
        boolean answered = failure.kind() == ApiFailure.ApiFailureKind.ANSWERED;
        return RegistrationException.of(
                answered ? Kind.WORKER_REFUSED : Kind.WORKER_SILENT,
                "the worker cluster " + (answered ? "rejected the request for " : "did not respond to the request for ")
                        + what + " ("
                        + MessageFormatter.sanitize(failure.text()) + "); nothing was stored; "
                        + (answered
                                ? "use a kubeconfig with more permissions, for example an administrator's"
                                : "try again"));
    }

    private static void pause() throws RegistrationException {
        try {
            Thread.sleep(BETWEEN_TRIES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RegistrationException.of(Kind.WORKER_SILENT, "cancelled by the hub; nothing was stored; try again");
        }
    }
}
