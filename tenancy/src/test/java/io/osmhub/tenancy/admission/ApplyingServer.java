package io.osmhub.tenancy.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.ServerHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Adds server-side apply of webhook configurations to the in-memory API server. */
final class ApplyingServer implements ServerHandler {
    private final FakeApiServer server;
    /** Managers, as in a message of the API server, that have taken a field of a webhook; by its name. */
    final Map<String, String> otherManagers = new HashMap<>();
    /** Runs before each apply. */
    Runnable beforeApply = () -> {};
    /** Whether applies get no response. */
    boolean lost;

    ApplyingServer(FakeApiServer server) {
        this.server = server;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        if (!request.contentType().equals(ApiRequest.APPLY_PATCH)) {
            return server.send(request);
        }
        beforeApply.run();
        if (lost) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");
        }
        String body = Objects.requireNonNull(request.body());
        ObjectNode stored = server.object(request.resource(), "", request.name());
        if (stored == null) {
            return server.send(ApiRequest.create(request.resource(), "", body));
        }
        ObjectNode applied = read(body);
        for (JsonNode webhook : applied.path("webhooks")) {
            String name = webhook.path("name").asText();
            if (otherManagers.containsKey(name)) {
                throw FakeApiServer.status(
                        409,
                        "Conflict",
                        "Apply failed with 1 conflict: conflict with " + otherManagers.get(name) + ": .webhooks[name=\""
                                + name + "\"].clientConfig.caBundle");
            }
        }
        return server.send(ApiRequest.patch(
                request.resource(), "", request.name(), ApiRequest.MERGE_PATCH, merged(stored, applied)));
    }

    private static ObjectNode read(String body) {
        try {
            return (ObjectNode) WireJson.read(body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String merged(ObjectNode stored, ObjectNode applied) {
        JsonNode webhooks = stored.path("webhooks").deepCopy();
        for (JsonNode webhook : webhooks) {
            for (JsonNode wanted : applied.path("webhooks")) {
                if (wanted.path("name").equals(webhook.path("name"))) {
                    JsonNode client = webhook.path("clientConfig").deepCopy();
                    ((ObjectNode) webhook).setAll((ObjectNode) wanted.deepCopy());
                    ((ObjectNode) client).setAll((ObjectNode) wanted.path("clientConfig"));
                    ((ObjectNode) webhook).set("clientConfig", client);
                }
            }
        }
        return WireJson.text(applied.set("webhooks", webhooks));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        return server.watch(request, lines);
    }
}
