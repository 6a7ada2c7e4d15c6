package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A Secret or ConfigMap that settings reference.
 *
 * @param type of a Secret; empty for a ConfigMap
 * @param data decoded
 * @param unreadable keys whose values are not valid UTF-8, and thus not in {@code data}
 */
record ReferencedObject(String type, SortedMap<String, String> data, SortedSet<String> unreadable) {
    ReferencedObject {
        data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
        unreadable = Collections.unmodifiableSortedSet(new TreeSet<>(unreadable));
    }

    static ReferencedObject of(Resource kind, JsonNode object) {
        SortedMap<String, String> data = new TreeMap<>();
        SortedSet<String> unreadable = new TreeSet<>();
        object.path("data").properties().forEach(entry -> {
            String text = entry.getValue().asText();
            String value = kind == Resource.SECRETS ? decoded(text) : text;
            if (value == null) {
                unreadable.add(entry.getKey());
            } else {
                data.put(entry.getKey(), value);
            }
        });
        return new ReferencedObject(object.path("type").asText(), data, unreadable);
    }

    private static @Nullable String decoded(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
    }

    /** Omits the data. */
    @Override
    public String toString() {
        return "ReferencedObject[" + data.size() + " keys]";
    }
}
