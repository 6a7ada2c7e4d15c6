package io.osmhub.tenancy.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads texts so that equal short ones are one object. Statuses say the same words over and over: types and reasons of conditions,
 * revisions, versions, times of one wave of changes.
 */
final class SharedTexts extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1L;
    /** Names of objects, hashes and messages are longer mostly, or are the only ones of their kind. */
    private static final int LONGEST = 40;

    private static final int MOST = 50_000;

    private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

    SharedTexts() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        String text = parser.getValueAsString();
        if (text == null || text.length() > LONGEST) {
            return text;
        }
        if (TEXTS.size() > MOST) {
            TEXTS.clear();
        }
        String known = TEXTS.putIfAbsent(text, text);
        return known == null ? text : known;
    }
}
