package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import org.jspecify.annotations.Nullable;

/**
 * Which problems are listed. A label selector does not apply.
 *
 * @param resolved those that are over, of the last 7 days as far as this replica saw them end; else the open ones
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
