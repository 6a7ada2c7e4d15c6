package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proposed objects and the tenants to compare them for.
 *
 * @param changes whole objects: profiles, extensions and WorkerClusters
 * @param namespaces tenants to compare; absent means all visible to the caller
 * @param onlyChanged absent means true
 * @param lines whether to add the lines that differ; absent means false
 * @param limit 1 to 500; absent means 100
 * @param next cursor from the previous page
 */
public record DiffRequest(
        List<JsonNode> changes,
        @Nullable List<String> namespaces,
        @Nullable Boolean onlyChanged,
        @Nullable Boolean lines,
        @Nullable Integer limit,
        @JsonProperty("continue") @Nullable String next) {
    /** Omits the objects, which may contain anything. */
    @Override
    public String toString() {
        return "DiffRequest[" + changes.size() + " changes]";
    }
}
