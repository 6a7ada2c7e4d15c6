package io.osmhub.core.emit.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a JSON text into the values that Go has for it: all numbers are float64, the last of equal keys wins. */
final class JsonDecoder {
    // A hostile template's keys must not stay in a table that all parsers share.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(NestingTracker.MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonParser parser;

    private JsonDecoder(JsonParser parser) {
        this.parser = parser;
    }

    /** {@code bytes} are bytes as chars. The caller has charged for them. */
    static GoValue decode(String bytes) throws TextSyntaxException {
        try (JsonParser parser = FACTORY.createParser(Utf8Bytes.decode(bytes))) {
            JsonDecoder decoder = new JsonDecoder(parser);
            GoValue value = decoder.value(parser.nextToken());
            if (parser.nextToken() != null) {
                throw decoder.error("expected the end of the text after the first value");
            }
            return value;
        } catch (StreamConstraintsException limit) {
            throw new TextSyntaxException(0, 0, "nested too deeply, or a number is too long");
        } catch (JsonProcessingException malformed) {
            throw error("invalid syntax", malformed.getLocation());
        } catch (IOException e) {
            throw new UncheckedIOException("the text is in memory", e);
        }
    }

    private TextSyntaxException error(String problem) {
        return error(problem, parser.currentTokenLocation());
    }

    /** Without the library's message, which quotes the text. */
    private static TextSyntaxException error(String problem, JsonLocation at) {
        return new TextSyntaxException(Math.max(at.getLineNr(), 1), Math.max(at.getColumnNr(), 1), problem);
    }

    private GoValue value(JsonToken token) throws IOException, TextSyntaxException {
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> GoString.ofBytes(Utf8Bytes.encode(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> GoBool.TRUE;
            case VALUE_FALSE -> GoBool.FALSE;
            case VALUE_NULL -> GoNil.ANY;
            case null, default -> throw error("expected a value");
        };
    }

    private GoValue object() throws IOException, TextSyntaxException {
        Map<GoValue, GoValue> entries = new HashMap<>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            entries.put(GoString.ofBytes(Utf8Bytes.encode(key)), value(parser.nextToken()));
        }
        return GoMap.of(entries);
    }

    private GoValue array() throws IOException, TextSyntaxException {
        List<GoValue> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token));
        }
        return GoSlice.of(items);
    }

    private GoValue number() throws IOException, TextSyntaxException {
        double number = Double.parseDouble(parser.getText());
        if (Double.isInfinite(number)) {
            throw error("a number that is too large for a float64");
        }
        return GoFloat.of(number);
    }
}
