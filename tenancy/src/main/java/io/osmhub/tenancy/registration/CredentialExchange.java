package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.credential.CredentialLifetime;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.registration.KubeconfigImporter.ImportOptions;
import io.osmhub.tenancy.registration.KubeconfigImporter.ImportedKubeconfig;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exchanges the stored kubeconfig of one WorkerCluster. */
final class CredentialExchange {
    /** Owners whose Secrets are overwritten by another controller. */
    private static final List<String> KEPT_BY_OTHERS =
            List.of(RegistrationSource.KKP.wireName(), RegistrationSource.CLUSTER_API.wireName());

    private final WorkerClusterRecord record;
    private final JsonNode wanted;
    private final RegistrationStore stored;
    private final @Nullable KubeconfigSecret secret;
    private final KubeconfigImporter intake;
    private final RegistrationOptions terms;

    /**
     * @param record the WorkerCluster as it is stored
     * @param wanted as it will be
     * @param secret null if it does not exist or may not be read
     */
    CredentialExchange(
            WorkerClusterRecord record,
            JsonNode wanted,
            RegistrationStore stored,
            @Nullable KubeconfigSecret secret,
            KubeconfigImporter intake,
            RegistrationOptions terms) {
        this.record = record;
        this.wanted = wanted;
        this.stored = stored;
        this.secret = secret;
        this.intake = intake;
        this.terms = terms;
    }

    private ConnectionSubject subject() {
        return ConnectionSubject.of(record.namespace(), record.name(), record.secretName(), wanted.path("spec"));
    }

    private String key() {
        return RegistrationStore.key(record, secret);
    }

    private String secretPath() {
        return record.namespace() + "/" + record.secretName();
    }

    // Testing

    /** Tests the stored kubeconfig. */
    ConnectionTestReport testStored() throws RegistrationException, ApiFailure {
        KubeconfigSecret known = readable();
        return tested(intake, subject(), intake.validateStored(secretPath(), known.data(), key()));
    }

    static ConnectionTestReport tested(
            KubeconfigImporter intake, ConnectionSubject subject, KubeconfigValidation vetting) throws ApiFailure {
        return switch (vetting) {
            case KubeconfigValidation.Invalid refused -> ConnectionTestReport.refused(subject.tenant(), refused);
            case KubeconfigValidation.Valid(ValidatedKubeconfig vetted) -> {
                try (TestedConnection test = intake.test(subject, vetted)) {
                    yield intake.checkDuplicate(subject, test.report());
                }
            }
        };
    }

    private KubeconfigSecret readable() throws RegistrationException {
        if (record.secretName().isEmpty()) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "WorkerCluster " + record.name() + " is the management cluster itself and has no kubeconfig");
        }
        if (secret == null) {
            throw RegistrationException.of(
                    Kind.INCOMPLETE,
                    "Secret " + secretPath()
                            + " with the kubeconfig does not exist or may not be read; provide a kubeconfig");
        }
        return secret;
    }

    // Importing

    /**
     * Determines what to store.
     *
     * @param given null for the stored one
     * @param account whose token is wanted; null to store {@code given}
     * @param keepIfRight keeps a scoped credential for the same server that is far from its end
     */
    ImportedKubeconfig take(
            @Nullable Sensitive given, @Nullable WorkerServiceAccount account, boolean skipTest, boolean keepIfRight)
            throws RegistrationException, ApiFailure {
        if (KEPT_BY_OTHERS.contains(record.annotation(WorkerClusterRecord.REGISTERED_BY))) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "the kubeconfig of WorkerCluster " + record.name() + " is managed by "
                            + record.annotation(WorkerClusterRecord.REGISTERED_BY)
                            + ", which would overwrite it; change it there");
        }
        if (given == null) {
            return importStored(account, keepIfRight);
        }
        if (account != null && keepIfRight && secret != null) {
            KubeconfigValidation known = intake.validateStored(secretPath(), secret.data(), key());
            if (known instanceof KubeconfigValidation.Valid(ValidatedKubeconfig vetted)
                    && intake.isScopedAlready(subject(), intake.validate(subject(), given), vetted, account)) {
                return new ImportedKubeconfig(text(secret), testStored(), false);
            }
        }
        return intake.importKubeconfig(
                subject(), given, new ImportOptions(account, skipTest, terms.dryRun(), record.clusterId()));
    }

    private ImportedKubeconfig importStored(@Nullable WorkerServiceAccount account, boolean keepIfRight)
            throws RegistrationException, ApiFailure {
        KubeconfigSecret known = readable();
        Sensitive text = text(known);
        ValidatedKubeconfig vetted =
                KubeconfigImporter.requireValid(intake.validateStored(secretPath(), known.data(), key()));
        if (account == null) {
            return new ImportedKubeconfig(text, testStored(), false);
        }
        try (TestedConnection test = intake.test(subject(), vetted)) {
            ConnectionTestReport report = test.report();
            KubeApi worker = test.api();
            boolean scoped = CredentialLifetime.of(vetted, report.user(), account) != null;
            if (scoped && worker != null && !keepIfRight && !terms.dryRun()) {
                return intake.renew(subject(), vetted, worker, account);
            }
        }
        return intake.importKubeconfig(
                subject(), text, new ImportOptions(account, false, terms.dryRun(), record.clusterId()));
    }

    private Sensitive text(KubeconfigSecret known) throws RegistrationException {
        String data = known.data().get(key());
        if (data == null) {
            throw RegistrationException.of(
                    Kind.INCOMPLETE, "Secret " + secretPath() + " has no key " + key() + "; provide a kubeconfig");
        }
        return new Sensitive(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
    }

    // Storing

    /** Stores it unless it is stored already. */
    void store(ImportedKubeconfig taken) throws RegistrationException, ApiFailure {
        if (secret != null && secret.data().containsKey(key()) && text(secret).equals(taken.text())) {
            return;
        }
        try {
            stored.replaceKubeconfig(record.secretName(), key(), taken.text(), secret);
        } catch (ApiFailure e) {
            if (e.isConflict()) {
                throw RegistrationException.of(
                        Kind.CONFLICT, "Secret " + secretPath() + " was changed at the same time; try again");
            }
            if (!e.isNotFound() || !record.secretName().equals(RegistrationStore.ownSecret(record.name()))) {
                throw e;
            }
            stored.createSecret(key(), taken.text());
        }
    }
}
