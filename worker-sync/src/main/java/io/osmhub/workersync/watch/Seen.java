package io.osmhub.workersync.watch;

import org.jspecify.annotations.Nullable;

/**
 * An object as it was seen once.
 *
 * @param object what is remembered of it; null when it does not matter to the hub and is not kept
 * @param bytes memory that this takes, about
 */
public record Seen<T>(
        ObjectKey key,
        String uid,
        String resourceVersion,
        @Nullable T object,
        long bytes) {
    private static final int UNKNOWN = -1;
    /** What a value of the JSON takes beside its text. Most are not kept, those that are take several times as much. */
    private static final int EACH_TOKEN = 16;

    /** An object of which at most the texts are remembered, and a part of the values. */
    public Seen(ObjectKey key, String uid, String resourceVersion, @Nullable T object) {
        this(key, uid, resourceVersion, object, UNKNOWN);
    }

    /** With an estimate from the JSON text, of so many bytes and tokens, unless the decoder knows better what it keeps. */
    Seen<T> readFrom(int jsonBytes, long tokens) {
        return bytes == UNKNOWN ? new Seen<>(key, uid, resourceVersion, object, jsonBytes + EACH_TOKEN * tokens) : this;
    }

    /**
     * True only if both versions are numbers of one server and this one is the lower. Kubernetes 1.35 promises the order;
     * every earlier API server on etcd keeps it too.
     */
    static boolean isOlder(String resourceVersion, String than) {
        if (!isNumber(resourceVersion) || !isNumber(than)) {
            return false;
        }
        return resourceVersion.length() != than.length()
                ? resourceVersion.length() < than.length()
                : resourceVersion.compareTo(than) < 0;
    }

    /** True if a watch that has told everything up to that version has told of this one. */
    boolean isToldBy(String reached) {
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
