package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Size of a document and its limit.
 *
 * @param bytes of bootstrap user-data: as machine-controller passes it to the cloud provider
 * @param uncompressedBytes null unless the cloud provider receives it compressed
 * @param limitOf owner of the limit, for example a cloud provider
 * @param largest largest parts, largest first
 */
public record DocumentSize(
        DocumentName document,
        long bytes,
        @Nullable Long uncompressedBytes,
        @Nullable Long limitBytes,
        @Nullable String limitOf,
        @Nullable List<Part> largest) {
    /** A part of the profile and its bytes in the document. */
    public record Part(@Nullable String field, @Nullable String path, long bytes) {}
}
