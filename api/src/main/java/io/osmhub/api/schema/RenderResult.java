package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents as a machine gets them, with placeholders for credentials. */
public record RenderResult(
        @Nullable ConfigurationSource source,
        List<Document> documents,
        @Nullable List<ProblemEntry> problems) {
    /**
     * One document.
     *
     * @param bytes of the real document, including credentials
     * @param redactions credentials replaced by placeholders
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
        /** Format of a document. */
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
