package io.osmhub.workersync.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the metadata of an object that cannot be decoded, and the limit that it exceeds. Takes any size and depth in bounded memory:
 * knows only brackets, strings and separators, and keeps only the fields of the metadata that the hub needs. Not thread-safe.
 */
public final class MetadataScanner {
    /**
     * Limits of one object. One of a few megabytes may have so many values that its tree takes a hundred; the largest real ones,
     * EndpointSlices, have 20,000.
     */
    public static final StreamReadConstraints LIMITS =
            StreamReadConstraints.builder().maxTokenCount(100_000).build();

    private static final Set<String> KEPT = Set.of(
            "namespace",
            "name",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "finalizers",
            "labels",
            "annotations");
    /** Longest text of one field: API servers limit annotations to 256 KiB. */
    private static final int MOST_KEPT = 320 * 1024;
    /** Longest key that matters. */
    private static final int MOST_KEY = 64;
    /** Levels whose keys matter: event, object and metadata. */
    private static final int LEVELS = 5;
    /** Largest object of a list or watch. */
    public static final int MOST_BYTES = 4 * 1024 * 1024;

    /** Field beside the outermost one of the path: the type of an event, the UID of a review. */
    private final String labelKey;

    private final List<String> path;
    /** Depth of the metadata's fields. */
    private final int fields;

    private boolean inside;

    private final String[] keys = new String[LEVELS];
    private final Map<String, byte[]> kept = new LinkedHashMap<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream(0);
    private final ByteArrayOutputStream value = new ByteArrayOutputStream(0);
    private String label = "";
    private int depth;
    private boolean keeping;
    private boolean inString;
    private boolean escaped;
    private int scalar;
    private int string;
    private boolean ended;
    private boolean malformed;
    private int deepest;
    private int longestScalar;
    private int longestName;
    private long tokens;
    private long length;
    /** Of the object alone. */
    private long bytes;

    /** @param event whether the object is in an event of a watch */
    public MetadataScanner(boolean event) {
        this("type", event ? List.of("object") : List.of());
    }

    private MetadataScanner(String labelKey, List<String> path) {
        this.labelKey = labelKey;
        this.path = path;
        this.fields = path.size() + 2;
        Arrays.fill(keys, "");
    }

    /** Scans the proposed object of an AdmissionReview. */
    public static MetadataScanner scanReview(byte[] json) {
        MetadataScanner scanner = new MetadataScanner("uid", List.of("request", "object"));
        scanner.add(json, 0, json.length);
        return scanner;
    }

    /** Scans a whole text. */
    public static MetadataScanner scan(byte[] json, boolean event) {
        MetadataScanner scanner = new MetadataScanner(event);
        scanner.add(json, 0, json.length);
        return scanner;
    }

    /** Continues with these bytes of the array. */
    public void add(byte[] bytes, int from, int to) {
        length += to - from;
        for (int at = from; at < to; at++) {
            if (inString && !escaped && !keeping && text.size() == MOST_KEY) {
                // Quickly: most of a large object is in strings.
                int start = at;
                while (at < to && bytes[at] != '"' && bytes[at] != '\\') {
                    at++;
                }
                string += at - start;
                this.bytes += inside ? at - start : 0;
            }
            if (at < to) {
                add(bytes[at]);
            }
        }
    }

