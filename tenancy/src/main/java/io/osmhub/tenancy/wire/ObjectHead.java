package io.osmhub.tenancy.wire;

import com.fasterxml.jackson.databind.JsonNode;
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
 * {@code metadata} of an object, as far as the hub asks for it.
 *
 * @param namespace empty for a kind without
 * @param creationTimestamp the beginning of time when the server sent none
 * @param deletionTimestamp null while nobody has asked to delete it
 * @param lastWriter field manager of the latest write of metadata or spec; null when the server does not say
 */
public record ObjectHead(
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
        List<Owner> owners,
        @Nullable String lastWriter) {
    public ObjectHead {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        finalizers = List.copyOf(finalizers);
        owners = List.copyOf(owners);
    }

    /** One entry of {@code metadata.ownerReferences}. */
    public record Owner(String kind, String name, String uid) {}

    /** Reads a whole object. */
    public static ObjectHead of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectHead(
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
                owners(metadata.path("ownerReferences")),
                lastWriter(metadata.path("managedFields")));
    }

    public boolean beingDeleted() {
        return deletionTimestamp != null;
    }

    public boolean hasFinalizer(String finalizer) {
        return finalizers.contains(finalizer);
    }

    /** A map of texts; what is no text is left out. */
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

    private static List<Owner> owners(JsonNode array) {
        List<Owner> owners = new ArrayList<>();
        array.forEach(owner -> owners.add(new Owner(
                owner.path("kind").asText(),
                owner.path("name").asText(),
                owner.path("uid").asText())));
        return owners;
    }

    /** Writes of a status say nothing about who edits the object. */
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
