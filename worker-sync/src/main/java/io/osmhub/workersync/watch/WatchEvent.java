package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ErrorResponses;
import io.osmhub.workersync.apiserver.MetadataScanner;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A decoded line of a watch, or a page of a list. */
sealed interface WatchEvent<T> {
    /** Shared: a factory caches field names. */
    JsonFactory JSON =
            JsonFactory.builder().streamReadConstraints(MetadataScanner.LIMITS).build();

    ObjectMapper TREES = new ObjectMapper(JSON);

    /** For the text around an object too, so that the object alone decides. */
    JsonFactory EVENTS = JsonFactory.builder()
            .streamReadConstraints(MetadataScanner.LIMITS
                    .rebuild()
                    .maxTokenCount(2 * MetadataScanner.LIMITS.getMaxTokenCount())
                    .maxNestingDepth(2 * MetadataScanner.LIMITS.getMaxNestingDepth())
                    .build())
            .build();

    /** Created or changed. */
    record Upserted<T>(ObservedObject<T> seen) implements WatchEvent<T> {}

    record Deleted<T>(ObservedObject<T> last) implements WatchEvent<T> {}

    record Bookmark<T>(String resourceVersion) implements WatchEvent<T> {}

    record Failed<T>(ApiFailure failure) implements WatchEvent<T> {}

    /** {@code next} is empty on the last page. */
    record DecodedListPage<T>(List<ObservedObject<T>> items, String resourceVersion, String next) {}

    /**
     * Reads a line. An object that the cache holds in the same version, as after most writes of the hub, is not decoded again. One
     * that cannot be decoded becomes an unreadable one.
     *
     * @param redactor for texts of errors
     * @throws IOException if the line is not a complete watch event
     */
    static <T> WatchEvent<T> read(CachedSelection<T> selection, byte[] line, UnaryOperator<String> redactor)
            throws IOException {
        try {
            return readable(selection, line, redactor);
        } catch (IOException | StackOverflowError e) {
            MetadataScanner event = MetadataScanner.scan(line, true);
            if (!event.isComplete()) {
                throw e instanceof IOException invalid ? invalid : new IOException("not a watch event");
            }
            return unreadable(selection, event, cause(e, event));
        }
    }

    /** @throws IOException if the event is not about an object */
    static <T> WatchEvent<T> unreadable(CachedSelection<T> selection, MetadataScanner event, String cause)
            throws IOException {
        ObservedObject<T> seen = unreadableItem(selection, event, cause);
        return switch (event.label()) {
            case "ADDED", "MODIFIED" -> new Upserted<>(seen);
            case "DELETED" -> new Deleted<>(seen);
            default -> throw new IOException("invalid watch event");
        };
    }

    /** @throws IOException if the object has no name or version */
    static <T> ObservedObject<T> unreadableItem(CachedSelection<T> selection, MetadataScanner object, String cause)
            throws IOException {
        byte[] metadata = object.metadata();
        ObjectVersion version = version(metadata);
        ObjectKey key = version.key();
        if (key.name().isEmpty() || version.resourceVersion().isEmpty()) {
            throw new IOException("an object without a name or a version, and " + cause);
        }
        Problem why = UnreadableObjects.finding(selection.resource(), key, cause);
        ObjectCache<T> cache = selection.cache();
        T earlier = version.uid().equals(cache.uid(key)) ? cache.get(key) : null;
        T kept = earlier;
        try {
            kept = selection.decoder().unreadable(TREES.readTree(metadata), why, earlier);
        } catch (IOException | RuntimeException e) {
            // The metadata itself is invalid too.
        }
        return new ObservedObject<>(
                key,
                version.uid(),
                version.resourceVersion(),
                kept,
                metadata.length + why.toString().length(),
                why);
    }

    /** Quotes nothing, because a parser's message may contain a part of the object. */
    static String cause(Throwable e, MetadataScanner object) {
        String limit = object.exceededLimit();
        if (!limit.isEmpty()) {
            return limit;
        }
        return switch (e) {
            case JsonProcessingException json
            when json.getLocation() != null ->
                "invalid value at byte " + json.getLocation().getByteOffset();
            case JsonProcessingException _ -> "a value has the wrong type";
            case IOException own -> String.valueOf(own.getMessage());
            default -> "it is nested too deep";
        };
    }

