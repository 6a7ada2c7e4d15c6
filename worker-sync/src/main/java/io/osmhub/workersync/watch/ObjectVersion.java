package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** One version of one object, read without decoding the object. Fields that the object lacks are empty. */
record ObjectVersion(ObjectKey key, String uid, String resourceVersion) {
    static final ObjectVersion UNKNOWN = new ObjectVersion(new ObjectKey("", ""), "", "");

    /**
     * @param parser positioned at the object's start; left at its end
     * @throws IOException if the text is not JSON
     */
    static ObjectVersion read(JsonParser parser) throws IOException {
        ObjectVersion found = UNKNOWN;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean metadata = parser.currentName().equals("metadata");
            if (parser.nextToken() == JsonToken.START_OBJECT && metadata) {
                found = metadata(parser);
            } else {
                parser.skipChildren();
            }
        }
        return found;
    }

    private static ObjectVersion metadata(JsonParser parser) throws IOException {
        String namespace = "";
        String name = "";
        String uid = "";
        String resourceVersion = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                parser.skipChildren();
                continue;
            }
            switch (field) {
                case "namespace" -> namespace = parser.getText();
                case "name" -> name = parser.getText();
                case "uid" -> uid = parser.getText();
                case "resourceVersion" -> resourceVersion = parser.getText();
                default -> {}
            }
        }
        return new ObjectVersion(new ObjectKey(namespace, name), uid, resourceVersion);
    }
}
