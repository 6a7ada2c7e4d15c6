package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.AdmissionMode;
import io.osmhub.tenancy.admission.WebhookReconciler.WebhookManifest;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs or removes the hub's webhook in one worker cluster according to the tenant's settings, with the right URL and
 * authorities. Independent of the sync, so that it never delays a Secret. Thread-safe.
 */
public final class WebhookReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookReconciler.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    /** Repairs against another writer are delayed more and more; the backoff resets after this time. */
    private static final Duration QUARREL = Duration.ofMinutes(10);

    /** OSM's configurations, by installer. */
    private static final List<String> PEERS =
            List.of("operatingsystemmanager.k8c.io", "operating-system-manager.kubermatic.io");

    private final WebhookTenant tenant;
    private final AdmissionEndpoint endpoint;
    private final RuntimeContext around;
    private final WebhookListener listener;
    private final RenewalLoop loop;
    private final ManagementInformer<JsonNode> watch;
    private final WebhookConfigurationClient installed;

    private @Nullable DesiredWebhook wanted;
    /** Settings for which the worker cluster was already cleaned. */
    private @Nullable DesiredWebhook cleaned;

    private volatile @Nullable ReasonMessage problem;
    private boolean peersLookedAt;
    private int writes;
    private Instant lastWrite = Instant.MIN;
    /** As last written or verified; a difference between this and the wanted one is not a repair. */
    private @Nullable JsonNode written;

    /**
     * @param uid of the WorkerCluster
     * @param hub this hub
     */
    public record WebhookTenant(String namespace, String name, String uid, Supplier<HubIdentity> hub) {
        private String path() {
            return namespace + "/" + name;
        }
    }

    /** Desired state for a reachable worker cluster. */
    public record DesiredWebhook(KubeApi api, TenantSettings.Admission settings, String kubernetesVersion) {}

    /** Must not block. */
    public interface WebhookListener {
        /** {@link #problem} changed. */
        void onProblemChanged();

        /** A change or deletion by another writer was reverted. */
        void onRepaired();
    }

    public WebhookReconciler(
            WebhookTenant tenant, AdmissionEndpoint endpoint, WebhookListener listener, RuntimeContext around) {
        this.tenant = tenant;
        this.endpoint = endpoint;
        this.listener = listener;
        this.around = around;
        this.installed = new WebhookConfigurationClient(tenant.namespace(), tenant.name(), around.scheduler());
        this.loop = new RenewalLoop(
                "Webhook reconcile of WorkerCluster " + tenant.path(),
                () -> RETRY,
                this::renew,
                (cause, inARow) -> fail(cause),
                around);
        this.watch = new ManagementInformer<>(
                Selection.where(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", "metadata.name=" + WebhookManifest.NAME),
                WebhookReconciler::reduced,
                (key, before, after, origin) -> loop.wake(),
                new NoopListWatchListener() {
                    @Override
                    public void onSynced() {
                        loop.wake();
                    }

                    @Override
                    public void onAccessDenied(ApiFailure failure) {
                        fail(failure.text());
                    }

                    @Override
                    public void onRecovered() {
                        loop.wake();
                    }
                },
                around);
    }

    private static JsonNode reduced(JsonNode object) {
        var kept = WireJson.object();
        var metadata = kept.putObject("metadata");
        for (String field : List.of("name", "uid", "labels", "annotations")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        kept.set("webhooks", object.path("webhooks"));
        return kept;
    }

    /**
     * Sets the desired state.
     *
     * @param now null while there is no connection, or nothing may be written
     */
    public void setDesired(@Nullable DesiredWebhook now) {
        boolean other;
        synchronized (this) {
            other = !Objects.equals(now, wanted);
            wanted = now;
        }
        if (other) {
            restart();
        }
    }

    private void restart() {
        DesiredWebhook now = desired();
        if (now != null && isManaged(now.settings())) {
            watch.start(now.api());
        } else {
            watch.stop();
        }
        loop.wake();
    }

    private synchronized @Nullable DesiredWebhook desired() {
        return loop.isStopped() ? null : wanted;
    }

    private boolean isManaged(TenantSettings.Admission settings) {
        return endpoint.url() != null && settings.mode() != AdmissionMode.NONE;
    }

    /** Requests a reconcile. */
    public void reconcile() {
        loop.wake();
    }

    private @Nullable Duration renew() throws ApiFailure {
        DesiredWebhook now = desired();
        if (now == null) {
            return null;
        }
        if (isManaged(now.settings())) {
            return applyDesired(now);
        }
        if (now.settings().mode() == AdmissionMode.NONE && endpoint.url() != null && !now.equals(cleaned)) {
            remove(now.api());
            cleaned = now;
        }
        succeed();
        return null;
    }

    /** Delay of the next run; null to wait for a change. */
    private @Nullable Duration applyDesired(DesiredWebhook now) throws ApiFailure {
        String authorities = endpoint.authorities();
        if (authorities == null || !watch.isSynced()) {
            return null;
        }
        HubIdentity hub = tenant.hub().get();
        JsonNode manifest = new WebhookManifest(
                        endpoint.url() + AdmissionPath.of(tenant.namespace(), tenant.name(), tenant.uid()),
                        authorities,
                        now.settings(),
                        tenant.path(),
                        hub.id(),
                        WebhookManifest.knowsConditions(now.kubernetesVersion()))
                .json();
        JsonNode found = watch.find("", WebhookManifest.NAME);
        if (found != null && WebhookConfigurationClient.isOwnedByOther(found, hub)) {
            fail("MutatingWebhookConfiguration " + WebhookManifest.NAME + " belongs to another hub");
            return null;
        }
        // The cached object may be outdated, so a difference is confirmed by a read before the repair.
        if (!isUpToDate(found, manifest) && !isUpToDate(installed.read(now.api()), manifest)) {
            boolean repair = manifest.equals(written);
            Duration wait = repair ? patience() : Duration.ZERO;
            if (!wait.isZero()) {
                return wait;
            }
            byte[] answer = installed.apply(now.api(), manifest, loop::isStopped);
            if (answer == null) {
                return null;
            }
            recordApplied(answer);
            if (repair) {
                listener.onRepaired();
            }
        }
        written = manifest;
        succeed();
        checkOtherWebhooks(now.api());
        return null;
    }

    private static boolean isUpToDate(@Nullable JsonNode found, JsonNode manifest) {
        return found != null && WebhookManifest.covers(found, manifest);
    }

    /** Zero if it may be written now. */
    private Duration patience() {
        Instant at = around.scheduler().now();
        if (lastWrite.equals(Instant.MIN) || lastWrite.plus(QUARREL).isBefore(at)) {
            writes = 0;
            return Duration.ZERO;
        }
        Duration wait = Duration.between(at, lastWrite.plus(RETRY.delayAfter(Math.max(1, writes), around.random())));
        return wait.isNegative() || writes < 2 ? Duration.ZERO : wait;
    }

    private void recordApplied(byte[] answer) throws ApiFailure {
        lastWrite = around.scheduler().now();
        writes++;
        try {
            watch.putWritten(answer);
        } catch (IOException e) {
            throw WireJson.unexpected("a webhook configuration");
        }
    }

    /** Both set the same annotation where it is missing, so nothing breaks; but operators should know that two are active. */
    private void checkOtherWebhooks(KubeApi api) {
        if (peersLookedAt) {
            return;
        }
        peersLookedAt = true;
        for (String peer : PEERS) {
            try {
                api.send(ApiRequest.get(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", peer));
                LOG.atWarn()
                        .addKeyValue("tenant", tenant.namespace())
                        .addKeyValue("workerCluster", tenant.name())
                        .addKeyValue("object", peer)
                        .log("The webhook of operating-system-manager is active in addition to the hub's."
                                + " Remove it, or set spec.admission.mode to None");
            } catch (ApiFailure e) {
                // Absent in most clusters; if it may not be read, there is nothing to report.
                LOG.atDebug()
                        .addKeyValue("object", peer)
                        .addKeyValue("cause", e.text())
                        .log("Webhook of operating-system-manager not found");
            }
        }
    }

    /**
     * Removes the webhook if it is this hub's. Blocks; waits for a running write first.
     *
     * @throws ApiFailure if it may still exist, or a recent write without a response may restore it
     */
    public void remove(KubeApi api) throws ApiFailure {
        if (installed.remove(api, tenant.hub().get())) {
            written = null;
        }
    }

    private void succeed() {
        boolean over = problem != null;
        problem = null;
        if (over) {
            listener.onProblemChanged();
        }
    }

    private void fail(String cause) {
        ReasonMessage now =
                Reason.AdmissionNotInstalled.with("tenant", tenant.namespace(), "wc", tenant.name(), "cause", cause);
        boolean news = !now.equals(problem);
        problem = now;
        if (news) {
            listener.onProblemChanged();
        }
    }

    /** Why the webhook differs from the desired state; null if it does not. */
    public @Nullable ReasonMessage problem() {
        return problem;
    }

    /** Stops; leaves the configuration in the worker cluster. */
    public void close() {
        loop.stop();
        watch.stop();
    }

    /**
     * The desired webhook configuration of a worker cluster.
     *
     * @param url that the API server calls
     * @param authorities PEM; empty if the API server trusts the certificate already
     * @param tenant {@code namespace/name} of the WorkerCluster
     * @param hubId of this hub; empty while unknown
     * @param conditions whether the API server supports match conditions (Kubernetes 1.28)
     */
    record WebhookManifest(
            String url,
            String authorities,
            TenantSettings.Admission settings,
            String tenant,
            String hubId,
            boolean conditions) {
        /** Name in every cluster. */
        static final String NAME = "osm-hub";

        static final String WEBHOOK = "machinedeployments.osmhub.io";
        static final String TENANT = "osmhub.io/tenant";
        static final String HUB_ID = "osmhub.io/hub-id";

        /** Deleting an object is never blocked. */
        private static final String NOT_DELETED = "!has(object.metadata.deletionTimestamp)";

        /** Only changes that can affect the response: not of a finalizer, a replica count or a label. */
        private static final String CHANGED = "request.operation == 'CREATE'"
                + " || object.spec.template != oldObject.spec.template"
                + " || !has(object.metadata.annotations)"
                + " || !has(oldObject.metadata.annotations)"
                + " || !('" + MachineDeployment.PROFILE + "' in object.metadata.annotations)"
                + " || object.metadata.annotations != oldObject.metadata.annotations";

        ObjectNode json() {
            ObjectNode object = WireJson.object();
            object.put("apiVersion", Resource.MUTATING_WEBHOOK_CONFIGURATIONS.apiVersion())
                    .put("kind", "MutatingWebhookConfiguration");
            ObjectNode metadata = object.putObject("metadata").put("name", NAME);
            metadata.putObject("labels").put("app.kubernetes.io/managed-by", "osm-hub");
            ObjectNode annotations = metadata.putObject("annotations").put(TENANT, tenant);
            if (!hubId.isEmpty()) {
                annotations.put(HUB_ID, hubId);
            }
            webhook(object.putArray("webhooks").addObject());
            return object;
        }

        private void webhook(ObjectNode webhook) {
            webhook.put("name", WEBHOOK);
            ObjectNode client = webhook.putObject("clientConfig").put("url", url);
            if (!authorities.isEmpty()) {
                client.put("caBundle", Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8)));
            }
            ObjectNode rule = webhook.putArray("rules").addObject();
            rule.putArray("apiGroups").add(Resource.MACHINE_DEPLOYMENTS.group());
            rule.putArray("apiVersions").add("v1alpha1");
            rule.putArray("operations").add("CREATE").add("UPDATE");
            rule.putArray("resources").add(Resource.MACHINE_DEPLOYMENTS.plural());
            rule.put("scope", "Namespaced");
            webhook.put("failurePolicy", RecordSchemaReader.wireName(settings.failurePolicy()))
                    .put("matchPolicy", "Equivalent")
                    .put("reinvocationPolicy", "Never")
                    .put("sideEffects", "None")
                    .put("timeoutSeconds", settings.timeoutSeconds());
            webhook.putArray("admissionReviewVersions").add("v1").add("v1beta1");
            if (conditions) {
                ArrayNode all = webhook.putArray("matchConditions");
                all.addObject().put("name", "not-being-deleted").put("expression", NOT_DELETED);
                all.addObject().put("name", "changed-in-what-matters").put("expression", CHANGED);
            }
        }

        /** Whether everything wanted is present; additions by the API server or other writers are ignored. */
        static boolean covers(JsonNode found, JsonNode wanted) {
            if (wanted.isObject()) {
                for (Map.Entry<String, JsonNode> field : wanted.properties()) {
                    if (!covers(found.path(field.getKey()), field.getValue())) {
                        return false;
                    }
                }
                return found.isObject();
            }
            if (wanted.isArray()) {
                if (!found.isArray() || found.size() != wanted.size()) {
                    return false;
                }
                for (int i = 0; i < wanted.size(); i++) {
                    if (!covers(found.path(i), wanted.path(i))) {
                        return false;
                    }
                }
                return true;
            }
            return found.equals(wanted);
        }

        /** Match conditions are enabled by default since Kubernetes 1.28; older API servers reject the field. */
        static boolean knowsConditions(String kubernetesVersion) {
            String[] parts = kubernetesVersion.replaceFirst("^v", "").split("[.+-]", 3);
            try {
                int minor = parts.length < 2 ? 0 : Integer.parseInt(parts[1]);
                return Integer.parseInt(parts[0]) > 1 || minor >= 28;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }

    /**
     * The hub's webhook configuration in one worker cluster. Writes and removals are serialized, so that a removal is final.
     * Thread-safe.
     */
    static final class WebhookConfigurationClient {
        private static final Logger LOG = LoggerFactory.getLogger(WebhookConfigurationClient.class);
        /** How long a removal waits for a running write; longer than the request timeout. */
        private static final Duration FOR_A_WRITE = Duration.ofSeconds(45);
        /** API servers abandon a request after a minute: until then, one without a response may still take effect. */
        private static final Duration MAY_ARRIVE = Duration.ofSeconds(60);

        private final String namespace;
        private final String name;
        private final Scheduler timers;
        private final ReentrantLock writing = new ReentrantLock();
        /** Time of a write without a response; null if the last one had one. Guarded by {@link #writing}. */
        private @Nullable Instant unanswered;

        /** @param name of the WorkerCluster */
        WebhookConfigurationClient(String namespace, String name, Scheduler timers) {
            this.namespace = namespace;
            this.name = name;
            this.timers = timers;
        }

        /** Reads the current state; null if it does not exist. */
        @Nullable JsonNode read(KubeApi api) throws ApiFailure {
            return WireJson.find(api, Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", WebhookManifest.NAME);
        }

        /**
         * Applies the manifest.
         *
         * @param closed whether the hub is leaving, and nothing may be written
         * @return the response; null if nothing was written
         */
        byte @Nullable [] apply(KubeApi api, JsonNode manifest, BooleanSupplier closed) throws ApiFailure {
            writing.lock();
            try {
                if (closed.getAsBoolean()) {
                    return null;
                }
                byte[] answer = api.send(patch(manifest));
                unanswered = null;
                LOG.atInfo()
                        .addKeyValue("tenant", namespace)
                        .addKeyValue("workerCluster", name)
                        .log("Webhook configuration written in the worker cluster");
                return answer;
            } catch (ApiFailure e) {
                unanswered = e.isRejection() ? null : timers.now();
                throw e;
            } finally {
                writing.unlock();
            }
        }

        private static ApiRequest patch(JsonNode manifest) {
            SortedMap<String, String> query = new TreeMap<>();
            query.put("fieldManager", ApiRequest.FIELD_MANAGER);
            query.put("force", "true");
            return new ApiRequest(
                    Verb.PATCH,
                    Resource.MUTATING_WEBHOOK_CONFIGURATIONS,
                    "",
                    WebhookManifest.NAME,
                    "",
                    query,
                    ApiRequest.APPLY_PATCH,
                    WireJson.text(manifest));
        }

        static boolean isOwnedByOther(JsonNode found, HubIdentity hub) {
            return hub.isOther(found.path("metadata")
                    .path("annotations")
                    .path(WebhookManifest.HUB_ID)
                    .asText());
        }

        /**
         * Removes the configuration if it is this hub's. Waits for a running write; blocks.
         *
         * @return whether it existed
         * @throws ApiFailure if it may still exist, or a recent write without a response may restore it
         */
        boolean remove(KubeApi api, HubIdentity hub) throws ApiFailure {
            try {
                if (!writing.tryLock(FOR_A_WRITE.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw ApiFailure.withoutResponse(
                            ApiFailure.ApiFailureKind.TIMED_OUT, "a write is still in progress");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "the hub is stopping");
            }
            try {
                boolean removed = delete(api, hub);
                Instant open = unanswered;
                if (open != null && open.plus(MAY_ARRIVE).isAfter(timers.now())) {
                    throw ApiFailure.withoutResponse(
                            ApiFailure.ApiFailureKind.TIMED_OUT, "a write got no response and may still take effect");
                }
                unanswered = null;
                return removed;
            } finally {
                writing.unlock();
            }
        }

        private boolean delete(KubeApi api, HubIdentity hub) throws ApiFailure {
            JsonNode found = read(api);
            if (found == null || isOwnedByOther(found, hub)) {
                return false;
            }
            try {
                api.send(ApiRequest.delete(
                        Resource.MUTATING_WEBHOOK_CONFIGURATIONS,
                        "",
                        WebhookManifest.NAME,
                        found.path("metadata").path("uid").asText(),
                        null));
            } catch (ApiFailure e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
            LOG.atInfo()
                    .addKeyValue("tenant", namespace)
                    .addKeyValue("workerCluster", name)
                    .log("Webhook configuration removed from the worker cluster");
            return true;
        }
    }
}
