package io.osmhub.tenancy;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec.KubeconfigSecretRef;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.connection.WorkerConnectionFactory;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes one tenant's kubeconfig from the Secret to its connection, only after validation. An invalid or deleted Secret never stops a
 * working connection.
 */
final class TenantKubeconfig {
    /** Input of the last validation; a different one requires another. */
    private record ValidationInput(String secretVersion, String key, KubeconfigRules rules) {}

    private final WorkerConnectionFactory connections;
    private final Runnable changed;
    private @Nullable WorkerConnection connection;
    private @Nullable ValidatedKubeconfig newestKubeconfig;
    private @Nullable ValidationInput lastInput;
    private @Nullable Problem problem;

    TenantKubeconfig(WorkerConnectionFactory connections, Runnable changed) {
        this.connections = connections;
        this.changed = changed;
    }

    /** Null until a kubeconfig passed validation. */
    @Nullable WorkerConnection connection() {
        return connection;
    }

    /** The latest that passed validation; null before. */
    @Nullable ValidatedKubeconfig newestKubeconfig() {
        return newestKubeconfig;
    }

    /** Why the Secret's content is not, or no longer, in use; null if it is. */
    @Nullable Problem problem() {
        return problem;
    }

    /** Reads the current Secret; {@code secret} is null if there is none. */
    void update(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            @Nullable KubeconfigSecret secret,
            KubeconfigRules rules,
            EgressPolicy egress,
            ConnectionOptions options) {
        if (connection != null) {
            connection.configure(options);
        }
        String secretName = record.namespace() + "/" + reference.name();
        if (secret == null) {
            lastInput = null;
            problem = Reason.KubeconfigSecretNotFound.with(record.variables(), "secret", secretName);
            return;
        }
        String key = reference.key() == null ? "" : reference.key();
        ValidationInput now =
                new ValidationInput(secret.head().uid() + "/" + secret.head().resourceVersion(), key, rules);
        if (now.equals(lastInput)) {
            return;
        }
        lastInput = now;
        KubeconfigValidation validation = new KubeconfigValidator(egress).validate(secretName, secret.data(), key);
        switch (validation) {
            case KubeconfigValidation.Invalid invalid -> problem = problemOf(record, secretName, invalid);
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> {
                problem = null;
                use(record, reference, kubeconfig, options);
            }
        }
    }

    private void use(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            ValidatedKubeconfig kubeconfig,
            ConnectionOptions options) {
        WorkerConnection current = connection;
        ValidatedKubeconfig old = newestKubeconfig;
        newestKubeconfig = kubeconfig;
        if (current == null || old == null) {
            open(record, reference, kubeconfig, options);
        } else if (!old.contentHash().equals(kubeconfig.contentHash())) {
            current.rotate(kubeconfig);
        }
    }

    private void open(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            ValidatedKubeconfig kubeconfig,
            ConnectionOptions options) {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        connection = connections.open(
                new WorkerConnectionFactory.ConnectionRequest(
                        new ConnectionSubject(record.namespace(), record.name(), reference.name()),
                        kubeconfig,
                        options,
                        accepted.isEmpty() ? record.clusterId() : accepted),
                changed);
    }

    private Problem problemOf(WorkerClusterRecord record, String secretName, KubeconfigValidation.Invalid invalid) {
        if (connection == null) {
            return invalid.problem().inTenant(record.namespace(), record.name());
        }
        Instant end = newestKubeconfig == null ? null : newestKubeconfig.expiresAt();
        return Reason.NewCredentialsUnproven.with(
                record.variables(),
                "secret",
                secretName,
                "cause",
                invalid.findings().getFirst().field() + " "
                        + invalid.findings().getFirst().cause(),
                "until",
                end == null ? "" : " until " + end.truncatedTo(ChronoUnit.SECONDS));
    }
}
