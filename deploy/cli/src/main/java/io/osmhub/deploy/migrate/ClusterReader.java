package io.osmhub.deploy.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter.ItemHandler;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.EndpointSource;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObservedObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of one cluster when they are needed, without a cache. As an {@link ObjectLookup} it throws {@link Unreachable} for a
 * failed request.
 *
 * @param server URL of the API server, for messages
 */
record ClusterReader(KubeApi api, String server) implements ObjectLookup {
    private static final JsonFactory JSON = new JsonFactory();

    /** Null if the object or its kind does not exist. */
    @Nullable JsonNode get(Resource resource, String namespace, String name) throws ApiFailure {
        return WireJson.find(api, resource, namespace, name);
    }

    /** Empty if the kind does not exist. */
    List<JsonNode> list(Resource resource, String namespace, Map<String, String> query) throws ApiFailure {
        List<JsonNode> items = new ArrayList<>();
        read(resource, namespace, query, json -> items.add(WireJson.read(json)));
        return items;
    }

    /** All objects of a kind. Unlike {@link #list}, fails if the kind does not exist, so that a missing object is certainly gone. */
    List<ObjectMetadata> heads(Resource resource) throws ApiFailure {
        List<ObjectMetadata> heads = new ArrayList<>();
        try {
            api.list(
                    ApiRequest.list(resource, "", Map.of()), json -> heads.add(ObjectMetadata.of(WireJson.read(json))));
        } catch (IOException e) {
            throw WireJson.unexpected("a Kubernetes object");
        }
        return heads;
    }

    /** Decodes as the hub's informers do; leaves out objects that they would not keep. */
    <T> List<T> list(Resource resource, String namespace, Map<String, String> query, ObjectDecoder<T> decoder)
            throws ApiFailure {
        List<T> kept = new ArrayList<>();
        read(resource, namespace, query, json -> {
            try (JsonParser parser = JSON.createParser(json)) {
                parser.nextToken();
                ObservedObject<T> seen = decoder.decode(parser);
                T object = seen.object();
                if (object != null) {
                    kept.add(object);
                }
            }
        });
        return kept;
    }

    /** The API server's; empty if the kind does not exist. */
    List<EndpointSlice> endpointSlices() throws ApiFailure {
        List<EndpointSlice> slices = new ArrayList<>();
        read(() -> slices.addAll(EndpointSource.read(api)));
        return slices;
    }

    private void read(Resource resource, String namespace, Map<String, String> query, ItemHandler items)
            throws ApiFailure {
        read(() -> api.list(ApiRequest.list(resource, namespace, query), items));
    }

    private interface ListRequest {
        void send() throws ApiFailure, IOException;
    }

    private static void read(ListRequest request) throws ApiFailure {
        try {
            request.send();
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        } catch (IOException e) {
            throw WireJson.unexpected("a Kubernetes object");
        }
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        JsonNode object = find(Resource.SECRETS, namespace, name);
        if (object == null) {
            return null;
        }
        SortedMap<String, String> data = new TreeMap<>();
        ObjectMetadata.strings(object.path("data"))
                .forEach((key, value) ->
                        data.put(key, new String(Base64.getDecoder().decode(value), UTF_8)));
        return new Secret(namespace, name, object.path("type").asText(), data);
    }

    @Override
    public @Nullable Map<String, String> configMap(String namespace, String name) {
        JsonNode object = find(Resource.CONFIG_MAPS, namespace, name);
        return object == null ? null : ObjectMetadata.strings(object.path("data"));
    }

    private @Nullable JsonNode find(Resource resource, String namespace, String name) {
        try {
            return get(resource, namespace, name);
        } catch (ApiFailure e) {
            throw new Unreachable(new Problem(
                    Reason.ObjectUnreadable,
                    ProblemObject.input(resource.plural() + " " + namespace + "/" + name + " at " + server),
                    "",
                    e.text(),
                    "grant get on it, or check the connection"));
        }
    }
}
