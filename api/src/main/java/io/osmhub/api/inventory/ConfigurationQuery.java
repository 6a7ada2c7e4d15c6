package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.resource.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Filters for OperatingSystemConfigs.
 *
 * @param profile only from this profile, as name or namespace/name
 * @param ready only with this status of {@code Ready}
 */
public record ConfigurationQuery(
        PageRequest page,
        @Nullable String profile,
        Condition.@Nullable Status ready,
        @Nullable String osName,
        @Nullable String cloudProvider) {
    public static ConfigurationQuery all(PageRequest page) {
        return new ConfigurationQuery(page, null, null, null, null);
    }
}
