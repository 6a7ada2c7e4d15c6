package io.osmhub.bench.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/** A management cluster with two callers, identified by token: {@link #ALL} may see every tenant, {@link #FEW} some. */
final class AccessReviewServer implements KubeApi {
    static final String ALL = "all";
    static final String FEW = "few";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<String> fewOfThem;

    /** @param fewOfThem namespaces that {@link #FEW} may see */
    AccessReviewServer(Set<String> fewOfThem) {
        this.fewOfThem = Set.copyOf(fewOfThem);
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        try {
            JsonNode review = JSON.readTree(request.body());
            ObjectNode status = JSON.createObjectNode();
            if (request.resource().equals(Resource.TOKEN_REVIEWS)) {
                status.put("authenticated", true)
                        .putObject("user")
                        .put("username", review.path("spec").path("token").asText());
                status.putArray("audiences").add("osm-hub");
            } else {
                String namespace = review.path("spec")
                        .path("resourceAttributes")
                        .path("namespace")
                        .asText("");
                boolean all = review.path("spec").path("user").asText().equals(ALL);
                status.put("allowed", all || fewOfThem.contains(namespace));
            }
            ObjectNode answer = JSON.createObjectNode();
            answer.set("status", status);
            return answer.toString().getBytes(UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        throw new UnsupportedOperationException("only reviews are supported");
    }
}
