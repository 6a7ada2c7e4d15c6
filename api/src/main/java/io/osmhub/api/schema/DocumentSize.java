package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much room a document takes, of how much there is.
 *
 * @param limitOf whose limit it is, for example a cloud provider
 * @param largest what takes most of it, largest first
 */
public record DocumentSize(
        DocumentName document,
        long bytes,
        @Nullable Long limitBytes,
        @Nullable String limitOf,
        @Nullable List<Part> largest) {
    public DocumentSize {
        Objects.requireNonNull(document, "document");
        largest = Copies.of(largest);
    }

    /** A piece of the profile and the bytes it brings into the document. */
    public record Part(@Nullable String field, @Nullable String path, long bytes) {}
}
