package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.KubeconfigSecretRef;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.tenancy.link.WorkerLinks;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One tenant's kubeconfig on its way from the Secret to the link. What is not vetted goes nowhere. A Secret that changes to
 * something unusable, or that goes, never takes away the connection that works.
 */
final class TenantKubeconfig {
    /** What the last vetting was about: another of it means to vet again. */
    private record Seen(String secretVersion, String key, KubeconfigRules rules) {}

    private final WorkerLinks links;
    private final Runnable changed;
    private @Nullable WorkerLink link;
    private @Nullable VettedKubeconfig newest;
    private TenantSettings.@Nullable Connection opened;
    private @Nullable Seen seen;
    private @Nullable Diagnosis problem;

    TenantKubeconfig(WorkerLinks links, Runnable changed) {
        this.links = links;
        this.changed = changed;
    }

    /** Null until a kubeconfig passed. */
    @Nullable WorkerLink link() {
        return link;
    }

    /** The latest that passed the firewall; null before. */
    @Nullable VettedKubeconfig newest() {
        return newest;
    }

    /** Why the Secret's content is not, or not any more, in use; null when it is. */
    @Nullable Diagnosis problem() {
        return problem;
    }

    /** Looks at the Secret as it is now; {@code secret} is null when there is none. */
    void look(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            @Nullable KubeconfigSecret secret,
            KubeconfigRules rules,
            EgressPolicy egress,
            TenantSettings.Connection settings) {
        followSettings(record, reference, settings);
        String secretName = record.namespace() + "/" + reference.name();
        if (secret == null) {
            seen = null;
            problem = diagnosis(
                    Reason.KubeconfigSecretNotFound,
                    Map.of("tenant", record.namespace(), "wc", record.name(), "secret", secretName));
            return;
        }
        String key = reference.key() == null ? "" : reference.key();
        Seen now = new Seen(secret.head().uid() + "/" + secret.head().resourceVersion(), key, rules);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        Vetting vetting = new KubeconfigFirewall(egress).vet(secretName, secret.data(), key);
        switch (vetting) {
            case Vetting.Refused refused -> problem = refused(record, secretName, refused);
            case Vetting.Vetted(VettedKubeconfig vetted) -> {
                problem = null;
                use(record, reference, vetted, settings);
            }
        }
    }

    private void use(
            WorkerClusterRecord record,
            KubeconfigSecretRef reference,
            VettedKubeconfig vetted,
            TenantSettings.Connection settings) {
        WorkerLink current = link;
        VettedKubeconfig old = newest;
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
            VettedKubeconfig vetted,
            TenantSettings.Connection settings) {
        opened = settings;
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        link = links.open(
                new WorkerLinks.Opening(
                        record.namespace(),
                        record.name(),
                        reference.name(),
                        vetted,
                        settings,
                        accepted.isEmpty() ? record.clusterId() : accepted),
                changed);
    }

    /** Times of a connection hold for its whole life: with others it is made anew. */
    private void followSettings(
            WorkerClusterRecord record, KubeconfigSecretRef reference, TenantSettings.Connection settings) {
        WorkerLink current = link;
        TenantSettings.Connection old = opened;
        VettedKubeconfig vetted = newest;
        boolean same = old == null
                || old.requestTimeout().equals(settings.requestTimeout())
                        && old.pingInterval().equals(settings.pingInterval());
        if (current != null && vetted != null && !same) {
            open(record, reference, vetted, settings);
            current.close();
        }
    }

    private Diagnosis refused(WorkerClusterRecord record, String secretName, Vetting.Refused refused) {
        if (link == null) {
            return new Diagnosis(refused.reason(), refused.message(record.namespace()));
        }
        Instant end = newest == null ? null : newest.expiresAt();
        return diagnosis(
                Reason.NewCredentialsUnproven,
                Map.of(
                        "tenant",
                        record.namespace(),
                        "secret",
                        secretName,
                        "cause",
                        refused.findings().getFirst().field() + " "
                                + refused.findings().getFirst().what(),
                        "until",
                        end == null ? "" : " until " + end.truncatedTo(ChronoUnit.SECONDS)));
    }

    void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }

    private static Diagnosis diagnosis(Reason reason, Map<String, String> values) {
        return new Diagnosis(reason, Message.of(reason, values));
    }
}
