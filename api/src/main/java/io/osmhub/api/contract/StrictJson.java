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
import io.osmhub.api.problem.Mistake;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON of a request: one value, no field twice, no deep nesting, no number that has to be rounded to infinity, no half of a
 * character. Messages name the place and never the content, which may be a credential.
 */
public final class StrictJson {
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

    private StrictJson() {}

    /** The value; a missing node for no bytes. */
    public static JsonNode read(byte[] bytes) throws ApiProblem {
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
            throw ApiProblem.badRequest(Mistake.body("", "the body is not valid UTF-8", "encode it as UTF-8"));
        } catch (StreamConstraintsException e) {
            throw ApiProblem.badRequest(Mistake.body(
                    "",
                    "the body is nested deeper than " + DEPTH + " levels, or a number or a name in it is too long",
                    "send what the contract describes"));
        } catch (JsonProcessingException e) {
            throw ApiProblem.badRequest(Mistake.body("", "the body is not JSON" + place(e), "send one JSON value"));
        }
        List<Mistake> mistakes = new ArrayList<>();
        look(value, "", mistakes);
        if (!mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        return value;
    }

    private static String place(JsonProcessingException e) {
        String duplicate = e.getOriginalMessage().startsWith("Duplicate field") ? ": a field stands there twice" : "";
        JsonLocation at = e.getLocation();
        return at == null ? duplicate : ", line " + at.getLineNr() + ", column " + at.getColumnNr() + duplicate;
    }

    /** What a reader of JSON lets pass although nobody could write it again. */
    private static void look(JsonNode node, String pointer, List<Mistake> mistakes) {
        if (mistakes.size() >= MISTAKES) {
            return;
        }
        if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
            mistakes.add(Mistake.body(pointer, "the number at " + pointer + " is too large", "write a smaller one"));
        } else if (node.isTextual() && !wellFormed(node.textValue())) {
            mistakes.add(Mistake.body(
                    pointer, "the text at " + pointer + " has half of a character", "escape both halves of it"));
        }
        for (var field : node.properties()) {
            look(field.getValue(), pointer + "/" + ContractOperation.escape(field.getKey()), mistakes);
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                look(node.get(i), pointer + "/" + i, mistakes);
            }
        }
    }

    private static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean pair = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
