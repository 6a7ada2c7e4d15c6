package io.osmhub.workersync.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object as read once.
 *
 * @param object the reduced object; null if it is not relevant and not kept, or if it cannot be read and no earlier version could
 * @param bytes its approximate memory
 * @param unreadable why it cannot be read; null if it can. It exists, but its content is unknown
 */
public record ObservedObject<T>(
        ObjectKey key,
        String uid,
        String resourceVersion,
        @Nullable T object,
        long bytes,
        @Nullable Problem unreadable) {
    private static final int UNKNOWN = -1;
    /** Overhead of a JSON value beyond its text. Most are not kept; those that are take several times as much. */
    private static final int EACH_TOKEN = 16;
    /** Overhead of every cached object: its key, and entries in queue and views. */
    private static final int EACH_OBJECT = 512;

    /** Creates one whose size is estimated later. */
    public ObservedObject(ObjectKey key, String uid, String resourceVersion, @Nullable T object) {
        this(key, uid, resourceVersion, object, UNKNOWN);
    }

    /** Creates one that could be read. */
    public ObservedObject(ObjectKey key, String uid, String resourceVersion, @Nullable T object, long bytes) {
        this(key, uid, resourceVersion, object, bytes, null);
    }

    /**
     * Creates one from the whole object; its size is estimated later.
     *
     * @param reduced null if it is not relevant
     */
    public static <T> ObservedObject<T> of(JsonNode object, @Nullable T reduced) {
        JsonNode metadata = object.path("metadata");
        return new ObservedObject<>(
                new ObjectKey(
                        metadata.path("namespace").asText(""),
                        metadata.path("name").asText("")),
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                reduced);
    }

    /** Whether the cache keeps it. */
    boolean isKept() {
        return object != null || unreadable != null;
    }

    /** Approximate memory in a cache. */
    long cachedBytes() {
        return isKept() ? EACH_OBJECT + bytes : 0;
    }

    /** Whether it is the same version with the same content. */
    boolean hasSameState(ObservedObject<T> other) {
        return uid.equals(other.uid())
                && resourceVersion.equals(other.resourceVersion())
                && Objects.equals(object, other.object())
                && Objects.equals(unreadable, other.unreadable());
    }

    /** Estimates the size from the JSON text, unless the decoder knows it. */
    ObservedObject<T> withEstimatedSize(int jsonBytes, long tokens) {
        return bytes == UNKNOWN
                ? new ObservedObject<>(key, uid, resourceVersion, object, jsonBytes + EACH_TOKEN * tokens)
                : this;
    }

    /**
     * True only if both versions are numbers of one server and this one is lower. Kubernetes 1.35 guarantees the order; every
     * earlier API server on etcd keeps it too.
     */
    static boolean isOlder(String resourceVersion, String than) {
        if (!isNumber(resourceVersion) || !isNumber(than)) {
            return false;
        }
        return resourceVersion.length() != than.length()
                ? resourceVersion.length() < than.length()
                : resourceVersion.compareTo(than) < 0;
    }

    /** False if the versions cannot be compared. */
    boolean isOlderThan(ObservedObject<T> other) {
        return isOlder(resourceVersion, other.resourceVersion());
    }

    /** Whether a watch complete up to that version includes this object. */
    boolean isCoveredBy(String reached) {
        return resourceVersion.equals(reached) || isOlder(resourceVersion, reached);
    }

    private static boolean isNumber(String text) {
        if (text.isEmpty() || text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
