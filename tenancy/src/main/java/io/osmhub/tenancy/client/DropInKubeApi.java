package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.util.Map;

/**
 * A cluster for a drop-in replacement, with only the permissions of OSM's roles. These permit reading and replacing Secrets, but
 * not patching them, nor deleting them in {@code kube-system}: there a token is left to expire, as OSM does. They permit Events
 * only in the core group, where the same objects have different field names, and no statuses, so these are not written. With
 * wider permissions, requests pass unchanged.
 *
 * <p>Source: operating-system-manager v1.11.2, {@code deploy/osm.yaml}.
 */
public final class DropInKubeApi implements KubeApi {
    private static final byte[] NOTHING = {'{', '}'};

    private final KubeApi api;

    public DropInKubeApi(KubeApi api) {
        this.api = api;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        try {
            return api.send(request);
        } catch (ApiFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            if (request.subresource().equals("status")) {
                return api.send(ApiRequest.get(request.resource(), request.namespace(), request.name()));
            }
            if (request.resource() == Resource.EVENTS) {
                return api.send(inCoreGroup(request));
            }
            if (request.resource() != Resource.SECRETS) {
                throw failure;
            }
            if (request.verb() == Verb.PATCH && request.contentType().equals(ApiRequest.MERGE_PATCH)) {
                return replace(request);
            }
            if (request.verb() == Verb.DELETE && request.namespace().equals(ObjectNames.TOKEN_NAMESPACE)) {
                return NOTHING;
            }
            throw failure;
        }
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

    /** Replaces with the resourceVersion read, so that a concurrent change causes a conflict. */
    private byte[] replace(ApiRequest patch) throws ApiFailure {
        byte[] found = api.send(ApiRequest.get(patch.resource(), patch.namespace(), patch.name()));
        return api.send(ApiRequest.update(
                patch.resource(), patch.namespace(), patch.name(), merged(found, String.valueOf(patch.body()))));
    }

    private static String merged(byte[] found, String patch) throws ApiFailure {
        ObjectNode object = object(found);
        merge(object, object(patch.getBytes(UTF_8)));
        return WireJson.text(object);
    }

    private static ObjectNode object(byte[] json) throws ApiFailure {
        try {
            return (ObjectNode) WireJson.read(json);
        } catch (IOException | ClassCastException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not an object");
        }
    }

    /** RFC 7396: objects are merged, null removes, anything else replaces. */
    private static void merge(ObjectNode into, JsonNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (value.isObject()) {
                ObjectNode inner = into.path(field.getKey()) instanceof ObjectNode object
                        ? object
                        : into.putObject(field.getKey());
                merge(inner, value);
            } else {
                into.set(field.getKey(), value);
            }
        }
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        return api.list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        return api.watch(request, lines);
    }
}
