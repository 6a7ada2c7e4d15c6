package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.tenancy.admission.WorkerWebhook;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.ResolvedSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.reconcile.Cleanup;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The webhook of one running tenant: follows its connection and its settings. */
final class TenantWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(TenantWebhook.class);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Services services;
    private final String namespace;
    private final Runnable changed;
    /** Null where the manifests of the management cluster bring the webhook, or the operator's flags say all there is. */
    private final @Nullable WorkerWebhook webhook;

    private @Nullable KubeApi connected;
    private @Nullable KubeApi fenced;
    private boolean removed;
    private String left = "";

    /**
     * A webhook of which nothing is known yet.
     *
     * @param given the worker cluster is the operator's own word, and no WorkerCluster's
     * @param changed called when there is something else to report; hands over and returns
     */
    TenantWebhook(WorkerClusterRecord record, boolean given, Services services, Runnable changed) {
        this.services = services;
        this.namespace = record.namespace();
        this.changed = changed;
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

    /**
     * Takes the webhook out, so that the worker cluster does not ask a hub that knows it no more. Waits for the answer.
     *
     * @return whether nothing of it is left, or nothing can be done about it; otherwise another look is asked for
     */
    boolean leave(LinkState state) {
        if (webhook == null || removed || services.admission().url() == null) {
            return true;
        }
        webhook.close();
        KubeApi api = state.api();
        if (api == null) {
            left = "not connected";
            return false;
        }
        try {
            webhook.remove(fenced(api));
            removed = true;
        } catch (ApiFailure e) {
            LOG.atWarn()
                    .addKeyValue("tenant", namespace)
                    .addKeyValue("cause", e.text())
                    .log("The webhook configuration was not removed from the worker cluster");
            left = e.text();
            removed = !e.mayPass();
        }
        if (!removed) {
            services.around().timers().after(AGAIN, changed);
        }
        return removed;
    }

    /** What clean-up comes to with the webhook that was not removed in time. */
    Cleanup left(Cleanup rest) {
        String webhooks = "the webhook configuration osm-hub was not removed: " + left;
        return new Cleanup(
                false,
                rest.secrets(),
                rest.finalizers(),
                rest.cause().isEmpty() ? webhooks : rest.cause() + "; " + webhooks);
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
