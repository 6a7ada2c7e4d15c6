package io.osmhub.tenancy.management;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Interns short texts while deserializing. Statuses repeat the same ones: types and reasons of conditions, revisions, versions,
 * times.
 */
final class InterningStringDeserializer extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1L;
    /** Object names, hashes and messages are mostly longer or unique. */
    private static final int LONGEST = 40;

    private static final int MOST = 50_000;

    private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

    InterningStringDeserializer() {
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
