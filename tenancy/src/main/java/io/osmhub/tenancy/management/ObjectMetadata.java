package io.osmhub.tenancy.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of {@code metadata} that the hub uses.
 *
 * @param namespace empty for a cluster-scoped kind
 * @param creationTimestamp the epoch if absent
 * @param deletionTimestamp null unless being deleted
 * @param lastWriter field manager of the latest write of metadata or spec; null if unknown
 */
public record ObjectMetadata(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        Instant creationTimestamp,
        @Nullable Instant deletionTimestamp,
        SortedMap<String, String> labels,
        SortedMap<String, String> annotations,
        List<String> finalizers,
        @Nullable String lastWriter) {
    private static final int LONGEST_NAME = 253;
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    public ObjectMetadata {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        finalizers = List.copyOf(finalizers);
    }

    /** Whether an object can have this name: a DNS subdomain. */
    public static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && NAME.matches(text);
    }

    public static ObjectMetadata of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectMetadata(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                metadata.path("generation").asLong(),
                time(metadata.path("creationTimestamp"), Instant.EPOCH),
                metadata.path("deletionTimestamp").isTextual()
                        ? time(metadata.path("deletionTimestamp"), Instant.EPOCH)
                        : null,
                texts(metadata.path("labels")),
                texts(metadata.path("annotations")),
                items(metadata.path("finalizers")),
                lastWriter(metadata.path("managedFields")));
    }

    public boolean isBeingDeleted() {
        return deletionTimestamp != null;
    }

    public boolean hasFinalizer(String finalizer) {
        return finalizers.contains(finalizer);
    }

    /** A map of strings; skips other values. */
    public static Map<String, String> strings(JsonNode object) {
        return texts(object);
    }

    private static SortedMap<String, String> texts(JsonNode object) {
        SortedMap<String, String> texts = new TreeMap<>();
        object.properties().forEach(field -> {
            if (field.getValue().isTextual()) {
                texts.put(field.getKey(), field.getValue().textValue());
            }
        });
        return texts;
    }

    private static List<String> items(JsonNode array) {
        List<String> items = new ArrayList<>();
        array.forEach(item -> items.add(item.asText()));
        return items;
    }

    /** Ignores writes of the status, which do not show who edits the object. */
    private static @Nullable String lastWriter(JsonNode managedFields) {
        String writer = null;
        Instant latest = Instant.MIN;
        for (JsonNode entry : managedFields) {
            Instant time = time(entry.path("time"), Instant.EPOCH);
            if (entry.path("subresource").asText().isEmpty() && !time.isBefore(latest)) {
                writer = entry.path("manager").asText();
                latest = time;
            }
        }
        return writer;
    }

    private static Instant time(JsonNode text, Instant otherwise) {
        try {
            return text.isTextual() ? Instant.parse(text.textValue()) : otherwise;
        } catch (DateTimeParseException e) {
            return otherwise;
        }
    }
}
