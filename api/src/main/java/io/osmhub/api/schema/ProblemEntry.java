package io.osmhub.api.schema;

import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open or recently resolved problem and how to fix it.
 *
 * @param id constant while the problem is open, on every replica
 * @param cure the part of the message that states the fix
 * @param help path of the page about the reason
 * @param affected MachineDeployments that are not current because of it
 * @param resolvedAt absent while it is open
 */
public record ProblemEntry(
        String id,
        Reason reason,
        Severity severity,
        Actor actor,
        Category category,
        @Nullable String tenant,
        @Nullable String workerCluster,
        @Nullable ObjectRef object,
        @Nullable String field,
        String message,
        @Nullable String cure,
        @Nullable String help,
        @Nullable Integer affected,
        Instant since,
        @Nullable Instant lastSeenAt,
        @Nullable Instant resolvedAt) {}
