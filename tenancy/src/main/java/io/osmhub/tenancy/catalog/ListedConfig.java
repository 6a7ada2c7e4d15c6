package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.wire.ObjectMetadata;
import java.time.Instant;
import java.util.Map;

/**
 * An OperatingSystemConfig with fields that only lists need.
 *
 * @param osName empty if not set
 * @param cloudProvider empty if not set
 */
public record ListedConfig(
        StoredConfig config, Map<String, String> labels, Instant createdAt, String osName, String cloudProvider) {
    public ListedConfig {
        labels = Map.copyOf(labels);
    }

    static ListedConfig of(StoredConfig config, ObjectMetadata head, JsonNode spec) {
        return new ListedConfig(
                config,
                head.labels(),
                head.creationTimestamp(),
                spec.path("osName").asText(),
                spec.path("cloudProvider").path("name").asText());
    }
}