    private static <T> WatchEvent<T> readable(CachedSelection<T> selection, byte[] line, UnaryOperator<String> redactor)
            throws IOException {
        ObjectDecoder<T> decoder = selection.decoder();
        ObjectCache<T> cache = selection.cache();
        String type = "";
        ObjectVersion version = ObjectVersion.UNKNOWN;
        int from = -1;
        int to = -1;
        try (JsonParser parser = EVENTS.createParser(line)) {
            expect(parser.nextToken(), JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("type") && value == JsonToken.VALUE_STRING) {
                    type = parser.getText();
                } else if (field.equals("object") && value == JsonToken.START_OBJECT) {
                    from = (int) parser.currentTokenLocation().getByteOffset();
                    version = ObjectVersion.read(parser);
                    to = (int) parser.currentLocation().getByteOffset();
                } else {
                    parser.skipChildren();
                }
            }
            expect(parser.currentToken(), JsonToken.END_OBJECT);
        }
        if (from < 0) {
            throw new IOException("watch event without an object");
        }
        try (JsonParser parser = JSON.createParser(line, from, to - from)) {
            parser.nextToken();
            return switch (type) {
                case "ADDED", "MODIFIED" -> {
                    ObservedObject<T> cached = cache.find(version);
                    yield new Upserted<>(
                            cached != null ? cached : later(parser, to - from, decoder, cache.get(version.key())));
                }
                case "DELETED" -> new Deleted<>(later(parser, to - from, decoder, null));
                case "BOOKMARK" -> new Bookmark<>(resourceVersion(version));
                case "ERROR" -> new Failed<>(ErrorResponses.ofEvent(TREES.readTree(parser), redactor));
                default -> throw new IOException("watch event of an unknown type");
            };
        }
    }

    /**
     * Reads an item of a list; one that cannot be decoded becomes an unreadable one.
     *
     * @throws IOException if the text is not an object with a name and a version
     */
    static <T> ObservedObject<T> item(CachedSelection<T> selection, byte[] json) throws IOException {
        try {
            return item(json, selection.decoder());
        } catch (IOException | StackOverflowError e) {
            MetadataScanner object = MetadataScanner.scan(json, false);
            return unreadableItem(selection, object, cause(e, object));
        }
    }

    /** @throws IOException if the text is not an object */
    static <T> ObservedObject<T> item(byte[] json, ObjectDecoder<T> decoder) throws IOException {
        return item(json, decoder, null);
    }

    /**
     * @param earlier the cached version; null if there is none
     * @throws IOException if the text is not an object
     */
    static <T> ObservedObject<T> item(byte[] json, ObjectDecoder<T> decoder, @Nullable T earlier) throws IOException {
        try (JsonParser parser = JSON.createParser(json)) {
            expect(parser.nextToken(), JsonToken.START_OBJECT);
            return later(parser, json.length, decoder, earlier);
        }
    }

    private static <T> ObservedObject<T> later(
            JsonParser parser, int bytes, ObjectDecoder<T> decoder, @Nullable T earlier) throws IOException {
        try {
            return seen(parser, bytes, earlier == null ? decoder : object -> decoder.decode(object, earlier));
        } catch (RuntimeException e) {
            throw new IOException("a value has the wrong type, " + e.getClass().getSimpleName(), e);
        }
    }

    /** @throws IOException if the text is not an object */
    static ObjectVersion version(byte[] json) throws IOException {
        try (JsonParser parser = JSON.createParser(json)) {
            expect(parser.nextToken(), JsonToken.START_OBJECT);
            return ObjectVersion.read(parser);
        }
    }

    private static <T> ObservedObject<T> seen(JsonParser parser, int bytes, ObjectDecoder<T> decoder)
            throws IOException {
        ObservedObject<T> seen = decoder.decode(parser);
        return seen.withEstimatedSize(bytes, parser.currentTokenCount());
    }

    /**
     * @param body the list without its items
     * @throws IOException if the body is not a list
     */
    static <T> DecodedListPage<T> page(List<ObservedObject<T>> items, byte[] body) throws IOException {
        JsonNode metadata = TREES.readTree(body).path("metadata");
        String resourceVersion = metadata.path("resourceVersion").asText("");
        if (resourceVersion.isEmpty()) {
            throw new IOException("list without a resource version");
        }
        return new DecodedListPage<>(
                items, resourceVersion, metadata.path("continue").asText(""));
    }

    private static String resourceVersion(ObjectVersion bookmark) throws IOException {
        if (bookmark.resourceVersion().isEmpty()) {
            throw new IOException("bookmark without a resource version");
        }
        return bookmark.resourceVersion();
    }

    private static void expect(@Nullable JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted) {
            throw new IOException("expected " + wanted + ", found " + found);
        }
    }
}
