package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 */
public record ProblemEntry(
        String id,
        @JsonUnwrapped ProblemClassification classification,
        @JsonUnwrapped AffectedObject subject,
        @JsonUnwrapped ProblemPlace place,
        @JsonUnwrapped ProblemText text,
        @JsonUnwrapped ProblemFix fix,
        @JsonUnwrapped ProblemCourse course) {
    /**
     * What kind of problem it is.
     *
     * @param cause identifies what is broken; problems with the same value are resolved together
     */
    public record ProblemClassification(
            Reason reason,
            Severity severity,
            Actor actor,
            Category category,
            @Nullable String cause) {}

    /** What has the problem. */
    public record AffectedObject(
            @Nullable String tenant,
            @Nullable String workerCluster,
            @Nullable ObjectRef object) {}

    /**
     * Where in the object.
     *
     * @param faultyObject that has the field; null if it is the object with the problem
     * @param field path in the object, with the position in its text
     * @param path the field without its position
     * @param line in the text of the field, from 1
     * @param column in that line, from 1
     * @param excerpt lines of the template around an error, with a caret below its column
     */
    public record ProblemPlace(
            @Nullable ObjectRef faultyObject,
            @Nullable String field,
            @Nullable String path,
            @Nullable Integer line,
            @Nullable Integer column,
            @Nullable String excerpt) {}

    /** The problem in words; {@code headline} is the cause in one clause, without object and field. */
    public record ProblemText(String message, @Nullable String headline) {}

    /**
     * How to fix it.
     *
     * @param cure what to change, without its command
     * @param command of the fix, to be copied
     * @param commandCluster where the command has to run
     * @param help path of the page about the reason
     */
    public record ProblemFix(
            @Nullable String cure,
            @Nullable String command,
            @Nullable Cluster commandCluster,
            @Nullable String help) {}

    /**
     * Its extent and duration.
     *
     * @param affected MachineDeployments that are not current because of it
     * @param resolvedAt absent while it is open
     */
    public record ProblemCourse(
            @Nullable Integer affected,
            Instant since,
            @Nullable Instant resolvedAt) {}

    /** The same with an excerpt. */
    public ProblemEntry withExcerpt(String lines) {
        ProblemPlace excerpted =
                new ProblemPlace(place.faultyObject, place.field, place.path, place.line, place.column, lines);
        return new ProblemEntry(id, classification, subject, excerpted, text, fix, course);
    }
}
