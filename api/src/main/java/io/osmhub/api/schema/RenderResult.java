package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Documents as a machine would get them, but with placeholders where credentials belong. */
public record RenderResult(
        @Nullable Source source,
        List<Document> documents,
        @Nullable List<ProblemEntry> problems) {
    public RenderResult {
        documents = List.copyOf(documents);
        problems = Copies.of(problems);
    }

    /**
     * One document.
     *
     * @param bytes of the real document, with its credentials
     * @param redactions credentials that a placeholder stands for
     * @param contentHash of the redacted text
     */
    public record Document(
            DocumentName document,
            @Nullable Format format,
            long bytes,
            @Nullable Long limitBytes,
            @Nullable Integer redactions,
            @Nullable String contentHash,
            @Nullable String text) {
        public Document {
            Objects.requireNonNull(document, "document");
        }

        /** The language that a document is written in. */
        public enum Format {
            @JsonProperty("cloud-config")
            CLOUD_CONFIG,
            @JsonProperty("ignition")
            IGNITION,
            @JsonProperty("yaml")
            YAML,
            @JsonProperty("shell")
            SHELL
        }
    }
}
