package io.osmhub.api.contract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Strict JSON of requests: one value, no duplicate fields, bounded nesting, no number that overflows to infinity, no unpaired
 * surrogate. Messages contain the location and never the content, which may be a credential.
 */
public final class StrictJsonParser {
    private static final int DEPTH = 100;
    private static final int NUMBER_LENGTH = 400;
    private static final int NAME_LENGTH = 4_096;
    private static final int MISTAKES = 100;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .maxNumberLength(NUMBER_LENGTH)
                            .maxNameLength(NAME_LENGTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJsonParser() {}

    /** The value; a missing node for no bytes. */
    public static JsonNode parse(byte[] bytes) throws ApiProblem {
        if (bytes.length == 0) {
            return MissingNode.getInstance();
        }
        JsonNode value;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            value = MAPPER.readTree(text);
        } catch (CharacterCodingException e) {
            throw ApiProblem.badRequest(RequestError.body("", "the body is not valid UTF-8", "encode it as UTF-8"));
        } catch (StreamConstraintsException e) {
            throw ApiProblem.badRequest(RequestError.body(
                    "",
                    "the body is nested deeper than " + DEPTH + " levels, or a number or a name in it is too long",
                    "send what the contract describes"));
        } catch (JsonProcessingException e) {
            throw ApiProblem.badRequest(
                    RequestError.body("", "the body is not JSON" + place(e), "send one JSON value"));
        }
        List<RequestError> mistakes = new ArrayList<>();
        checkNode(value, "", mistakes);
        if (!mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        return value;
    }

    private static String place(JsonProcessingException e) {
        String duplicate = e.getOriginalMessage().startsWith("Duplicate field") ? ": duplicate field" : "";
        JsonLocation at = e.getLocation();
        return at == null ? duplicate : ", line " + at.getLineNr() + ", column " + at.getColumnNr() + duplicate;
    }

    /** Rejects values that the parser accepts but no writer can encode. */
    private static void checkNode(JsonNode node, String pointer, List<RequestError> mistakes) {
        if (mistakes.size() >= MISTAKES) {
            return;
        }
        if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
            mistakes.add(
                    RequestError.body(pointer, "the number at " + pointer + " is too large", "write a smaller one"));
        } else if (node.isTextual() && !StandardCharsets.UTF_8.newEncoder().canEncode(node.textValue())) {
            mistakes.add(RequestError.body(
                    pointer, "the text at " + pointer + " has an unpaired surrogate", "escape both surrogates"));
        }
        for (var field : node.properties()) {
            checkNode(field.getValue(), pointer + "/" + ContractOperation.escape(field.getKey()), mistakes);
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                checkNode(node.get(i), pointer + "/" + i, mistakes);
            }
        }
    }
}
