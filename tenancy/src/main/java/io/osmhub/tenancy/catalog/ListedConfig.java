package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.wire.ObjectHead;
import java.time.Instant;
import java.util.Map;

/**
 * An OperatingSystemConfig with what only lists ask for.
 *
 * @param osName empty when the spec does not say
 * @param cloudProvider empty when the spec does not say
 */
public record ListedConfig(
        StoredConfig config, Map<String, String> labels, Instant createdAt, String osName, String cloudProvider) {
    public ListedConfig {
        labels = Map.copyOf(labels);
    }

    static ListedConfig of(StoredConfig config, ObjectHead head, JsonNode spec) {
        return new ListedConfig(
                config,
                head.labels(),
                head.creationTimestamp(),
                spec.path("osName").asText(),
                spec.path("cloudProvider").path("name").asText());
    }
}
