package io.osmhub.api.schema;

import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open or recently resolved problem and how to fix it.
 *
 * @param id constant while the problem is open, on every replica
 * @param headline the cause in one clause, without object and field
 * @param field path in the object, with the position in its text
 * @param path the field without its position
 * @param line in the text of the field, from 1
 * @param column in that line, from 1
 * @param cure what to change, without its command
 * @param command of the fix, to be copied
 * @param commandCluster where the command has to run
 * @param cause identifies what is broken; problems with the same value are resolved together
 * @param excerpt lines of the template around an error, with a caret below its column
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
        @Nullable String path,
        @Nullable Integer line,
        @Nullable Integer column,
        String message,
        @Nullable String headline,
        @Nullable String cure,
        @Nullable String command,
        @Nullable Cluster commandCluster,
        @Nullable String help,
        @Nullable Integer affected,
        Instant since,
        @Nullable Instant lastSeenAt,
        @Nullable Instant resolvedAt,
        @Nullable String cause,
        @Nullable String excerpt) {
    /** The same with an excerpt. */
    public ProblemEntry withExcerpt(String lines) {
        return new ProblemEntry(
                id,
                reason,
                severity,
                actor,
                category,
                tenant,
                workerCluster,
                object,
                field,
                path,
                line,
                column,
                message,
                headline,
                cure,
                command,
                commandCluster,
                help,
                affected,
                since,
                lastSeenAt,
                resolvedAt,
                cause,
                lines);
    }
}
