package io.osmhub.tenancy.registration;

import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTest;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.credential.CredentialLife;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.registration.KubeconfigIntake.Taken;
import io.osmhub.tenancy.registration.KubeconfigIntake.Wish;
import io.osmhub.tenancy.registration.Order.Terms;
import io.osmhub.tenancy.registration.RegistrationRefused.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.RegisteredBy;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kubeconfig of one WorkerCluster, as it is stored and as it will be. */
final class Exchange {
    /** Whose Secrets another controller writes again as soon as they differ. */
    private static final List<String> KEPT_BY_OTHERS =
            List.of(RegisteredBy.KKP.word(), RegisteredBy.CLUSTER_API.word());

    private final WorkerClusterRecord record;
    private final StoredRegistration stored;
    private final @Nullable KubeconfigSecret secret;
    private final KubeconfigIntake intake;
    private final Terms terms;

    /** @param secret null when there is none, or when it may not be read */
    Exchange(
            WorkerClusterRecord record,
            StoredRegistration stored,
            @Nullable KubeconfigSecret secret,
            KubeconfigIntake intake,
            Terms terms) {
        this.record = record;
        this.stored = stored;
        this.secret = secret;
        this.intake = intake;
        this.terms = terms;
    }

    private ConnectionSubject subject() {
        return new ConnectionSubject(record.namespace(), record.name(), record.secretName());
    }

    private String key() {
        return StoredRegistration.key(record, secret);
    }

    private String secretPath() {
        return record.namespace() + "/" + record.secretName();
    }

    // Trying

    /** What the stored kubeconfig can do. */
    TestReport testStored() throws RegistrationRefused {
        KubeconfigSecret known = readable();
        return tested(intake, subject(), intake.vetStored(secretPath(), known.data(), key()));
    }

    static TestReport tested(KubeconfigIntake intake, ConnectionSubject subject, Vetting vetting) {
        return switch (vetting) {
            case Vetting.Refused refused -> TestReport.refused(subject.tenant(), refused);
            case Vetting.Vetted(VettedKubeconfig vetted) -> {
                try (ConnectionTest test = intake.test(subject, vetted)) {
                    yield test.report();
                }
            }
        };
    }

    private KubeconfigSecret readable() throws RegistrationRefused {
        if (record.secretName().isEmpty()) {
            throw RegistrationRefused.of(
                    Kind.CONFLICT,
                    "WorkerCluster " + record.name() + " is the management cluster itself and has no kubeconfig");
        }
        if (secret == null) {
            throw RegistrationRefused.of(
                    Kind.INCOMPLETE,
                    "Secret " + secretPath()
                            + " with the kubeconfig is not there, or may not be read; give a kubeconfig");
        }
        return secret;
    }

    // Taking

    /**
     * Decides what is to be stored.
     *
     * @param given null for what is stored
     * @param account whose token is wanted; null to store what is given
     * @param keepIfRight to leave a scoped credential alone that is for the same server and far from its end
     */
    Taken take(@Nullable Sensitive given, @Nullable WorkerAccount account, boolean skipTest, boolean keepIfRight)
            throws RegistrationRefused {
        if (KEPT_BY_OTHERS.contains(record.annotation(WorkerClusterRecord.REGISTERED_BY))) {
            throw RegistrationRefused.of(
                    Kind.CONFLICT,
                    "the kubeconfig of WorkerCluster " + record.name() + " is kept by "
                            + record.annotation(WorkerClusterRecord.REGISTERED_BY)
                            + ", which would write it again; exchange it there");
        }
        if (given == null) {
            return takeStored(account, keepIfRight);
        }
        if (account != null && keepIfRight && secret != null) {
            Vetting known = intake.vetStored(secretPath(), secret.data(), key());
            if (known instanceof Vetting.Vetted(VettedKubeconfig vetted)
                    && intake.isScopedAlready(subject(), intake.vet(subject(), given), vetted, account)) {
                return new Taken(text(secret), testStored(), false);
            }
        }
        return intake.take(subject(), given, new Wish(account, skipTest, terms.dryRun(), record.clusterId()));
    }

    private Taken takeStored(@Nullable WorkerAccount account, boolean keepIfRight) throws RegistrationRefused {
        KubeconfigSecret known = readable();
        Sensitive text = text(known);
        VettedKubeconfig vetted = KubeconfigIntake.vetted(intake.vetStored(secretPath(), known.data(), key()));
        if (account == null) {
            return new Taken(text, testStored(), false);
        }
        try (ConnectionTest test = intake.test(subject(), vetted)) {
            TestReport report = test.report();
            KubeApi worker = test.api();
            boolean scoped = CredentialLife.of(vetted, report.user(), account) != null;
            if (scoped && worker != null && !keepIfRight && !terms.dryRun()) {
                return intake.renew(subject(), vetted, worker, account);
            }
        }
        return intake.take(subject(), text, new Wish(account, false, terms.dryRun(), record.clusterId()));
    }

    private Sensitive text(KubeconfigSecret known) throws RegistrationRefused {
        String data = known.data().get(key());
        if (data == null) {
            throw RegistrationRefused.of(
                    Kind.INCOMPLETE, "Secret " + secretPath() + " has no key " + key() + "; give a kubeconfig");
        }
        return new Sensitive(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
    }

    // Storing

    /** Stores it, unless it is there already. */
    void store(Taken taken) throws RegistrationRefused, ApiFailure {
        if (secret != null && secret.data().containsKey(key()) && text(secret).equals(taken.text())) {
            return;
        }
        try {
            stored.replaceKubeconfig(record.secretName(), key(), taken.text(), secret);
        } catch (ApiFailure e) {
            if (e.isConflict()) {
                throw RegistrationRefused.of(
                        Kind.CONFLICT, "Secret " + secretPath() + " was changed at the same time; try again");
            }
            if (!e.isNotFound() || !record.secretName().equals(StoredRegistration.ownSecret(record.name()))) {
                throw e;
            }
            stored.createSecret(key(), taken.text());
        }
    }
}
