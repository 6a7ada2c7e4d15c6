package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose credential may have only the permissions of a role for OSM, which differ between OSM, KubeOne and KKP. Where a
 * request is forbidden, it is replaced by permitted ones:
 *
 * <table>
 * <tr><td>patch a Secret</td><td>get and update, with the version read, so that a concurrent change causes a conflict</td></tr>
 * <tr><td>delete a Secret in {@code kube-system}</td><td>nothing: bootstrap tokens expire</td></tr>
 * <tr><td>Events</td><td>the core group's Events, which have other field names</td></tr>
 * <tr><td>list EndpointSlices in {@code default}</td><td>get Endpoints {@code kubernetes}</td></tr>
 * <tr><td>watch EndpointSlices in {@code default}</td><td>a list every minute</td></tr>
 * </table>
 *
 * <p>A forbidden request is tried again after 10 minutes. Other requests, and all with wider permissions, pass unchanged.
 *
 * <p>Sources: operating-system-manager v1.11.2, {@code deploy/osm.yaml}; the addon of KubeOne 1.14; user clusters of KKP 2.31.
 */
public final class NarrowRoleKubeApi implements KubeApi {
    private static final byte[] NOTHING = {'{', '}'};
    private static final String ENDPOINTS = "kubernetes";
    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofMinutes(10);
    private static final Duration BETWEEN_LISTS = Duration.ofMinutes(1);

    private final KubeApi api;
    private final Scheduler timers;
    /** When a request was forbidden. */
    private final Map<ForbiddenRequest, Long> forbidden = new ConcurrentHashMap<>();

    private record ForbiddenRequest(Verb verb, Resource resource, String namespace) {
        static ForbiddenRequest of(ApiRequest request) {
            return new ForbiddenRequest(request.verb(), request.resource(), request.namespace());
        }
    }

    public NarrowRoleKubeApi(KubeApi api, Scheduler timers) {
        this.api = api;
        this.timers = timers;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        if (!isReplaceable(request)) {
            return api.send(request);
        }
        if (isForbidden(request)) {
            return replace(request);
        }
        try {
            return api.send(request);
        } catch (ApiFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            byte[] answer;
            try {
                answer = replace(request);
            } catch (ApiFailure other) {
                throw other.isForbidden() ? failure : other;
            }
            forbidden.put(ForbiddenRequest.of(request), timers.nanoTime());
            return answer;
        }
    }

    private boolean isForbidden(ApiRequest request) {
        Long since = forbidden.get(ForbiddenRequest.of(request));
        return since != null && timers.nanoTime() - since < UNTIL_NEXT_ATTEMPT.toNanos();
    }

    private static boolean isReplaceable(ApiRequest request) {
        return switch (request.resource()) {
            case EVENTS -> true;
            case SECRETS ->
                request.verb() == Verb.PATCH && request.contentType().equals(ApiRequest.MERGE_PATCH)
                        || request.verb() == Verb.DELETE && request.namespace().equals(ObjectNames.TOKEN_NAMESPACE);
            case ENDPOINT_SLICES -> request.verb() == Verb.LIST || request.verb() == Verb.WATCH;
            default -> false;
        };
    }

    private byte[] replace(ApiRequest request) throws ApiFailure {
        return switch (request.resource()) {
            case EVENTS -> api.send(inCoreGroup(request));
            case ENDPOINT_SLICES -> endpointSlices(request.namespace());
            default -> request.verb() == Verb.DELETE ? NOTHING : update(request);
        };
    }

    /** The core group's Event has older field names. Source: Kubernetes API reference, Event v1 and events.k8s.io/v1. */
    private static ApiRequest inCoreGroup(ApiRequest request) throws ApiFailure {
        ObjectNode event = object(String.valueOf(request.body()).getBytes(UTF_8));
        if (event.has("apiVersion")) {
            event.put("apiVersion", Resource.CORE_EVENTS.apiVersion());
        }
        rename(event, "note", "message");
        rename(event, "regarding", "involvedObject");
        rename(event, "reportingController", "reportingComponent");
        return new ApiRequest(
                request.verb(),
                Resource.CORE_EVENTS,
                request.namespace(),
                request.name(),
                request.subresource(),
                request.query(),
                request.contentType(),
                WireJson.text(event));
    }

    private static void rename(ObjectNode event, String field, String name) {
        JsonNode value = event.remove(field);
        if (value != null) {
            event.set(name, value);
        }
    }

