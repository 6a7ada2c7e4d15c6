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
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Imports kubeconfigs of one WorkerCluster: validates and tests them, and optionally exchanges them for a token of the hub's own
 * account. Stores nothing in the management cluster. Blocks.
 */
record KubeconfigImporter(
        ConnectionSubject subject, ConnectionTester tester, EgressPolicy egress, DuplicateCheck duplicates) {
    /** API servers apply new roles after a short delay. */
    private static final int TRIES = 25;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    /** Owners whose Secrets are overwritten by another controller. */
    private static final List<String> KEPT_BY_OTHERS =
            List.of(RegistrationSource.KKP.wireName(), RegistrationSource.CLUSTER_API.wireName());

    /** A kubeconfig to store. */
    record ImportedKubeconfig(Sensitive text, ConnectionTestReport report) {}

    /** Tests the given kubeconfig. */
    ConnectionTestReport test(Sensitive text) throws ApiFailure {
        return test(validate(text));
    }

    /** Tests the stored one. */
    ConnectionTestReport test(StoredKubeconfig stored) throws RegistrationException, ApiFailure {
        return test(validate(stored));
    }

    private ConnectionTestReport test(KubeconfigValidation validation) throws ApiFailure {
        return switch (validation) {
            case KubeconfigValidation.Invalid refused -> ConnectionTestReport.refused(subject.tenant(), refused);
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) ->
                duplicates.addTo(reportOf(kubeconfig), subject);
        };
    }

    private ConnectionTestReport reportOf(ValidatedKubeconfig kubeconfig) {
        try (TestedConnection test = tester.test(subject, kubeconfig)) {
            return test.report();
        }
    }

    private KubeconfigValidation validate(Sensitive text) {
        return new KubeconfigValidator(egress).validate(subject.tenant() + "/" + subject.secret(), text.reveal());
    }

    private KubeconfigValidation validate(StoredKubeconfig stored) throws RegistrationException {
        return new KubeconfigValidator(egress)
                .validate(stored.path(), stored.existing().data(), stored.key());
    }

    private static ValidatedKubeconfig requireValid(KubeconfigValidation validation) throws RegistrationException {
        return switch (validation) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> kubeconfig;
            case KubeconfigValidation.Invalid refused -> throw RegistrationException.kubeconfig(refused.findings());
        };
    }

    /**
     * Imports a kubeconfig.
     *
     * @param given null for the stored one, which is exchanged even if it is scoped already
     * @param account whose token is wanted; null to store what is provided
     * @param skipTest import it even if the test fails
     * @param dryRun change nothing in the worker cluster
     */
    ImportedKubeconfig importKubeconfig(
            @Nullable Sensitive given,
            StoredKubeconfig stored,
            @Nullable WorkerServiceAccount account,
            boolean skipTest,
            boolean dryRun)
            throws RegistrationException, ApiFailure {
        requireOwn(stored.record());
        ValidatedKubeconfig kubeconfig = requireValid(given == null ? validate(stored) : validate(given));
        Sensitive text = given == null ? stored.text() : given;
        try (TestedConnection test = tester.test(subject, kubeconfig)) {
            ConnectionTestReport report = duplicates.addTo(test.report(), subject);
            boolean mustPass = !skipTest || account != null || report.failed(CheckStep.REGISTRATION);
            if (!report.passed() && mustPass) {
                throw RegistrationException.test(report);
            }
            requireSameCluster(report, stored.record());
            KubeApi worker = test.api();
            boolean scoped = account != null && CredentialLifetime.of(kubeconfig, report.user(), account) != null;
            return account == null || worker == null || dryRun || (scoped && given != null)
                    ? new ImportedKubeconfig(Objects.requireNonNull(text, "its text"), report)
                    : mint(kubeconfig, worker, account, scoped);
        }
    }

    private static void requireOwn(WorkerClusterRecord record) throws RegistrationException {
        String owner = record.annotation(WorkerClusterRecord.REGISTERED_BY);
        if (KEPT_BY_OTHERS.contains(owner)) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "the kubeconfig of WorkerCluster " + record.name() + " is managed by " + owner
                            + ", which would overwrite it; change it there");
        }
    }

    private static void requireSameCluster(ConnectionTestReport report, WorkerClusterRecord record)
            throws RegistrationException {
        String known = record.clusterId();
        if (!known.isEmpty() && !report.clusterId().isEmpty() && !known.equals(report.clusterId())) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "the kubeconfig leads to another cluster than before (" + report.clusterId() + " instead of "
                            + known + "); nothing was stored; register that one in a separate namespace");
        }
    }

    /** Requests a token and tests it; without permission for that creates account and roles first. */
    private ImportedKubeconfig mint(
            ValidatedKubeconfig from, KubeApi worker, WorkerServiceAccount account, boolean scoped)
            throws RegistrationException, ApiFailure {
        ScopedToken token;
        try {
            if (!scoped) {
                WorkerRole.scoped(account).apply(worker);
            }
            token = ScopedToken.request(worker, account);
        } catch (ApiFailure e) {
            boolean answered = e.kind() == ApiFailure.ApiFailureKind.ANSWERED;
            throw RegistrationException.of(
                    answered ? Kind.WORKER_REFUSED : Kind.WORKER_SILENT,
                    "the worker cluster " + (answered ? "rejected" : "did not respond to")
                            + " the request for a token of ServiceAccount " + account.path()
                            + (scoped ? "" : ", or for its Roles") + " (" + MessageFormatter.sanitize(e.text())
                            + "); nothing was stored; "
                            + (answered
                                    ? "use a kubeconfig with more permissions, for example an administrator's"
                                    : "try again"));
        }
        Sensitive text = token.kubeconfig(from);
        ValidatedKubeconfig kubeconfig = requireValid(validate(text));
        ConnectionTestReport report = reportOf(kubeconfig);
        for (int tries = 1; !report.passed() && tries < TRIES; tries++) {
            pause();
            report = reportOf(kubeconfig);
        }
        if (!report.passed()) {
            throw RegistrationException.test(report);
        }
        return new ImportedKubeconfig(text, duplicates.addTo(report, subject));
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
