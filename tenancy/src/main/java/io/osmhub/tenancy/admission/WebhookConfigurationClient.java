package io.osmhub.tenancy.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hub's webhook configuration in one worker cluster. Writes and removals are serialized, so that a removal is final.
 * Thread-safe.
 */
final class WebhookConfigurationClient {
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
        try {
            return WireJson.read(
                    api.send(ApiRequest.get(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", WebhookManifest.NAME)));
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a webhook configuration");
        }
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

    static boolean isOwnedByOther(JsonNode found, String hubId) {
        String owner = found.path("metadata")
                .path("annotations")
                .path(WebhookManifest.HUB_ID)
                .asText();
        return !owner.isEmpty() && !hubId.isEmpty() && !owner.equals(hubId);
    }

    /**
     * Removes the configuration if it is this hub's. Waits for a running write; blocks.
     *
     * @return whether it existed
     * @throws ApiFailure if it may still exist, or a recent write without a response may restore it
     */
    boolean remove(KubeApi api, String hubId) throws ApiFailure {
        try {
            if (!writing.tryLock(FOR_A_WRITE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "a write is still in progress");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "the hub is stopping");
        }
        try {
            boolean removed = delete(api, hubId);
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

    private boolean delete(KubeApi api, String hubId) throws ApiFailure {
        JsonNode found = read(api);
        if (found == null || isOwnedByOther(found, hubId)) {
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
