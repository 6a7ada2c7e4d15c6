package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects as somebody is about to apply them, and the tenants to try them on.
 *
 * @param changes whole objects, profiles and WorkerClusters
 * @param namespaces tenants to look at; absent means all that the caller may see
 * @param onlyChanged absent means true
 * @param lines whether to add the lines that differ; absent means false
 * @param limit 1 to 500; absent means 100
 * @param next cursor of the page before
 */
public record DiffRequest(
        List<JsonNode> changes,
        @Nullable List<String> namespaces,
        @Nullable Boolean onlyChanged,
        @Nullable Boolean lines,
        @Nullable Integer limit,
        @JsonProperty("continue") @Nullable String next) {
    public DiffRequest {
        changes = List.copyOf(changes);
        namespaces = Copies.of(namespaces);
    }

    /** Without the objects, which may hold anything. */
    @Override
    public String toString() {
        return "DiffRequest[" + changes.size() + " changes]";
    }
}
