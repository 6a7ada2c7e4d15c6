package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import org.jspecify.annotations.Nullable;

/**
 * Filters for problems. Label selectors do not apply.
 *
 * @param resolved problems resolved in the last 7 days, as far as observed by this replica; otherwise open ones
 */
public record ProblemQuery(
        PageRequest page,
        boolean resolved,
        @Nullable Severity severity,
        @Nullable Actor actor,
        @Nullable Category category,
        @Nullable Reason reason) {
    public static ProblemQuery open(PageRequest page) {
        return new ProblemQuery(page, false, null, null, null, null);
    }
}