    private void add(byte next) {
        if (malformed) {
            return;
        }
        bytes += inside ? 1 : 0;
        if (inString) {
            addToString(next);
        } else if (next == ',' || next == '}' || next == ']') {
            endScalar();
            if (depth == fields) {
                endField();
            }
            setKey("");
            if (next != ',') {
                count();
                inside &= depth > path.size() + 1;
                depth--;
                ended = depth == 0;
                malformed |= depth < 0;
            }
        } else if (next == '{' || next == '[') {
            malformed |= ended || depth == 0 && next != '{';
            depth++;
            setKey("");
            inside |= depth == path.size() + 1 && path.equals(List.of(keys).subList(1, depth));
            count();
        } else if (next == '"') {
            inString = true;
            string = 0;
            text.reset();
        } else if (next == ':') {
            longestName = inside ? Math.max(longestName, string) : longestName;
            setKey(text.toString(UTF_8));
            if (depth == fields) {
                keeping = isField() && KEPT.contains(keys[fields]);
                value.reset();
                return;
            }
        } else if (next == ' ' || next == '\t' || next == '\r' || next == '\n') {
            endScalar();
        } else {
            malformed |= depth == 0;
            scalar++;
        }
        keep(next);
    }

    private void addToString(byte next) {
        if (escaped) {
            escaped = false;
        } else if (next == '\\') {
            escaped = true;
        } else if (next == '"') {
            inString = false;
            count();
            if (depth == path.size() && depth > 0 && keys[depth].equals(labelKey)) {
                label = text.toString(UTF_8);
            }
            return;
        }
        string++;
        if (text.size() < MOST_KEY) {
            text.write(next);
        }
    }

    private void setKey(String key) {
        if (depth < LEVELS) {
            keys[depth] = key;
        }
    }

    private boolean isField() {
        return inside && depth == fields && keys[fields - 1].equals("metadata");
    }

    private void keep(byte next) {
        if (keeping) {
            value.write(next);
            keeping = value.size() <= MOST_KEPT;
        }
    }

    private void endField() {
        if (keeping) {
            kept.put(keys[fields], value.toByteArray());
        }
        keeping = false;
        keys[fields] = "";
    }

    private void endScalar() {
        if (scalar > 0) {
            count();
            longestScalar = inside ? Math.max(longestScalar, scalar) : longestScalar;
        }
        scalar = 0;
    }

    private void count() {
        if (inside) {
            tokens++;
            deepest = Math.max(deepest, depth - path.size());
        }
    }

    /** Whether the text was complete, and no bracket or string is left open. */
    public boolean isComplete() {
        return ended && depth == 0 && !inString && !malformed;
    }

    /** Whether the text so far cannot be the start of an object. */
    boolean isMalformed() {
        return malformed;
    }

    /** Number of bytes so far. */
    public long length() {
        return length;
    }

    /** Type of the event, or UID of the review; empty for an object. */
    public String label() {
        return label;
    }

    /** The object with nothing but the metadata that the hub needs, as JSON. Its values are as unchecked as the object's. */
    public byte[] metadata() {
        return kept.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":" + new String(field.getValue(), UTF_8))
                .collect(Collectors.joining(",", "{\"metadata\":{", "}}"))
                .getBytes(UTF_8);
    }

    public boolean isBeingDeleted() {
        return kept.containsKey("deletionTimestamp");
    }

    /** Name of the object as written; empty without one. */
    public String name() {
        byte[] text = kept.getOrDefault("name", new byte[0]);
        return text.length < 2 ? "" : new String(text, UTF_8).strip().replace("\"", "");
    }

    /** The first limit that the object exceeds, as a clause; empty if it is within all. */
    public String exceededLimit() {
        if (tokens > LIMITS.getMaxTokenCount()) {
            return "it has more than " + LIMITS.getMaxTokenCount() + " JSON values";
        }
        if (bytes > MOST_BYTES) {
            return "it is larger than " + MOST_BYTES + " B";
        }
        if (deepest > LIMITS.getMaxNestingDepth()) {
            return "it is nested more than " + LIMITS.getMaxNestingDepth() + " levels deep";
        }
        if (longestScalar > LIMITS.getMaxNumberLength()) {
            return "it has a number of more than " + LIMITS.getMaxNumberLength() + " characters";
        }
        return longestName > LIMITS.getMaxNameLength()
                ? "it has a field name of more than " + LIMITS.getMaxNameLength() + " characters"
                : "";
    }
}
