package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A management cluster that only answers reviews. */
final class ReviewingCluster implements ServerHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** User by token. */
    final Map<String, String> holders = new ConcurrentHashMap<>();
    /** Audience that every token is for; empty for a server that does not know audiences. */
    volatile String audience = "osm-hub";
    /** As "user verb resource namespace/name". */
    final Set<String> grants = ConcurrentHashMap.newKeySet();

    final AtomicInteger tokenReviews = new AtomicInteger();
    final AtomicInteger accessReviews = new AtomicInteger();
    final List<JsonNode> specs = new CopyOnWriteArrayList<>();
    volatile @Nullable ApiFailure failure;
    volatile Runnable beforeAnswer = () -> {};

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        ApiFailure failing = failure;
        if (failing != null) {
            throw failing;
        }
        beforeAnswer.run();
        JsonNode spec = parse(request.body()).path("spec");
        specs.add(spec);
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode status = answer.putObject("status");
        if (request.resource() == Resource.TOKEN_REVIEWS) {
            tokenReviews.incrementAndGet();
            String user = holders.get(spec.path("token").asText());
            if (user != null) {
                status.put("authenticated", true).putObject("user").put("username", user);
                if (!audience.isEmpty()) {
                    status.putArray("audiences").add(audience);
                }
            }
        } else {
            accessReviews.incrementAndGet();
            JsonNode attributes = spec.path("resourceAttributes");
            status.put(
                    "allowed",
                    grants.contains(spec.path("user").asText() + " "
                            + attributes.path("verb").asText() + " "
                            + attributes.path("resource").asText() + " "
                            + attributes.path("namespace").asText() + "/"
                            + attributes.path("name").asText()));
        }
        return answer.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode parse(@Nullable String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        throw new AssertionError("nothing is watched");
    }
}
