package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.status.ApiError;

/** A whole answer to one request. */
record Answer(int code, String contentType, byte[] body) {
    static Answer json(int code, byte[] body) {
        return new Answer(code, "application/json", body);
    }

    static Answer json(int code, JsonNode tree) {
        return json(code, Json.bytes(tree));
    }

    static Answer of(ApiError error) {
        return json(error.code(), error.status());
    }

    static Answer text(String text) {
        return new Answer(200, "text/plain; charset=utf-8", text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
