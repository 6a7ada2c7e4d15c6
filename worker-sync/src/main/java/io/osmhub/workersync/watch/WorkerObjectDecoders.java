package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the kinds of which a worker cluster has one or two objects. */
public final class WorkerObjectDecoders {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WorkerObjectDecoders() {}

    /** The kubeconfig in {@code kube-public/cluster-info}; without one, the ConfigMap counts as absent. */
    public static ObservedObject<String> clusterInfo(JsonParser parser) throws IOException {
        JsonNode object = JSON.readTree(parser);
        return ObservedObject.of(object, object.path("data").path("kubeconfig").textValue());
    }

    /** The API server's endpoints. */
    public static ObservedObject<EndpointSlice> endpointSlice(JsonParser parser) throws IOException {
        JsonNode object = JSON.readTree(parser);
        Integer https = null;
        for (JsonNode port : object.path("ports")) {
            if (https == null
                    && port.path("name").asText("").equals("https")
                    && port.path("port").isInt()) {
                https = port.path("port").intValue();
            }
        }
        List<String> addresses = new ArrayList<>();
        for (JsonNode endpoint : object.path("endpoints")) {
            boolean ready = endpoint.path("conditions").path("ready").booleanValue();
            if (ready && endpoint.path("addresses").has(0)) {
                addresses.add(endpoint.path("addresses").path(0).asText(""));
            }
        }
        return ObservedObject.of(object, new EndpointSlice(https, List.copyOf(addresses)));
    }

    /** Names of the Secrets that a service account lists. */
    public static ObservedObject<List<String>> serviceAccount(JsonParser parser) throws IOException {
        JsonNode object = JSON.readTree(parser);
        List<String> secrets = new ArrayList<>();
        object.path("secrets").forEach(secret -> secrets.add(secret.path("name").asText("")));
        return ObservedObject.of(object, List.copyOf(secrets));
    }

    /** An account, role or binding with which the machines of one MachineDeployment fetch. */
    public static ObjectDecoder<StoredGrant> grant(GrantKind kind) {
        return parser -> {
            JsonNode object = JSON.readTree(parser);
            return ObservedObject.of(object, StoredGrant.of(kind, object, lastWriter(object)));
        };
    }

    /** Times have a resolution of one second; within one, the other writer is the news. */
    private static @Nullable String lastWriter(JsonNode object) {
        String writer = null;
        String last = "";
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            String manager = entry.path("manager").asText("");
            String time = entry.path("time").asText("");
            int order = time.compareTo(last);
            if (writer == null || order > 0 || order == 0 && !manager.equals(ApiRequest.FIELD_MANAGER)) {
                writer = manager;
                last = time;
            }
        }
        return writer;
    }
}
