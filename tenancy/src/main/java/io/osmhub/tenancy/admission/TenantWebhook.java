package io.osmhub.tenancy.admission;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.AdmissionMode;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies or removes the hub's webhook in one worker cluster according to its connection and settings. Applies nothing while another
 * writer owns one of the fields, which is reported. Independent of the sync, so that it never delays a Secret. Thread-safe.
 */
public final class TenantWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(TenantWebhook.class);
    private static final Resource KIND = Resource.MUTATING_WEBHOOK_CONFIGURATIONS;
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    /** Interval at which it is applied again: nothing breaks while it is missing. */
    private static final Duration APPLIED_AGAIN = Duration.ofMinutes(5);

    private static final Duration REMOVED_AGAIN = Duration.ofSeconds(2);
    /** API servers abandon a request after a minute: until then, one without a response may still take effect. */
    private static final Duration MAY_ARRIVE = Duration.ofSeconds(60);

    private final WorkerClusterRecord workerCluster;
    private final AdmissionEndpoint admissionEndpoint;
    private final WriteFence writeFence;
    private final Runnable changed;
    private final RuntimeContext runtimeContext;
    private final RenewalLoop renewalLoop;

    private @Nullable KubeApi connectedApi;
    private @Nullable KubeApi fencedApi;
    private boolean removed;
    private String removalFailure = "";

    private volatile @Nullable DesiredWebhook desiredWebhook;
    private volatile @Nullable Problem problem;
    /** Time of a write without a response; null if the last one had one. Guarded by this. */
    private @Nullable Instant unanswered;

    /** @param manifest null to remove it */
    private record DesiredWebhook(
            KubeApi api, HubIdentity hub, @Nullable MutatingWebhookConfiguration manifest) {}

    /**
     * A webhook that is not applied yet.
     *
     * @param changed called when there is something new to report; must not block
     */
    public TenantWebhook(
            WorkerClusterRecord workerCluster,
            AdmissionEndpoint admissionEndpoint,
            WriteFence writeFence,
            Runnable changed,
            RuntimeContext runtimeContext) {
        this.workerCluster = workerCluster;
        this.admissionEndpoint = admissionEndpoint;
        this.writeFence = writeFence;
        this.changed = changed;
        this.runtimeContext = runtimeContext;
        this.renewalLoop = new RenewalLoop(
                "Webhook reconcile of WorkerCluster " + workerCluster.namespace() + "/" + workerCluster.name(),
                () -> RETRY,
                () -> renew(),
                (cause, inARow) -> report(cause),
                runtimeContext);
    }

    /**
     * Keeps it according to the settings.
     *
     * @param api null while the worker cluster may not be written for this tenant
     * @param settings null while they are not known
     * @param hub this hub
     */
    public void keep(@Nullable KubeApi api, TenantSettings.@Nullable Admission settings, HubIdentity hub) {
        DesiredWebhook desired = api == null || settings == null ? null : desired(fenced(api), settings, hub);
        if (!Objects.equals(desired, desiredWebhook) || desired == null && problem != null) {
            desiredWebhook = desired;
            renewalLoop.wake();
        }
    }

    private @Nullable DesiredWebhook desired(KubeApi api, TenantSettings.Admission settings, HubIdentity hub) {
        String url = admissionEndpoint.url();
        String authorities = admissionEndpoint.authorities();
        if (url == null) {
            return null;
        }
        if (settings.mode() == AdmissionMode.NONE) {
            return new DesiredWebhook(api, hub, null);
        }
        String namespace = workerCluster.namespace();
        return authorities == null
                ? null
                : new DesiredWebhook(
                        api,
                        hub,
                        WebhookManifest.of(
                                url + AdmissionPath.of(namespace, workerCluster.name(), workerCluster.uid()),
                                authorities,
                                settings,
                                namespace + "/" + workerCluster.name(),
                                hub.id()));
    }

    /** Returns the same wrapper for the same API, so that an unchanged one is not applied again. */
    private KubeApi fenced(KubeApi api) {
        KubeApi known = fencedApi;
        if (known == null || api != connectedApi) {
            known = writeFence.ofTenant(api, workerCluster.namespace());
            fencedApi = known;
            connectedApi = api;
        }
        return known;
    }

    /** Delay of the next run; null to wait for a change. */
    private @Nullable Duration renew() throws ApiFailure {
        DesiredWebhook desired = desiredWebhook;
        if (desired == null) {
            if (admissionEndpoint.url() == null) {
                report(null);
            }
            return null; // paused or disconnected: what was found last remains reported
        }
        if (desired.manifest() != null) {
            apply(desired, desired.manifest());
            return APPLIED_AGAIN;
        }
        remove(desired.api(), desired.hub());
        report(null);
        return null;
    }

    private synchronized void apply(DesiredWebhook desired, MutatingWebhookConfiguration manifest) throws ApiFailure {
        if (renewalLoop.isStopped()) {
            return;
        }
        MutatingWebhookConfiguration found = find(desired.api());
        if (found != null && isOwnedByOther(found, desired.hub())) {
            report("MutatingWebhookConfiguration " + WebhookManifest.NAME + " belongs to another hub");
            return;
        }
        try {
            desired.api().call(client -> client.admissionRegistration()
                    .v1()
                    .mutatingWebhookConfigurations()
                    .resource(manifest)
                    .fieldManager(ApiRequest.FIELD_MANAGER)
                    .serverSideApply());
        } catch (ApiFailure e) {
            unanswered = e.isRejection() ? null : runtimeContext.scheduler().now();
            throw e;
        }
        unanswered = null;
        report(null);
    }

    /**
     * Removes the webhook if it is this hub's. Waits for a running write; blocks.
     *
     * @throws ApiFailure if it may still exist, or a recent write without a response may restore it
     */
    private synchronized void remove(KubeApi api, HubIdentity hub) throws ApiFailure {
        MutatingWebhookConfiguration found = find(api);
        if (found != null && !isOwnedByOther(found, hub)) {
            try {
                api.send(ApiRequest.delete(
                        KIND, "", WebhookManifest.NAME, found.getMetadata().getUid(), null));
            } catch (ApiFailure e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
        Instant sent = unanswered;
        if (sent != null
                && sent.plus(MAY_ARRIVE).isAfter(runtimeContext.scheduler().now())) {
            throw ApiFailure.withoutResponse(
                    ApiFailureKind.TIMED_OUT, "a write got no response and may still take effect");
        }
        unanswered = null;
    }

    private static @Nullable MutatingWebhookConfiguration find(KubeApi api) throws ApiFailure {
        MutatingWebhookConfiguration found =
                api.<@Nullable MutatingWebhookConfiguration>call(client -> client.admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .withName(WebhookManifest.NAME)
                        .get());
        if (found != null && (found.getMetadata() == null || found.getMetadata().getUid() == null)) {
            throw WireJson.unexpected("a webhook configuration");
        }
        return found;
    }

    private static boolean isOwnedByOther(MutatingWebhookConfiguration found, HubIdentity hub) {
        Map<String, String> annotations = found.getMetadata().getAnnotations();
        return annotations != null && hub.isOther(annotations.getOrDefault(WebhookManifest.HUB_ID, ""));
    }

    /** @param cause null if the webhook is as desired */
    private void report(@Nullable String cause) {
        Problem now = cause == null
                ? null
                : Reason.AdmissionNotInstalled.with(
                        "tenant", workerCluster.namespace(), "wc", workerCluster.name(), "cause", cause);
        if (!Objects.equals(now, problem)) {
            problem = now;
            changed.run();
        }
    }

    /**
     * Removes the webhook, so that the worker cluster does not call a hub that no longer serves it. Blocks.
     *
     * @param api null while the worker cluster is not connected
     * @param hub this hub
     * @return whether it is removed or cannot be; otherwise another reconcile is requested
     */
    public boolean removeWebhook(@Nullable KubeApi api, HubIdentity hub) {
        if (removed || admissionEndpoint.url() == null) {
            return true;
        }
        renewalLoop.stop();
        if (api == null) {
            removalFailure = "not connected";
            return false;
        }
        try {
            remove(fenced(api), hub);
            removed = true;
        } catch (ApiFailure e) {
            LOG.atWarn()
                    .addKeyValue("tenant", workerCluster.namespace())
                    .addKeyValue("cause", e.text())
                    .log("Could not remove the webhook configuration from the worker cluster");
            removalFailure = e.text();
            removed = !e.isTransient();
        }
        if (!removed) {
            runtimeContext.scheduler().schedule(REMOVED_AGAIN, changed);
        }
        return removed;
    }

    /** Adds a webhook that could not be removed to the result. */
    public CleanupResult left(CleanupResult rest) {
        String webhooks = "webhook configuration osm-hub not removed: " + removalFailure;
        return new CleanupResult(
                false,
                rest.secrets(),
                rest.finalizers(),
                rest.cause().isEmpty() ? webhooks : rest.cause() + "; " + webhooks);
    }

    /** Why the webhook is not as desired; empty if it is. */
    public Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    /** Stops; leaves the configuration in the worker cluster. */
    public void close() {
        renewalLoop.stop();
    }
}
