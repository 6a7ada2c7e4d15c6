package io.osmhub.workersync.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.ConfigStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** OperatingSystemConfigs of one tenant on a {@link SimulatedServer}; its cache is always current. */
public final class FakeConfigs implements ConfigStore {
    private static final Resource KIND = Resource.OPERATING_SYSTEM_CONFIGS;

    private final SimulatedServer management;
    private final String namespace;
    private final Map<String, OperatingSystemConfigStatus> statuses = new HashMap<>();
    private int offers;

    public FakeConfigs(SimulatedServer management, String namespace) {
        this.management = management;
        this.namespace = namespace;
    }

    /** The last queued status. */
    public @Nullable OperatingSystemConfigStatus status(String name) {
        return statuses.get(name);
    }

    public int offers() {
        return offers;
    }

    @Override
    public boolean hasStatusSubresource() {
        return true;
    }

    @Override
    public @Nullable StoredConfig find(String name) {
        ObjectNode object = management.object(KIND, namespace, name);
        return object == null ? null : stored(object);
    }

    @Override
    public Collection<StoredConfig> all() {
        List<StoredConfig> all = new ArrayList<>();
        management.all(KIND).forEach(object -> all.add(stored(object)));
        return all;
    }

    @Override
    public StoredConfig create(OperatingSystemConfig config, Map<String, String> ownAnnotations) throws ApiFailure {
        return stored(parse(management.send(ApiRequest.create(KIND, namespace, json(config, ownAnnotations)))));
    }

    @Override
    public StoredConfig patch(StoredConfig found, String patch) throws ApiFailure {
        return stored(
                parse(management.send(ApiRequest.patch(KIND, namespace, found.name(), ApiRequest.MERGE_PATCH, patch))));
    }

    @Override
    public StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> ownAnnotations)
            throws ApiFailure {
        management.send(ApiRequest.delete(KIND, namespace, found.name(), found.uid(), null));
        return create(config, ownAnnotations);
    }

    @Override
    public void delete(StoredConfig found) throws ApiFailure {
        try {
            management.send(ApiRequest.delete(KIND, namespace, found.name(), found.uid(), null));
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
    }

    @Override
    public void enqueueStatus(String name, OperatingSystemConfigStatus status) {
        statuses.put(name, status);
        offers++;
    }

    private static String json(OperatingSystemConfig config, Map<String, String> ownAnnotations) {
        ObjectNode object = SimulatedServer.JSON.createObjectNode();
        ObjectNode metadata = object.putObject("metadata").put("name", config.name());
        ObjectNode annotations = metadata.putObject("annotations");
        config.annotations().forEach(annotations::put);
        ownAnnotations.forEach(annotations::put);
        object.set("spec", SimulatedServer.parse(OperatingSystemConfigWriter.spec(config.spec())));
        object.put("text", OperatingSystemConfigWriter.spec(config.spec()));
        return object.toString();
    }

    private static ObjectNode parse(byte[] json) {
        try {
            return (ObjectNode) SimulatedServer.JSON.readTree(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }

    private StoredConfig stored(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        SortedMap<String, String> annotations = new TreeMap<>();
        metadata.path("annotations")
                .properties()
                .forEach(entry ->
                        annotations.put(entry.getKey(), entry.getValue().asText()));
        String name = metadata.path("name").asText();
        return new StoredConfig(
                namespace,
                name,
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                metadata.path("generation").asLong(),
                annotations,
                SpecHash.of(object.path("text").asText()),
                statuses.get(name),
                metadata.path("managedFields").path(1).path("manager").asText());
    }
}
