package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.resource.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Filters for profiles.
 *
 * @param osName only for this operating system
 * @param valid only with this status of {@code Valid}
 * @param usedIn only those usable by the tenant of this namespace
 */
public record ProfileQuery(
        PageRequest page,
        @Nullable String osName,
        Condition.@Nullable Status valid,
        @Nullable String usedIn) {
    public static ProfileQuery all(PageRequest page) {
        return new ProfileQuery(page, null, null, null);
    }
}
