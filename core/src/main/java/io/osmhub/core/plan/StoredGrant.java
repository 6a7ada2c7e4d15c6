package io.osmhub.core.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A ServiceAccount, Role or RoleBinding of {@code cloud-init-settings}, as found.
 *
 * @param fields those of {@link GrantKind#fields} that exist, as JSON with sorted keys
 * @param lastWriter field manager of the latest write; null if unknown
 */
public record StoredGrant(
        GrantKind kind,
        String name,
        String uid,
        String resourceVersion,
        SortedMap<String, String> annotations,
        SortedMap<String, String> fields,
        @Nullable String lastWriter) {
    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    public StoredGrant {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    public static StoredGrant of(GrantKind kind, JsonNode object, @Nullable String lastWriter) {
        JsonNode metadata = object.path("metadata");
        SortedMap<String, String> annotations = new TreeMap<>();
        metadata.path("annotations").properties().forEach(annotation -> {
            if (annotation.getKey().startsWith("osmhub.io/")) {
                annotations.put(annotation.getKey(), annotation.getValue().asText());
            }
        });
        SortedMap<String, String> fields = new TreeMap<>();
        for (String field : kind.fields()) {
            if (object.hasNonNull(field)) {
                fields.put(field, sorted(object.get(field)));
            }
        }
        return new StoredGrant(
                kind,
                metadata.path("name").asText(""),
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                annotations,
                fields,
                lastWriter);
    }

    private static String sorted(JsonNode node) {
        try {
            return SORTED.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree cannot be written", e);
        }
    }

    /** The object's kind and name, for messages. */
    public String describe() {
        return kind.kind() + " cloud-init-settings/" + name;
    }
}