    /** Preconditions of the patch stay: its UID and version replace those read, and the API server compares both. */
    private byte[] update(ApiRequest patch) throws ApiFailure {
        byte[] found = api.send(ApiRequest.get(patch.resource(), patch.namespace(), patch.name()));
        ObjectNode merged = MergePatch.apply(
                object(found), object(String.valueOf(patch.body()).getBytes(UTF_8)));
        return api.send(ApiRequest.update(patch.resource(), patch.namespace(), patch.name(), WireJson.text(merged)));
    }

    /** Endpoints as a list of EndpointSlices with the fields that the hub reads; empty if there are none. */
    private byte[] endpointSlices(String namespace) throws ApiFailure {
        ObjectNode list = WireJson.object();
        ArrayNode items = list.putArray("items");
        try {
            JsonNode found = object(api.send(ApiRequest.get(Resource.ENDPOINTS, namespace, ENDPOINTS)));
            list.set("metadata", resourceVersion(found));
            for (JsonNode subset : found.path("subsets")) {
                ObjectNode slice = items.addObject();
                ObjectNode metadata = ((ObjectNode) found.path("metadata")).deepCopy();
                slice.set("metadata", metadata.put("name", ENDPOINTS + "-" + items.size()));
                slice.set("ports", subset.path("ports"));
                ArrayNode endpoints = slice.putArray("endpoints");
                for (JsonNode address : subset.path("addresses")) { // the others are in notReadyAddresses
                    ObjectNode endpoint = endpoints.addObject();
                    endpoint.putArray("addresses").add(address.path("ip").asText());
                    endpoint.putObject("conditions").put("ready", true);
                }
            }
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
        return WireJson.text(list).getBytes(UTF_8);
    }

    private static ObjectNode resourceVersion(JsonNode object) {
        return WireJson.object()
                .put(
                        "resourceVersion",
                        object.path("metadata").path("resourceVersion").asText());
    }

    private static ObjectNode object(byte[] json) throws ApiFailure {
        try {
            return (ObjectNode) WireJson.response(json, "an object");
        } catch (ClassCastException e) {
            throw WireJson.unexpected("an object");
        }
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        if (!isReplaceable(request)) {
            return api.list(request, items);
        }
        // Few and small: need not be streamed.
        return KubeApi.super.list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        if (!isReplaceable(request)) {
            return api.watch(request, lines);
        }
        PolledWatch polled = new PolledWatch(request, lines);
        if (isForbidden(request)) {
            polled.poll();
        } else {
            polled.begin();
        }
        return polled;
    }

    /** A watch that, where it is forbidden, ends as expired after a while, so that its owner lists again. */
    private final class PolledWatch implements Watch, WatchLineHandler {
        private final ApiRequest request;
        private final WatchLineHandler lines;
        private final AtomicReference<@Nullable Runnable> onStop = new AtomicReference<>();
        private volatile boolean stopped;

        PolledWatch(ApiRequest request, WatchLineHandler lines) {
            this.request = request;
            this.lines = lines;
        }

        void begin() {
            Watch watch = api.watch(request, this);
            // It may have been forbidden at once, which set a timer.
            onStop.compareAndSet(null, watch::stop);
            stopIfRequested();
        }

        void poll() {
            onStop.set(timers.schedule(BETWEEN_LISTS, this::expire)::cancel);
            stopIfRequested();
            // Not under the locks of the caller, which expects no event yet.
            timers.schedule(Duration.ZERO, this::open);
        }

        private void open() {
            if (!stopped) {
                lines.onOpened();
            }
        }

        private void expire() {
            if (!stopped) {
                lines.onFailed(new ApiFailure(
                        ApiFailure.ApiFailureKind.ANSWERED, 410, "Expired", "watch is forbidden, list again", null));
            }
        }

        private void stopIfRequested() {
            Runnable stop = onStop.get();
            if (stopped && stop != null) {
                stop.run();
            }
        }

        @Override
        public void stop() {
            stopped = true;
            stopIfRequested();
        }

        @Override
        public void onOpened() {
            lines.onOpened();
        }

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {
            lines.onLine(json, redactor);
        }

        @Override
        public void onEnded() {
            lines.onEnded();
        }

        @Override
        public void onFailed(ApiFailure failure) {
            if (failure.isForbidden()) {
                forbidden.put(ForbiddenRequest.of(request), timers.nanoTime());
                poll();
            } else {
                lines.onFailed(failure);
            }
        }
    }
}
