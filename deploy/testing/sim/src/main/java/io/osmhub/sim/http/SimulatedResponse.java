package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonTrees;

/** A whole answer to one request. */
record SimulatedResponse(int code, String contentType, byte[] body) {
    static SimulatedResponse json(int code, byte[] body) {
        return new SimulatedResponse(code, "application/json", body);
    }

    static SimulatedResponse json(int code, JsonNode tree) {
        return json(code, JsonTrees.bytes(tree));
    }

    static SimulatedResponse of(ApiError error) {
        return json(error.code(), error.status());
    }

    static SimulatedResponse text(String text) {
        return new SimulatedResponse(
                200, "text/plain; charset=utf-8", text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
