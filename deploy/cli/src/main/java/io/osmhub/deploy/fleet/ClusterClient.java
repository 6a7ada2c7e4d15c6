package io.osmhub.deploy.fleet;

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
import io.osmhub.tenancy.connection.ServerAccessFactory;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and deletes objects of one cluster when they are needed, without a cache. A failed request is a
 * {@link RequestFailure}, as an {@link ObjectLookup} an {@link Unreachable}.
 *
 * @param server URL of the API server, for messages
 * @param isWorker whether it is a worker cluster, with other permissions than the management cluster's
 */
public record ClusterClient(KubeApi api, String server, boolean isWorker) implements ObjectLookup {
    private static final JsonFactory JSON = new JsonFactory();

    /** A worker cluster, with the kubeconfig file of an administrator. */
    public static ClusterClient open(CommandClients clients, Path file) {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
        String text;
        try {
            text = Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw CommandFailure.unusable("kubeconfig " + file + " cannot be read; check the path");
        }
        return switch (KubeconfigValidator.validateOperatorFile(
                file.toString(), text, path -> Files.readString(folder.resolve(path), UTF_8))) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig valid) ->
                new ClusterClient(
                        clients.userApi(ServerAccessFactory.of(valid)),
                        valid.server().toString(),
                        true);
            case KubeconfigValidation.Invalid refused ->
                throw FailureMessages.of(refused.findings(), file.toString(), "nothing was done");
        };
    }

    /** Null if the object or its kind does not exist. */
    public @Nullable JsonNode get(Resource resource, String namespace, String name) {
        return call(() -> WireJson.find(api, resource, namespace, name));
    }

    /** Empty if the kind does not exist. */
    public List<JsonNode> list(Resource resource, String namespace, Map<String, String> query) {
        List<JsonNode> items = new ArrayList<>();
        readAll(resource, namespace, query, json -> items.add(WireJson.read(json)));
        return items;
    }

    /** Unlike {@link #list}, fails if the kind does not exist, so that a missing object is certainly gone. */
    public List<JsonNode> listExisting(Resource resource, String namespace) {
        List<JsonNode> items = new ArrayList<>();
        call(() -> {
            api.list(ApiRequest.list(resource, namespace, Map.of()), json -> items.add(WireJson.read(json)));
            return null;
        });
        return items;
    }

    /** Decodes as the hub's informers do; leaves out objects that they would not keep. */
    public <T> List<T> list(Resource resource, String namespace, Map<String, String> query, ObjectDecoder<T> decoder) {
        List<T> kept = new ArrayList<>();
        readAll(resource, namespace, query, json -> {
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

    private void readAll(Resource resource, String namespace, Map<String, String> query, ItemHandler items) {
        ifFound(() -> {
            api.list(ApiRequest.list(resource, namespace, query), items);
            return null;
        });
    }

    /** The API server's; empty if the kind does not exist. */
    public List<EndpointSlice> endpointSlices() {
        return Objects.requireNonNullElse(ifFound(() -> EndpointSource.read(api)), List.of());
    }

    public void create(Resource resource, JsonNode object) {
        String namespace = object.at("/metadata/namespace").asText();
        call(() -> api.send(ApiRequest.create(resource, namespace, WireJson.text(object))));
    }

    /** Applies a JSON merge patch. */
    public void patch(Resource resource, String namespace, String name, JsonNode patch) {
        call(() -> api.send(ApiRequest.patch(resource, namespace, name, ApiRequest.MERGE_PATCH, WireJson.text(patch))));
    }

    /** Deletes this version of an object; ignores one that is already deleted. */
    public void delete(Resource resource, ObjectMetadata head) {
        ifFound(() -> api.send(ApiRequest.delete(resource, head.namespace(), head.name(), head.uid(), null)));
    }

    /** A failed request, with what the cluster responded. */
    public static final class RequestFailure extends CommandFailure {
        private static final long serialVersionUID = 1L;

        private final String response;

        private RequestFailure(ApiFailure failure, ClusterClient cluster) {
            this(
                    cluster.isWorker()
                            ? FailureMessages.ofWorker(failure, cluster.server())
                            : FailureMessages.of(failure, cluster.server()),
                    failure.text() + " at " + cluster.server());
        }

        private RequestFailure(CommandFailure failure, String response) {
            super(failure.kind(), failure.text());
            this.response = response;
        }

        /** The cluster and its response, without advice. */
        public String response() {
            return response;
        }
    }

    private interface ApiCall<T> {
        @Nullable T run() throws ApiFailure, IOException;
    }

    private <T> @Nullable T call(ApiCall<T> call) {
        try {
            return call.run();
        } catch (ApiFailure e) {
            throw new RequestFailure(e, this);
        } catch (IOException e) {
            throw new RequestFailure(WireJson.unexpected("a Kubernetes object"), this);
        }
    }

    /** Returns null if the object or its kind does not exist. */
    private <T> @Nullable T ifFound(ApiCall<T> call) {
        return call(() -> {
            try {
                return call.run();
            } catch (ApiFailure e) {
                if (e.isNotFound()) {
                    return null;
                }
                throw e;
            }
        });
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
            return WireJson.find(api, resource, namespace, name);
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
