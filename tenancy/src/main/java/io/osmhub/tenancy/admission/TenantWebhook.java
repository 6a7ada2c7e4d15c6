package io.osmhub.tenancy.admission;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.reconcile.RunScheduler.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Manages one running tenant's webhook according to its connection and settings. */
public final class TenantWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(TenantWebhook.class);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final AdmissionEndpoint endpoint;
    private final WriteFence fence;
    private final RuntimeContext runtime;
    private final String namespace;
    private final Runnable changed;
    /** Null if the management cluster's manifests contain the webhook, or the hub is configured by flags. */
    private final @Nullable WebhookReconciler webhook;

    private @Nullable KubeApi connected;
    private @Nullable KubeApi fenced;
    private boolean removed;
    private String left = "";

    /**
     * @param given whether the operator configured the worker cluster without a WorkerCluster
     * @param hub this hub
     * @param changed called when there is something new to report; must not block
     */
    public TenantWebhook(
            WorkerClusterRecord record,
            boolean given,
            Supplier<HubIdentity> hub,
            AdmissionEndpoint endpoint,
            WriteFence fence,
            SyncObserver observer,
            Runnable changed,
            RuntimeContext runtime) {
        this.endpoint = endpoint;
        this.fence = fence;
        this.runtime = runtime;
        this.namespace = record.namespace();
        this.changed = changed;
        this.webhook = given
                ? null
                : new WebhookReconciler(
                        new WebhookReconciler.WebhookTenant(record.namespace(), record.name(), record.uid(), hub),
                        endpoint,
                        new WebhookReconciler.WebhookListener() {
                            @Override
                            public void onProblemChanged() {
                                changed.run();
                            }

                            @Override
                            public void onRepaired() {
                                observer.onDriftRepaired("webhook");
                            }
                        },
                        runtime);
    }

    /** @param state null while the worker cluster may not be used for this tenant */
    public void keep(
            WorkerClusterRecord record,
            @Nullable LinkState state,
            @Nullable ResolvedSettings settings,
            boolean paused) {
        if (webhook == null) {
            return;
        }
        KubeApi api = state == null ? null : state.api();
        if (api == null || settings == null || paused) {
            webhook.setDesired(null);
            return;
        }
        webhook.setDesired(new WebhookReconciler.DesiredWebhook(
                fenced(api),
                settings.settings().admission(),
                state == null ? "" : Objects.requireNonNullElse(state.kubernetesVersion(), "")));
        webhook.reconcile();
    }

    /** Returns the same wrapper for the same API, so that an unchanged one restarts nothing. */
    private KubeApi fenced(KubeApi api) {
        KubeApi known = fenced;
        if (known == null || api != connected) {
            known = fence.ofTenant(api, namespace);
            fenced = known;
            connected = api;
        }
        return known;
    }

    /**
     * Removes the webhook, so that the worker cluster does not call a hub that no longer serves it. Blocks.
     *
     * @return whether it is removed or cannot be; otherwise another reconcile is requested
     */
    public boolean removeWebhook(LinkState state) {
        if (webhook == null || removed || endpoint.url() == null) {
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
                    .log("Could not remove the webhook configuration from the worker cluster");
            left = e.text();
            removed = !e.isTransient();
        }
        if (!removed) {
            runtime.scheduler().schedule(AGAIN, changed);
        }
        return removed;
    }

    /** Adds a webhook that could not be removed to the result. */
    public CleanupResult left(CleanupResult rest) {
        String webhooks = "webhook configuration osm-hub not removed: " + left;
        return new CleanupResult(
                false,
                rest.secrets(),
                rest.finalizers(),
                rest.cause().isEmpty() ? webhooks : rest.cause() + "; " + webhooks);
    }

    public Optional<ReasonMessage> problem() {
        return webhook == null ? Optional.empty() : Optional.ofNullable(webhook.problem());
    }

    public void close() {
        if (webhook != null) {
            webhook.close();
        }
    }
}
