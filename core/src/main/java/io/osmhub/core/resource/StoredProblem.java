package io.osmhub.core.resource;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.SourcePosition;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link Problem} in a status: the parts of the message, which is only for people. */
@WireRecord
public record StoredProblem(
        String reason,

        @JsonDeserialize(using = WireEnumDeserializer.class) @Nullable Cluster cluster,

        @Nullable String kind,
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String field,
        @Nullable Integer line,
        @Nullable Integer column,
        String cause,
        @Nullable String fix,
        @Nullable String command,

        @JsonDeserialize(using = WireEnumDeserializer.class) @Nullable Cluster commandCluster,

        @JsonDeserialize(using = WireEnumDeserializer.class) @Nullable Actor actor,

        @JsonDeserialize(using = WireEnumDeserializer.class) @Nullable LinkName link) {

    public static StoredProblem of(Problem problem) {
        ProblemObject object = problem.object();
        Command command = problem.command();
        SourcePosition position = problem.position();
        return new StoredProblem(
                problem.reason().wireName(),
                object.isNone() ? null : object.cluster(),
                NullableCollections.nullIfEmpty(object.kind()),
                NullableCollections.nullIfEmpty(object.namespace()),
                NullableCollections.nullIfEmpty(object.name()),
                NullableCollections.nullIfEmpty(problem.field()),
                position.line() > 0 ? Integer.valueOf(position.line()) : null,
                position.column() > 0 ? Integer.valueOf(position.column()) : null,
                problem.cause(),
                NullableCollections.nullIfEmpty(problem.fix()),
                NullableCollections.nullIfEmpty(command.text()),
                command.isEmpty() ? null : command.cluster(),
                problem.actor(),
                problem.link());
    }

    /** The problem of a condition: that with its reason, else one with the message alone, as earlier versions stored it. */
    public static Problem find(
            @Nullable List<StoredProblem> stored, Reason reason, String message, Problem.Scope scope) {
        return NullableCollections.stream(stored)
                .filter(problem -> problem.reason().equals(reason.wireName()))
                .findFirst()
                .map(problem -> problem.toProblem(reason, scope))
                .orElseGet(() -> Problem.ofMessage(reason, message));
    }

    public Problem toProblem(Reason as, Problem.Scope scope) {
        return new Problem(
                as,
                scope,
                new ProblemObject(or(cluster, Cluster.MANAGEMENT), or(kind, ""), or(namespace, ""), or(name, "")),
                or(field, ""),
                new SourcePosition(or(line, 0), or(column, 0)),
                cause,
                or(fix, ""),
                Command.checked(or(commandCluster, Cluster.MANAGEMENT), or(command, "")),
                or(actor, as.actor()),
                link);
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return Objects.requireNonNullElse(value, otherwise);
    }
}
