package io.osmhub.tenancy.management;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Converts the API server's JSON to trees and wire records and back. */
public final class WireJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectMapper COMPACT = JsonMapper.builder()
            .addModule(new SimpleModule("compact").addDeserializer(String.class, new InterningStringDeserializer()))
            .build();

    private WireJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** @throws IOException if it is not JSON; the message quotes nothing of it */
    public static JsonNode read(byte[] json) throws IOException {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            e.clearLocation();
            throw new IOException("not JSON", e);
        }
    }

    /**
     * Reads a response.
     *
     * @param expected for the message, for example {@code "a Lease"}
     * @throws ApiFailure if it is not JSON; the message quotes nothing of it
     */
    public static JsonNode response(byte[] json, String expected) throws ApiFailure {
        try {
            return read(json);
        } catch (IOException e) {
            throw unexpected(expected);
        }
    }

    /** For a response that is something else than, for example, {@code "a Secret"}. */
    public static ApiFailure unexpected(String than) {
        return ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not " + than);
    }

    /**
     * The typed response, which fabric8 returns as null if its body is empty or {@code null}.
     *
     * @param expected for example {@code "a Secret"}
     */
    public static <T> T present(@Nullable T response, String expected) throws ApiFailure {
        if (response == null) {
            throw unexpected(expected);
        }
        return response;
    }

    /** Reads an object; null if it or its kind does not exist. Blocks. */
    public static @Nullable JsonNode find(KubeApi api, Resource resource, String namespace, String name)
            throws ApiFailure {
        try {
            return response(api.send(ApiRequest.get(resource, namespace, name)), "one of " + resource.plural());
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Starts to parse an object and moves to its start.
     *
     * @throws IOException if it is not a JSON object; the message quotes nothing of it
     */
    public static JsonParser parse(byte[] json) throws IOException {
        JsonParser parser = MAPPER.createParser(json);
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.close();
            throw new IOException("not a JSON object");
        }
        return parser;
    }

    /** Reads the object at whose start the parser is; leaves it at the object's end. */
    public static JsonNode read(JsonParser parser) throws IOException {
        JsonNode object = MAPPER.readTree(parser);
        return object == null ? MAPPER.missingNode() : object;
    }

    public static String text(JsonNode json) {
        return json.toString();
    }

    /** A JSON string literal. */
    public static String quote(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** A wire record as a tree; omits absent fields. */
    public static JsonNode tree(Object wireRecord) {
        return MAPPER.valueToTree(wireRecord);
    }

    /** A part of an object as its wire record; null if absent or invalid, as under another schema. */
    public static <T> @Nullable T as(Class<T> type, JsonNode json) {
        return as(MAPPER, type, json);
    }

    /** As {@link #as}, with short texts interned, for large numbers of objects. */
    public static <T> @Nullable T compact(Class<T> type, JsonNode json) {
        return as(COMPACT, type, json);
    }

    private static <T> @Nullable T as(ObjectMapper mapper, Class<T> type, JsonNode json) {
        if (json.isMissingNode() || json.isNull()) {
            return null;
        }
        try {
            return mapper.treeToValue(json, type);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return null;
        }
    }
}
