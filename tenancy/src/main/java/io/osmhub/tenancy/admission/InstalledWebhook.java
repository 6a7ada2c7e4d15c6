package io.osmhub.tenancy.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.Timers;
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
 * The hub's webhook configuration as it stands in one worker cluster. Written and removed one after the other, so that a removal is
 * the last that happens to it. Safe for use by many threads.
 */
final class InstalledWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(InstalledWebhook.class);
    /** A removal waits so long for a write under way; longer than the time limit of a request. */
    private static final Duration FOR_A_WRITE = Duration.ofSeconds(45);
    /** API servers give a request up after a minute: until then one that had no answer may still be carried out. */
    private static final Duration MAY_ARRIVE = Duration.ofSeconds(60);

    private final String namespace;
    private final String name;
    private final Timers timers;
    private final ReentrantLock writing = new ReentrantLock();
    /** When a write had no answer; null when the last one had. Under {@link #writing}. */
    private @Nullable Instant unanswered;

    /** Of the WorkerCluster of that name. */
    InstalledWebhook(String namespace, String name, Timers timers) {
        this.namespace = namespace;
        this.name = name;
        this.timers = timers;
    }

    /** As it is at this moment; null when it is not there. */
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
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a webhook configuration");
        }
    }

    /**
     * Makes it so.
     *
     * @param closed whether the hub leaves, and nothing is written any more
     * @return the answer; null when nothing was written
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
            unanswered = e.isRefusal() ? null : timers.now();
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

    static boolean isOfAnother(JsonNode found, String hubId) {
        String owner = found.path("metadata")
                .path("annotations")
                .path(WebhookManifest.HUB_ID)
                .asText();
        return !owner.isEmpty() && !hubId.isEmpty() && !owner.equals(hubId);
    }

    /**
     * Removes it if it is this hub's. Waits for a write under way and for the answer.
     *
     * @return whether there was one to remove
     * @throws ApiFailure when it may still be there, or a write had no answer a moment ago and may bring it back
     */
    boolean remove(KubeApi api, String hubId) throws ApiFailure {
        try {
            if (!writing.tryLock(FOR_A_WRITE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw ApiFailure.noAnswer(ApiFailure.Cause.TIMED_OUT, "a write of it is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.noAnswer(ApiFailure.Cause.CLOSED, "the hub is stopping");
        }
        try {
            boolean removed = delete(api, hubId);
            Instant open = unanswered;
            if (open != null && open.plus(MAY_ARRIVE).isAfter(timers.now())) {
                throw ApiFailure.noAnswer(
                        ApiFailure.Cause.TIMED_OUT, "a write of it had no answer and may still be carried out");
            }
            unanswered = null;
            return removed;
        } finally {
            writing.unlock();
        }
    }

    private boolean delete(KubeApi api, String hubId) throws ApiFailure {
        JsonNode found = read(api);
        if (found == null || isOfAnother(found, hubId)) {
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
