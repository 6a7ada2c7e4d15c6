package io.osmhub.core.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a Secret in the worker cluster: enough to tell whether it is right, and nothing of its content.
 *
 * @param type {@code Opaque} when the object says nothing
 * @param annotations in byte order of their keys
 * @param labels in byte order of their keys
 * @param digests SHA-256 of each decoded value in lower-case hex, by key
 * @param bytes of all decoded values together
 * @param lastWriter field manager of the latest write; null when the server does not say
 */
public record StoredSecret(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        String type,
        boolean immutable,
        boolean beingDeleted,
        SortedMap<String, String> annotations,
        SortedMap<String, String> labels,
        SortedMap<String, String> digests,
        int bytes,
        @Nullable String lastWriter) {
    public static final String OPAQUE = "Opaque";

    public StoredSecret {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }
}
