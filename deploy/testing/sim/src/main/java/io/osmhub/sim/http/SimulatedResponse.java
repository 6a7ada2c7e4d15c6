package io.osmhub.sim.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonTrees;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The response to one request: a complete body, or a stream if that is not null. */
public record SimulatedResponse(
        int code,
        Map<String, String> headers,
        byte[] body,
        @Nullable ResponseStream stream) {
    static SimulatedResponse json(int code, byte[] body) {
        return new SimulatedResponse(code, Map.of("Content-Type", "application/json"), body, null);
    }

    static SimulatedResponse json(int code, JsonNode tree) {
        return json(code, JsonTrees.bytes(tree));
    }

    public static SimulatedResponse of(ApiError error) {
        return json(error.code(), error.status());
    }

    static SimulatedResponse text(String text) {
        return new SimulatedResponse(
                200, Map.of("Content-Type", "text/plain; charset=utf-8"), text.getBytes(UTF_8), null);
    }

    /** Releases the body that will not be sent. */
    public void discard() {
        if (stream != null) {
            stream.discard();
        }
    }

    static SimulatedResponse events(ResponseStream stream) {
        return new SimulatedResponse(200, Map.of("Content-Type", "application/json"), new byte[0], stream);
    }
}
