package io.osmhub.tenancy.link;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.KubeconfigSecretRef;
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
 * Passes one tenant's kubeconfig from the Secret to the link, only after validation. An invalid or deleted Secret never stops a
 * working connection.
 */
public final class TenantKubeconfig {
    /** Input of the last validation; a different one requires another. */
    private record ValidationInput(String secretVersion, String key, KubeconfigRules rules) {}

    private final WorkerLinkFactory links;
    private final Runnable changed;
    private @Nullable WorkerLink link;
    private @Nullable ValidatedKubeconfig newest;
    private @Nullable ValidationInput seen;
    private @Nullable ReasonMessage problem;

    public TenantKubeconfig(WorkerLinkFactory links, Runnable changed) {
        this.links = links;
        this.changed = changed;
    }

    /** Null until a kubeconfig passed validation. */
    public @Nullable WorkerLink link() {
        return link;
    }

    /** The latest that passed validation; null before. */
    public @Nullable ValidatedKubeconfig newest() {
        return newest;
    }

    /** Why the Secret's content is not, or no longer, in use; null if it is. */
    public @Nullable ReasonMessage problem() {
        return problem;
    }

    /** Reads the current Secret; {@code secret} is null if there is none. */
    public void look(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            @Nullable KubeconfigSecret secret,
            KubeconfigRules rules,
            EgressPolicy egress,
            TenantSettings.Connection settings) {
        if (link != null) {
            link.configure(settings);
        }
        String secretName = record.namespace() + "/" + reference.name();
        if (secret == null) {
            seen = null;
            problem = Reason.KubeconfigSecretNotFound.with(record.variables(), "secret", secretName);
            return;
        }
        String key = reference.key() == null ? "" : reference.key();
        ValidationInput now =
                new ValidationInput(secret.head().uid() + "/" + secret.head().resourceVersion(), key, rules);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        KubeconfigValidation vetting = new KubeconfigValidator(egress).validate(secretName, secret.data(), key);
        switch (vetting) {
            case KubeconfigValidation.Invalid refused -> problem = refused(record, secretName, refused);
            case KubeconfigValidation.Valid(ValidatedKubeconfig vetted) -> {
                problem = null;
                use(record, reference, vetted, settings);
            }
        }
    }

    private void use(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            ValidatedKubeconfig vetted,
            TenantSettings.Connection settings) {
        WorkerLink current = link;
        ValidatedKubeconfig old = newest;
        newest = vetted;
        if (current == null || old == null) {
            open(record, reference, vetted, settings);
        } else if (!old.contentHash().equals(vetted.contentHash())) {
            current.rotate(vetted);
        }
    }

    private void open(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            ValidatedKubeconfig vetted,
            TenantSettings.Connection settings) {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        link = links.open(
                new WorkerLinkFactory.LinkRequest(
                        record.namespace(),
                        record.name(),
                        reference.name(),
                        vetted,
                        settings,
                        accepted.isEmpty() ? record.clusterId() : accepted),
                changed);
    }

    private ReasonMessage refused(WorkerClusterRecord record, String secretName, KubeconfigValidation.Invalid refused) {
        if (link == null) {
            return new ReasonMessage(refused.reason(), refused.message(record.namespace()));
        }
        Instant end = newest == null ? null : newest.expiresAt();
        return Reason.NewCredentialsUnproven.with(
                record.variables(),
                "secret",
                secretName,
                "cause",
                refused.findings().getFirst().field() + " "
                        + refused.findings().getFirst().what(),
                "until",
                end == null ? "" : " until " + end.truncatedTo(ChronoUnit.SECONDS));
    }

    public void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
