package io.osmhub.core.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cached part of a Secret in the worker cluster: enough to compare it, without its content.
 *
 * @param type {@code Opaque} when the object leaves it out
 * @param annotations in byte order of their keys
 * @param labels in byte order of their keys
 * @param digests SHA-256 of each decoded value in lower-case hex, by key
 * @param bytes of all decoded values together
 * @param lastWriter field manager of the latest write; null if unknown
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
