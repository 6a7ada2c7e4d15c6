package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects that exist before a case is run, in the one cluster that plays management and worker cluster. */
final class CaseCluster {
    private final List<JsonNode> objects = new ArrayList<>();

    CaseCluster(JsonNode objects) {
        objects.forEach(this.objects::add);
    }

    /** A Secret. {@code data} is decoded. */
    record Secret(String name, String type, Map<String, String> data) {}

    @Nullable JsonNode object(String kind, String namespace, String name) {
        for (JsonNode object : objects) {
            JsonNode metadata = object.path("metadata");
            if (object.path("kind").asText().equals(kind)
                    && metadata.path("namespace").asText().equals(namespace)
                    && metadata.path("name").asText().equals(name)) {
                return object;
            }
        }
        return null;
    }

    @Nullable Secret secret(String namespace, String name) {
        JsonNode object = object("Secret", namespace, name);
        return object == null ? null : secret(object);
    }

    private static Secret secret(JsonNode object) {
        Map<String, String> data = new TreeMap<>();
        object.path("data")
                .properties()
                .forEach(entry -> data.put(
                        entry.getKey(),
                        new String(
                                Base64.getMimeDecoder().decode(entry.getValue().asText()), UTF_8)));
        object.path("stringData")
                .properties()
                .forEach(entry -> data.put(entry.getKey(), entry.getValue().asText()));
        return new Secret(
                object.path("metadata").path("name").asText(),
                object.path("type").asText(),
                data);
    }

    /** The bootstrap tokens that are labelled for a MachineDeployment. */
    List<Secret> bootstrapTokens(ObjectNames names) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals("Secret"))
                .filter(object ->
                        object.path("metadata").path("namespace").asText().equals(ObjectNames.TOKEN_NAMESPACE))
                .filter(object -> object.path("metadata")
                        .path("labels")
                        .path(BootstrapToken.LABEL)
                        .asText()
                        .equals(names.key()))
                .map(CaseCluster::secret)
                .toList();
    }

    List<EndpointSlice> endpointSlices() {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals("EndpointSlice"))
                .filter(object ->
                        object.path("metadata").path("namespace").asText().equals("default"))
                .filter(object -> object.path("metadata")
                        .path("labels")
                        .path("kubernetes.io/service-name")
                        .asText()
                        .equals("kubernetes"))
                .sorted(Comparator.comparing(
                        object -> object.path("metadata").path("name").asText()))
                .map(CaseCluster::slice)
                .toList();
    }

    private static EndpointSlice slice(JsonNode object) {
        Integer https = null;
        for (JsonNode port : object.path("ports")) {
            if (https == null && port.path("name").asText().equals("https") && port.has("port")) {
                https = port.get("port").asInt();
            }
        }
        List<String> ready = new ArrayList<>();
        object.path("endpoints").forEach(endpoint -> {
            if (endpoint.path("conditions").path("ready").asBoolean()
                    && endpoint.path("addresses").has(0)) {
                ready.add(endpoint.path("addresses").path(0).asText());
            }
        });
        return new EndpointSlice(https, ready);
    }
}
