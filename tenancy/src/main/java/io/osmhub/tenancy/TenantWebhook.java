package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.tenancy.admission.WorkerWebhook;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.ResolvedSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The webhook of one running tenant: follows its connection and its settings. */
final class TenantWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(TenantWebhook.class);

    private final Services services;
    private final String namespace;
    /** Null where the manifests of the management cluster bring the webhook, or the operator's flags say all there is. */
    private final @Nullable WorkerWebhook webhook;

    private @Nullable KubeApi connected;
    private @Nullable KubeApi fenced;
    private boolean removed;

    /**
     * A webhook of which nothing is known yet.
     *
     * @param given the worker cluster is the operator's own word, and no WorkerCluster's
     * @param changed called when there is something else to report; hands over and returns
     */
    TenantWebhook(WorkerClusterRecord record, boolean given, Services services, Runnable changed) {
        this.services = services;
        this.namespace = record.namespace();
        this.webhook = given
                ? null
                : new WorkerWebhook(
                        new WorkerWebhook.Tenant(record.namespace(), record.name(), record.uid(), services.hubId()),
                        services.admission(),
                        new WorkerWebhook.Listener() {
                            @Override
                            public void problemChanged() {
                                changed.run();
                            }

                            @Override
                            public void repaired() {
                                services.environment().tools().observer().driftRepaired("webhook");
                            }
                        },
                        services.around());
    }

    /** @param state null while the worker cluster is not this tenant's to work with */
    void keep(
            WorkerClusterRecord record,
            @Nullable LinkState state,
            @Nullable ResolvedSettings settings,
            boolean paused) {
        if (webhook == null) {
            return;
        }
        KubeApi api = state == null ? null : state.api();
        if (api == null || settings == null || paused) {
            webhook.want(null);
            return;
        }
        webhook.want(new WorkerWebhook.Wanted(
                fenced(api),
                settings.settings().admission(),
                state == null ? "" : Objects.requireNonNullElse(state.kubernetesVersion(), "")));
        webhook.look();
    }

    /** The same for the same, so that nothing begins anew when nothing changed. */
    private KubeApi fenced(KubeApi api) {
        KubeApi known = fenced;
        if (known == null || api != connected) {
            known = services.fencing().fenced(api, namespace);
            fenced = known;
            connected = api;
        }
        return known;
    }

    /** Takes the webhook out, so that the worker cluster does not ask a hub that knows it no more. Waits for the answer. */
    void leave(LinkState state) {
        KubeApi api = state.api();
        if (webhook == null || removed || api == null || services.admission().url() == null) {
            return;
        }
        webhook.close();
        try {
            webhook.remove(fenced(api));
            removed = true;
        } catch (ApiFailure e) {
            LOG.atWarn()
                    .addKeyValue("tenant", namespace)
                    .addKeyValue("cause", e.text())
                    .log("The webhook configuration was not removed from the worker cluster");
            removed = !e.mayPass();
        }
    }

    Optional<Diagnosis> problem() {
        return webhook == null ? Optional.empty() : Optional.ofNullable(webhook.problem());
    }

    void close() {
        if (webhook != null) {
            webhook.close();
        }
    }
}
